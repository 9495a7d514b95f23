#!/bin/sh
# within.sh TOOLS WORK COMMAND…: runs a command in the tools' file system, with WORK at /build, in namespaces that end with it.
set -e
tools=$1
work=$2
shift 2
mount --make-rprivate /
# buildah changes how its root is mounted, so the root must be a mount.
mount --bind "$tools" "$tools"
mount -t proc proc "$tools/proc"
mount --rbind /dev "$tools/dev"
mount --rbind /sys "$tools/sys"
mkdir -p "$tools/build"
mount --bind "$work" "$tools/build"
mount --bind /etc/resolv.conf "$tools/etc/resolv.conf"
exec chroot "$tools" "$@"
