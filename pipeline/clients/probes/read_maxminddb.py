# python3-maxminddb: read_maxminddb.py <extension|python> <file> <paths> <address>…
import sys
import maxminddb

mode = maxminddb.MODE_MMAP_EXT if sys.argv[1] == 'extension' else maxminddb.MODE_FILE
reader = maxminddb.open_database(sys.argv[2], mode)


def text(value, path):
    for key in path.split('.'):
        if value is None:
            return ''
        value = (value[int(key)] if int(key) < len(value) else None) if isinstance(value, list) else value.get(key)
    return '' if value is None else 'true' if value is True else str(value)


for address in sys.argv[4:]:
    print('\t'.join(text(reader.get(address), path) for path in sys.argv[3].split(',')))
