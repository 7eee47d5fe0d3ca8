# libgeoip2-perl: geoip2.pl <file> <method> <address>…
use strict;
use warnings;
use GeoIP2::Database::Reader;

my %VALUES = (
    city => sub {
        my ($region) = $_[0]->subdivisions;
        return ($_[0]->country->iso_code, $region && $region->names->{en}, $_[0]->city->names->{en}, $_[0]->location->latitude);
    },
    country => sub {
        my ($found) = @_;
        my $country = $found->country;
        return ($country->iso_code, $country->names->{en}, $found->continent->code, $found->registered_country->iso_code);
    },
    asn => sub { ($_[0]->autonomous_system_number, $_[0]->autonomous_system_organization) },
    isp => sub { ($_[0]->isp, $_[0]->organization, $_[0]->autonomous_system_number) },
    anonymous_ip => sub { map { $_ ? 'true' : '' } ($_[0]->is_anonymous, $_[0]->is_hosting_provider, $_[0]->is_tor_exit_node) },
);

binmode STDOUT, ':utf8';
my ($file, $method, @addresses) = @ARGV;
my $reader = GeoIP2::Database::Reader->new(file => $file, locales => ['en']);
for my $address (@addresses) {
    my $found = eval { $reader->$method(ip => $address) };
    if (my $error = $@) {
        die $error unless ref $error && $error->isa('GeoIP2::Error::IPAddressNotFound');
    }
    print join("\t", map { $_ // '' } $found ? $VALUES{$method}->($found) : ()), "\n";
}
