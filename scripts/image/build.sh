#!/bin/sh
# build.sh COMMIT VERSION: runs in the tools' file system. Builds the image of /build/release on the base in /build/base, and mounts it.
set -e
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot HOME=/root
alias buildah='buildah --root /build/store --runroot /build/runroot'
base=$(buildah from scratch)
buildah add --quiet "$base" /build/base /
buildah commit --quiet "$base" localhost/athos-base >&2
buildah build --quiet --pull=never --network=host --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --build-arg BASE=localhost/athos-base --build-arg COMMIT="$1" \
  --build-arg VERSION="$2" --tag athos-wallet -f /build/release/deploy/image/Containerfile /build/release >&2
buildah inspect --type image athos-wallet > /build/image.json
buildah mount "$(buildah from --pull=never athos-wallet)"
