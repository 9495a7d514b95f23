#!/bin/sh
# PostgreSQL, with a clock that the test can move if it has made the file of its offset before the start. Patroni keeps the real
# time, and so do the timers.
if [ -e /run/postgresql/clock ]; then
  export LD_PRELOAD="$(echo /usr/lib/*/faketime/libfaketime.so.1)"
  export FAKETIME_TIMESTAMP_FILE=/run/postgresql/clock
  export FAKETIME_CACHE_DURATION=1
  export FAKETIME_DONT_FAKE_MONOTONIC=1
fi
exec /usr/lib/postgresql/18/bin/postgres "$@"
