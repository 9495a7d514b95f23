#!/bin/sh
# run.sh ROOT USER COMMAND…: runs a command in the image's file system, which is read-only but for /tmp and /var/lib/athos.
set -e
root=$1
user=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -o remount,ro,bind "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs -o uid=10001,gid=10001 tmpfs "$root/var/lib/athos"
# This shell stays: its end ends the namespace, and whoever changes users outlives a parent.
chroot --userspec="$user" "$root" sh -c 'cd /opt/athos && exec "$@"' sh "$@"
exit $?
