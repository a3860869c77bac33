#!/usr/bin/env bash
# A PostgreSQL for one test run, from the server binaries of the machine, without touching any cluster that exists.
#   pg-throwaway.sh start DIR PORT    prints its URL; exit 3 where the machine has no server binaries
#   pg-throwaway.sh stop DIR PORT     ends it and removes DIR
# It syncs nothing to disk: fast, and worthless after a power cut. DURABLE=1: it does, as an operator's would.
set -euo pipefail

usage() { sed -n 's/^#   //p' "$0" >&2; exit 2; }
[ $# = 3 ] || usage
dir=$2 port=$3

shopt -s nullglob
found=(/usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb /opt/homebrew/opt/postgresql*/bin/initdb)
if [ ${#found[@]} -gt 0 ]; then
  bin=$(dirname "$(printf '%s\n' "${found[@]}" | sort -V | tail -1)")
elif command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
  bin=$(dirname "$(command -v initdb)")
else
  echo 'no PostgreSQL server binaries on this machine' >&2
  exit 3
fi

# The server refuses to run as root.
as() { if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi; }

case $1 in
  start)
    mkdir -p "$dir"
    [ "$(id -u)" != 0 ] || chown postgres: "$dir"
    unsafe='-c fsync=off -c synchronous_commit=off -c full_page_writes=off'
    [ -z "${DURABLE:-}" ] || unsafe=''
    said=$(as "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --no-locale -N 2>&1) ||
      { echo "$said" >&2; exit 1; }
    as "$bin/pg_ctl" -D "$dir/data" -w -t 30 -l "$dir/log" -o "-p $port -k $dir -c listen_addresses=127.0.0.1 \
      -c max_connections=200 $unsafe" start >/dev/null ||
      { cat "$dir/log" >&2; exit 1; }
    echo "postgres://postgres@127.0.0.1:$port/postgres"
    ;;
  stop)
    [ ! -d "$dir/data" ] || as "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null || true
    rm -rf "$dir"
    ;;
  *) usage ;;
esac
