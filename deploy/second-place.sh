#!/bin/sh
# Copies the backups to a second place every ten minutes, with restic or rclone. With the second argument "once" it does
# so once.
set -u

with_restic() {
  if ! restic cat config >/dev/null 2>&1; then restic init || return 1; fi
  restic backup --quiet --host health-records-service --exclude '*.part' /backups || return 1
  # Once an hour: it reads much of the place.
  if [ "$(date +%M)" -lt 10 ] || [ "${1:-}" = once ]; then
    restic forget --quiet --prune --keep-last 6 --keep-daily "$KEEP_DAYS" --keep-weekly 8 --keep-monthly 12
  fi
}

# Copies and never deletes: let the place expire old objects, and nobody who has broken into this machine delete them.
with_rclone() {
  : "${RCLONE_PLACE:?is a place of rclone, such as s3:bucket/folder}"
  rclone copy --quiet --exclude '*.part/**' /backups "$RCLONE_PLACE"
}

if [ "${2:-}" = once ]; then
  "with_$1" once
  exit
fi
while :; do
  "with_$1" || echo "The copy to the second place failed. The next try is in ten minutes." >&2
  sleep 600 &
  trap 'kill $!; exit 0' TERM INT
  wait $!
done
