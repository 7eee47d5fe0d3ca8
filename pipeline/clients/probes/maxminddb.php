<?php
// php-maxminddb: maxminddb.php <file> <paths> <address>…
$reader = new MaxMind\Db\Reader($argv[1]);
foreach (array_slice($argv, 3) as $address) {
    $record = $reader->get($address);
    $texts = array_map(function ($path) use ($record) {
        $value = $record;
        foreach (explode('.', $path) as $key) {
            $value = is_array($value) ? ($value[$key] ?? null) : null;
        }
        return $value === true ? 'true' : (string) $value;
    }, explode(',', $argv[2]));
    echo implode("\t", $texts), "\n";
}
