#!/bin/sh
# Written by `candor host s3`. The next build replaces it.
#
#   sh upload.sh BUCKET [FOLDER]
#
# Siblings (.br, .gz, .zst) stay here: CloudFront compresses by itself.
set -eu
bucket=${1:?say which bucket: sh upload.sh BUCKET}
built='{PUBLIC}'
public=${2:-$built}

all() { # TYPE FILTER...: all documents of an extension, but those that follow by themselves
    type=$1
    shift
    aws s3 sync "$public" "s3://$bucket" --delete --content-type "$type" --cache-control '{CACHE}' --exclude '*' "$@"
}
one() { # FILE TYPE
    aws s3 cp "$public/$1" "s3://$bucket/$1" --content-type "$2" --cache-control '{CACHE}'
}

