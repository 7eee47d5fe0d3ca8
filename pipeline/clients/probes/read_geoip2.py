# python3-geoip2: read_geoip2.py <file> <method> <address>…
import sys
import geoip2.database
import geoip2.errors

VALUES = {
    'city': lambda found: [
        found.country.iso_code,
        found.subdivisions[0].names.get('en') if len(found.subdivisions) else None,
        found.city.names.get('en'),
        found.location.latitude,
    ],
    'country': lambda found: [
        found.country.iso_code,
        found.country.names.get('en'),
        found.continent.code,
        found.registered_country.iso_code,
    ],
    'asn': lambda found: [found.autonomous_system_number, found.autonomous_system_organization],
    'isp': lambda found: [found.isp, found.organization, found.autonomous_system_number],
    'anonymous_ip': lambda found: [found.is_anonymous, found.is_hosting_provider, found.is_tor_exit_node],
}


def text(value):
    return '' if value is None or value is False else 'true' if value is True else str(value)


file, method = sys.argv[1:3]
reader = geoip2.database.Reader(file)
for address in sys.argv[3:]:
    try:
        print('\t'.join(map(text, VALUES[method](getattr(reader, method)(address)))))
    except geoip2.errors.AddressNotFoundError:
        print()
