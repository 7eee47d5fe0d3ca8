# ruby-maxminddb: maxminddb.rb <file> <paths> <address>…
require 'maxminddb'

file, paths, *addresses = ARGV
reader = MaxMindDB.new(file)
addresses.each do |address|
  found = reader.lookup(address)
  texts = paths.split(',').map do |path|
    first, *rest = path.split('.')
    rest.reduce(found.found? ? found[first] : nil) do |value, key|
      value.is_a?(Array) ? value[key.to_i] : value && value[key]
    end.to_s
  end
  puts texts.join("\t")
end
