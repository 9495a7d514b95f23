#!/bin/sh
# run.sh ROOT USER COMMAND…: runs a command in the image's file system, which is read-only except for /tmp and /var/lib/athos.
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
# The shell is kept: its end ends the namespace. A process that changes its user would survive its parent.
chroot --userspec="$user" "$root" sh -c 'cd /opt/athos && exec "$@"' sh "$@"
exit $?
