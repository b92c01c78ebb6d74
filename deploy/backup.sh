#!/bin/sh
# Makes a backup each night in FOLDER, after HOUR o'clock (UTC), and each minute one of the erasures in FOLDER/erasures, so
# that a restore revives nobody. Removes what is older than KEEP_DAYS, but never the newest three. A backup that failed is
# tried again after an hour. After the backup of the first of a month it compacts the indexes of the database.
#
#   once      makes both now, and ends
#   backup    makes a backup now, and ends; for a timer of another kind, as is
#   erasures  makes the list of erasures
#   rehearse  restores the newest backup into the empty database of REHEARSAL_URL, checks it, and notes that it was done
#   fresh     ends with 1 if there is no backup of the last 26 hours, or no list of erasures of the last 10 minutes
set -u
# shellcheck disable=SC2153 # compose.yaml gives FOLDER, KEEP_DAYS and HOUR.
: "$FOLDER"
OPS=dist/apps/api/src/ops/main.js

# Complete backups in a folder, the newest first. Their names are times, and the manifest is written last.
backups_in() {
  for manifest in "$1"/2*Z/manifest.json; do
    [ -f "$manifest" ] && basename "$(dirname "$manifest")"
  done | sort -r
}

# The name of a backup of so many seconds ago.
name_before() {
  date -u -d "@$(($(date +%s) - $1))" +%Y-%m-%dT%H-%M-%SZ
}

# Whether the first name is older: names compare as their times do.
is_older() {
  [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort | head -n 1)" = "$1" ]
}

newest() {
  backups_in "$1" | head -n 1
}

# Makes a backup, or one of the erasures alone, and removes the drafts of killed processes. Only this script writes here.
make() {
  folder=$1
  shift
  mkdir -p "$folder"
  rm -rf "$folder"/2*Z.part
  node "$OPS" backup "$folder/$(name_before 0)" "$@"
}

# Removes backups that are older than a name, but the newest three.
remove_before() {
  backups_in "$1" | tail -n +4 | while read -r name; do
    if is_older "$name" "$2"; then rm -r "${1:?}/$name"; fi
  done
}

back_up() {
  make "$FOLDER" && remove_before "$FOLDER" "$(name_before $((KEEP_DAYS * 86400)))" || return
  # The backup is good all the same.
  case $(date -u +%d) in 01) node "$OPS" compact || true ;; esac
}

save_erasures() {
  make "$FOLDER/erasures" --erasures-only >/dev/null && remove_before "$FOLDER/erasures" "$(name_before 600)"
}

# The last time that it was HOUR o'clock.
last_night() {
  tonight=$(date -u +%Y-%m-%dT)$(printf %02d "$HOUR")-00-00Z
  if is_older "$tonight" "$(name_before 0)"; then
    echo "$tonight"
  else
    name_before $(($(date -u +%s) % 86400 + 86400 - HOUR * 3600))
  fi
}

case ${1:-} in
once)
  back_up && save_erasures
  exit
  ;;
backup)
  back_up
  exit
  ;;
erasures)
  save_erasures
  exit
  ;;
rehearse)
  backup=$(newest "$FOLDER")
  [ -n "$backup" ] || { echo "There is no complete backup in $FOLDER." >&2; exit 1; }
  erasures=$(newest "$FOLDER/erasures")
  # The service's own database gets nothing but the time.
  env -u DATABASE_URL_FILE DATABASE_URL="$REHEARSAL_URL" node "$OPS" restore "$FOLDER/$backup" \
    ${erasures:+--erasures "$FOLDER/erasures/$erasures"} --yes && node "$OPS" note rehearsal
  exit
  ;;
fresh)
  ! is_older "$(newest "$FOLDER")" "$(name_before 93600)" &&
    ! is_older "$(newest "$FOLDER/erasures")" "$(name_before 600)"
  exit
  ;;
esac

wait_minutes=0
while :; do
  if [ "$wait_minutes" -gt 0 ]; then
    wait_minutes=$((wait_minutes - 1))
  elif is_older "$(newest "$FOLDER")" "$(last_night)"; then
    back_up || wait_minutes=60
  fi
  save_erasures
  # The signal of the end must not wait for the sleep.
  sleep 60 &
  trap 'kill $!; exit 0' TERM INT
  wait $!
done
