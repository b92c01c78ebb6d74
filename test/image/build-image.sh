#!/bin/sh
# Builds the Dockerfile without a daemon and without a registry of images, as root on Debian with buildah and debootstrap:
#
#   build-image.sh <folder for the store> <Node for Linux> <name of the image>
#
# Another base stands in for the image of Node: the Debian that the Dockerfile names, with the Node that it names, npm, and the
# user "node". Each instruction of the Dockerfile is run as it is.
set -eu
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
STORE=$1 NODE=$2 NAME=$3
BASE=localhost/base
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot

image() { buildah --root "$STORE/root" --runroot "$STORE/run" "$@"; }

from=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' "$ROOT/Dockerfile" | sort -u)
suite=$(echo "$from" | sed 's/^node:[0-9.]*-\([a-z]*\)-slim@.*/\1/')

base=$(image from scratch)
files=$(image mount "$base")
# Node needs libatomic1.
debootstrap --variant=minbase --include=libatomic1 "$suite" "$files"
chroot "$files" useradd --create-home --uid 1000 node
cp "$NODE" "$files/usr/local/bin/node"
mkdir -p "$files/usr/local/lib/node_modules"
cp -R "$(npm root --global)/npm" "$files/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$files/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$files/usr/local/bin/npx"
# A machine behind a proxy of its own has its certificates.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  cp "$NODE_EXTRA_CA_CERTS" "$files/usr/local/share/ca.crt"
  image config --env NODE_EXTRA_CA_CERTS=/usr/local/share/ca.crt "$base"
fi
image umount "$base" >/dev/null
image commit --quiet --rm "$base" "$BASE" >/dev/null

sed "s#^FROM $from#FROM $BASE#" "$ROOT/Dockerfile" >"$STORE/Dockerfile"
# Where packages come from is a matter of this machine, as with every npm.
npmrc=$(npm config get userconfig)
if [ -f "$npmrc" ]; then set -- --volume "$npmrc:/root/.npmrc:ro"; else set --; fi
image bud --network host --pull-never --format docker "$@" --file "$STORE/Dockerfile" --tag "$NAME" "$ROOT"
