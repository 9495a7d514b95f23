#!/bin/sh
# Makes the certificate of one node, and with the first one the authority that vouches for all of them: certificates.sh NODE ADDRESS HOST,
# where HOST is DATABASE_SERVER_NAME of the programs. Run it on a machine that is none of the nodes, always in the same folder: ca.key, the
# authority's key, stays there. NODE.pem and NODE.key become node.pem and node.key of the node (docs/operating.md, "Several machines").
set -eu
[ $# -eq 3 ] || { echo 'Usage: certificates.sh NODE ADDRESS HOST' >&2; exit 2; }
node=$1 address=$2 host=$3
umask 077
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'

# Patroni's Python refuses an authority whose certificate does not say what its key is for.
[ -e ca.key ] || openssl req -x509 -new $key -days 3650 -subj '/CN=Athos database' \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
  -keyout ca.key -out ca.pem
openssl req -x509 -new $key -days 825 -CA ca.pem -CAkey ca.key -subj "/CN=$node" \
  -addext 'basicConstraints=critical,CA:FALSE' -addext 'extendedKeyUsage=serverAuth,clientAuth' \
  -addext "subjectAltName=DNS:$host,DNS:localhost,IP:$address,IP:127.0.0.1" \
  -keyout "$node.key" -out "$node.pem"
# Only the keys are secret: Patroni and HAProxy read the certificates as users of their own.
chmod 644 ca.pem "$node.pem"
openssl verify -x509_strict -CAfile ca.pem "$node.pem"
