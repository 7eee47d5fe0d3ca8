# bind9: named.sh <folder with named.conf> <address>…, in a network namespace of its own. Asks named from each address.
set -euo pipefail
folder=$1
shift
ip link set lo up
for address in "$@"; do
  case $address in
    *:*) ip addr add "$address/128" dev lo nodad ;;
    *) ip addr add "$address/32" dev lo ;;
  esac
done
named -g -c "$folder/named.conf" >"$folder/log" 2>&1 &
named=$!
trap 'kill "$named" 2>/dev/null || true; wait "$named" || true' EXIT
explain() {
  grep -m 1 -iE 'error|fail|unable' "$folder/log" >&2 || tail -n 1 "$folder/log" >&2
  exit 1
}
for _ in $(seq 100); do
  dig +short +time=1 +tries=1 @127.0.0.1 x.geo.test TXT >/dev/null 2>&1 && break
  kill -0 "$named" 2>/dev/null || explain
  sleep 0.1
done
for address in "$@"; do
  case $address in *:*) server=::1 ;; *) server=127.0.0.1 ;; esac
  dig +short +time=2 +tries=2 -b "$address" "@$server" x.geo.test TXT | tr -d '"' || explain
done
