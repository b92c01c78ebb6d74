#!/bin/sh
# Builds the Dockerfile without a daemon and without a registry of images, as root on Debian. It installs podman, runc and
# debootstrap where they are missing:
#
#   build-image.sh <folder> <Node for Linux> <name of the image>
#
# Another base stands in for the image of Node: the Debian that the Dockerfile names, with the Node that it names, npm, and the
# user "node". Each instruction of the Dockerfile is run as it is. `<folder>/podman` then is podman with its store there.
set -eu
ROOT=$(cd "$(dirname "$0")/../.." && pwd)

# Says why there can be no image here, and ends.
never() {
  echo "The image cannot be built here: $1. Run 'npm run test:covered -- image' as root on a Debian, and commit what it writes down." >&2
  exit 1
}
[ "$(id -u)" -eq 0 ] || never 'that needs root'
missing=''
for each in podman runc debootstrap; do command -v "$each" >/dev/null || missing="$missing $each"; done
# Words, as the packages are named.
# shellcheck disable=SC2086
if [ -n "$missing" ] && ! { apt-get update && apt-get install -y --no-install-recommends $missing; } >/dev/null; then
  never "there is no$missing, and apt-get could not install it"
fi

FOLDER=$1 NODE=$2 NAME=$3
BASE=localhost/base

# runc knows cgroups of both kinds.
cat >"$FOLDER/podman" <<END
#!/bin/sh
exec podman --root "$FOLDER/store" --runroot "$FOLDER/run" --runtime runc --cgroup-manager cgroupfs --events-backend file "\$@"
END
chmod +x "$FOLDER/podman"

from=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' "$ROOT/Dockerfile" | sort -u)
suite=$(echo "$from" | sed 's/^node:[0-9.]*-\([a-z]*\)-slim@.*/\1/')

base=$FOLDER/base
# Node needs libatomic1.
debootstrap --variant=minbase --include=libatomic1 "$suite" "$base"
chroot "$base" useradd --create-home --uid 1000 node
cp "$NODE" "$base/usr/local/bin/node"
mkdir -p "$base/usr/local/lib/node_modules"
cp -R "$(npm root --global)/npm" "$base/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$base/usr/local/bin/npx"
set --
# A machine behind a proxy of its own has its certificates.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  cp "$NODE_EXTRA_CA_CERTS" "$base/usr/local/share/ca.crt"
  set -- --change 'ENV NODE_EXTRA_CA_CERTS=/usr/local/share/ca.crt'
fi
tar --directory "$base" --create . | "$FOLDER/podman" import "$@" - "$BASE"
rm -rf "$base"

sed "s#^FROM $from#FROM $BASE#" "$ROOT/Dockerfile" >"$FOLDER/Dockerfile"
# Where packages come from is a matter of this machine, as with every npm.
npmrc=$(npm config get userconfig)
if [ -f "$npmrc" ]; then set -- --volume "$npmrc:/root/.npmrc:ro"; else set --; fi
# npm opens more files at once than the 1,024 that are usual, where the disk is slow.
"$FOLDER/podman" build --ulimit "nofile=$(ulimit -Hn)" --layers=false --isolation chroot --network host --pull-never --format docker "$@" --file "$FOLDER/Dockerfile" \
  --tag "$NAME" "$ROOT"
