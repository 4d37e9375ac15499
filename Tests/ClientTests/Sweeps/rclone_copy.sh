#!/bin/sh
# rclone copyto with its defaults, of $1 bytes to the key $2; above 5 MiB in parts of 5 MiB.
set -eu
# This rclone refuses the variable, even where nothing is encrypted.
unset AWS_CA_BUNDLE
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
head -c "$1" /dev/zero > "$folder/file"
touch -d 2026-03-14T15:09:26Z "$folder/file"
export RCLONE_CONFIG="$folder/rclone.conf"
export RCLONE_CONFIG_SHOAL_TYPE=s3 RCLONE_CONFIG_SHOAL_PROVIDER=Other
export RCLONE_CONFIG_SHOAL_ENDPOINT="$SHOAL_ENDPOINT" RCLONE_CONFIG_SHOAL_ENV_AUTH=true
: > "$RCLONE_CONFIG"
# Into a bucket that rclone makes: it says `private` of everything, which S3 takes only there.
rclone copyto --s3-upload-cutoff 5M --s3-chunk-size 5M \
    "$folder/file" "shoal:rclone-makes-this/$2"
