#!/bin/sh
# Makes a backup each day in FOLDER, and keeps the newest KEEP. A backup that failed is tried again after an hour.
# With the argument "once" it makes one and ends.
set -u
while :; do
  if node dist/apps/api/src/ops/main.js backup "$FOLDER/$(date -u +%Y-%m-%dT%H-%M-%SZ)"; then
    pause=86400
    # A name of a finished backup begins with its date.
    find "$FOLDER" -mindepth 1 -maxdepth 1 -name '2*' | sort -r | tail -n "+$((KEEP + 1))" | while read -r old; do
      rm -r "$old"
    done
    result=0
  else
    pause=3600
    result=1
  fi
  [ "${1:-}" = once ] && exit "$result"
  # The signal of the end must not wait for the sleep.
  sleep "$pause" &
  trap 'kill $!; exit 0' TERM INT
  wait $!
done
