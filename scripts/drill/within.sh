#!/bin/sh
# within.sh ROOT PROJECT NODE COMMAND…: runs a command in a file system with PostgreSQL and pgBackRest, where it leaves only empty folders. The
# folders PROJECT and NODE are visible there under their own paths.
set -e
root=$1
project=$2
node=$3
shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
for folder in tmp run var/tmp var/lib/athos var/lib/pgbackrest var/log/pgbackrest var/spool/pgbackrest; do
  mkdir -p "$root/$folder"
  mount -t tmpfs -o mode=1777 tmpfs "$root/$folder"
done
# After the empty folders: the project may lie in one of them.
for folder in "$project" "$node"; do
  mkdir -p "$root$folder"
  mount --rbind "$folder" "$root$folder"
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
# The shell is kept: its end ends the namespace, and with it every server.
chroot "$root" sh -c 'cd "$0" && "$@"' "$project" "$@"
