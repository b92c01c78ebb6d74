#!/bin/sh
# Makes a backup each day in FOLDER, and removes those that are older than KEEP_DAYS, but never the newest three.
# A backup that failed is tried again after an hour. With the argument "once" it makes one and ends.
set -u

# Complete backups, the newest first. Their names are times, and the manifest is written last.
complete() {
  for manifest in "$FOLDER"/2*Z/manifest.json; do
    [ -f "$manifest" ] && basename "$(dirname "$manifest")"
  done | sort -r
}

name_before() {
  date -u -d "@$(($(date +%s) - $1))" +%Y-%m-%dT%H-%M-%SZ
}

back_up() {
  # A process that was killed leaves its draft. Only this script writes here.
  rm -rf "$FOLDER"/2*Z.part
  node dist/apps/api/src/ops/main.js backup "$FOLDER/$(date -u +%Y-%m-%dT%H-%M-%SZ)" || return 1
  oldest=$(name_before $((KEEP_DAYS * 86400)))
  complete | tail -n +4 | while read -r name; do
    # Names compare as their times do.
    [ "$(printf '%s\n%s\n' "$name" "$oldest" | sort | head -n 1)" = "$name" ] && rm -r "${FOLDER:?}/$name"
  done
  return 0
}

if [ "${1:-}" = once ]; then
  back_up
  exit
fi

while :; do
  newest=$(complete | head -n 1)
  # A restart makes no backup if there is one of the last 23 hours. It looks again after an hour.
  if [ -z "$newest" ] || [ "$(printf '%s\n%s\n' "$newest" "$(name_before 82800)" | sort | head -n 1)" = "$newest" ]; then
    back_up
  fi
  # The signal of the end must not wait for the sleep.
  sleep 3600 &
  trap 'kill $!; exit 0' TERM INT
  wait $!
done
