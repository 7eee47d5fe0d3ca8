# libmaxmind-db-reader-perl: maxmind-db-reader.pl <file> <paths> <address>…
use strict;
use warnings;
use MaxMind::DB::Reader;

binmode STDOUT, ':utf8';
my ($file, $paths, @addresses) = @ARGV;
my $reader = MaxMind::DB::Reader->new(file => $file);

sub text {
    my ($value, $path) = @_;
    for my $key (split /\./, $path) {
        last unless defined $value;
        $value = ref $value eq 'ARRAY' ? $value->[$key] : $value->{$key};
    }
    return '' unless defined $value;
    return $path =~ /^is_/ ? ($value ? 'true' : '') : $value;
}

for my $address (@addresses) {
    my $record = $reader->record_for_address($address);
    print join("\t", map { text($record, $_) } split /,/, $paths), "\n";
}
