#!/bin/sh
# PostgreSQL with a clock that the test can move, if it created the offset file before the start. Patroni and the timers keep the real time.
if [ -e /run/postgresql/clock ]; then
  export LD_PRELOAD="$(echo /usr/lib/*/faketime/libfaketime.so.1)"
  export FAKETIME_TIMESTAMP_FILE=/run/postgresql/clock
  export FAKETIME_CACHE_DURATION=1
  export FAKETIME_DONT_FAKE_MONOTONIC=1
fi
exec /usr/lib/postgresql/18/bin/postgres "$@"
