# What the scripts of this folder have in common. Each of them reads it first. The texts of --help are their first comments.
set -eu

DEPLOY=$(cd "$(dirname "$0")/.." && pwd)
SECRETS=$DEPLOY/secrets
BACKUPS=$DEPLOY/backups
SETTINGS=$DEPLOY/.env
ROLE=health_records

if [ "${1:-}" = --help ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
  exit 0
fi

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

wrong_use() {
  printf '%s See --help.\n' "$*" >&2
  exit 2
}

compose() { docker compose --file "$DEPLOY/compose.yaml" --project-directory "$DEPLOY" "$@"; }

# Runs a command of the operator in a new container. Nothing else is started.
ops() { compose run --rm --no-deps -T ops "$@"; }

# The same on another database of the server.
ops_on() {
  database=$1
  shift
  write_secret other-url "$(url_of "$database")"
  status=0
  compose run --rm --no-deps -T --volume "$SECRETS/other-url:/run/secrets/other-url:ro" \
    --env DATABASE_URL_FILE=/run/secrets/other-url ops "$@" || status=$?
  rm -f "$SECRETS/other-url"
  return "$status"
}

# Runs SQL of the standard input on a database as the superuser, and prints bare values. No secret is an argument: every
# user of the machine could read it.
sql() {
  compose exec -T database psql --username=postgres --dbname="$1" --no-psqlrc --quiet --tuples-only \
    --no-align --set=ON_ERROR_STOP=1
}

setting() { sed -n "s/^$1=//p" "$SETTINGS" 2>/dev/null | tail -n 1; }

# Writes a setting into deploy/.env. The other lines stay as they are.
set_setting() {
  touch "$SETTINGS"
  { sed "/^$1=/d" "$SETTINGS" && printf '%s=%s\n' "$1" "$2"; } >"$SETTINGS.new"
  mv "$SETTINGS.new" "$SETTINGS"
}

write_secret() {
  printf %s "$2" >"$SECRETS/$1.new"
  # Users of containers have other ids; the folder is closed.
  chmod 644 "$SECRETS/$1.new"
  mv "$SECRETS/$1.new" "$SECRETS/$1"
}

# Secrets that are missing get random values. Those that exist are never overwritten.
make_secrets() {
  for secret in jwt-secret decoy-secret second-step-secret vapid-private-key postgres-password service-password restic-password; do
    [ -s "$SECRETS/$secret" ] || write_secret "$secret" "$(head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n')"
  done
  for secret in second-place.env smtp-url; do [ -e "$SECRETS/$secret" ] || write_secret "$secret" ''; done
}

url_of() { printf 'postgres://%s:%s@database:5432/%s' "$ROLE" "$(cat "$SECRETS/service-password")" "$1"; }

# The database of the service.
current_database() { sed 's:.*/::' "$SECRETS/database-url"; }

# The major version that compose.yaml names.
major_of_release() { sed -n 's/^ *image: postgres:\([0-9]*\).*/\1/p' "$DEPLOY/compose.yaml"; }

need_installation() {
  [ -s "$SECRETS/database-url" ] || fail "Nothing is installed here: run deploy/compose/up first."
  [ "$(setting POSTGRES_MAJOR)" = "$(major_of_release)" ] ||
    fail "The database is of another PostgreSQL than this release: run deploy/compose/upgrade-postgres first."
}

# The service's own role, and an empty database that it owns. Both may exist. The role is no superuser.
prepare_database() {
  sql postgres <<END
SELECT 'CREATE ROLE $ROLE' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '$ROLE') \\gexec
ALTER ROLE $ROLE LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '$(cat "$SECRETS/service-password")';
SELECT 'CREATE DATABASE $1 OWNER $ROLE' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '$1') \\gexec
REVOKE ALL ON DATABASE $1 FROM PUBLIC;
END
}

drop_database() {
  say "DROP DATABASE IF EXISTS $1 WITH (FORCE);" | sql postgres
}

# Of the complete backups in a folder the newest one; its name is its time.
newest_in() {
  for manifest in "$1"/2*Z/manifest.json; do
    [ -f "$manifest" ] && basename "$(dirname "$manifest")"
  done | sort | tail -n 1
}

# How many hours ago a backup was made.
age_in_hours() {
  day=${1%T*}
  time=${1#*T}
  made=$(date -u -d "$day $(say "${time%Z}" | tr - :)" +%s)
  say $((($(date +%s) - made) / 3600))
}

# Loads a backup into a new database, with the newest list of erasures, and checks it.
load_into() {
  erasures=$(newest_in "$BACKUPS/erasures")
  # The command ends with a check of everything, and fails if that finds a contradiction.
  prepare_database "$1" && ops_on "$1" restore "/backups/$2" ${erasures:+--erasures "/backups/erasures/$erasures"} --yes
}

confirm() {
  [ -z "${yes:-}" ] || return 0
  [ -t 0 ] || wrong_use "$1 Nothing was done: add --yes."
  printf '%s Type "yes" to go on: ' "$1" >&2
  read -r answer
  [ "$answer" = yes ] || fail "Nothing was done."
}
