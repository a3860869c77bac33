#!/usr/bin/env bash
# Runs a temporary PostgreSQL server for one test run, using the machine's server binaries and without affecting any
# existing cluster.
#   pg-throwaway.sh start DIR PORT    prints its URL; exits with 3 if the machine has no server binaries
#   pg-throwaway.sh restart DIR PORT  restarts it with the same options, breaking every connection
#   pg-throwaway.sh stop DIR PORT     stops it and removes DIR
# The server does not sync to disk, which is fast but loses data in a power failure. With DURABLE=1, the server syncs to
# disk, as an operator's database does.
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
  restart)
    as "$bin/pg_ctl" -D "$dir/data" -w -t 30 -m fast -l "$dir/log" restart >/dev/null
    ;;
  stop)
    [ ! -d "$dir/data" ] || as "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null || true
    rm -rf "$dir"
    ;;
  *) usage ;;
esac
