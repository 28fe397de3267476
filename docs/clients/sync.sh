#!/bin/sh
# Keeps a copy of a site's reviews up to date: sh sync.sh https://reviews.example.com copy.json
# Needs jq 1.6 and curl 7.84.
set -eu
site=$1 copy=$2
work=$(mktemp -d "$copy.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -f "$copy" ] || echo '{"changes_etag":"","reviews_etag":"","removed":[],"reviews":[]}' >"$copy"

# Fetches a document with the ETag of the copy. Fails if the document still has the ETag.
changed() { # changes|reviews
    etag=$(jq -r ".$1_etag" "$copy")
    answer=$(curl --fail --silent --show-error --location --compressed --max-time 600 \
        --header "If-None-Match: $etag" --output "$work/$1.json" \
        --write-out '%{http_code} %header{etag}' "$site/$1.json") || exit
    [ "${answer%% *}" != 304 ] && etag=${answer#* }
}

# Stores the reviews that are not withdrawn, and prints what is different.
save() { # JQ-PROGRAM FILE
    jq -c --arg etag "$etag" --slurpfile document "$2" "$1"'
        | (.removed | map({(.): true}) | add // {}) as $removed
        | .reviews |= map(select($removed[.id] | not))' "$copy" >"$work/new.json"
    # A program with tables of its own changes them here.
    jq -rn --slurpfile old "$copy" --slurpfile new "$work/new.json" '
        INDEX($old[0].reviews[]; .id) as $old | INDEX($new[0].reviews[]; .id) as $new
        | ($new | to_entries[] | select($old[.key] != .value)
            | (if $old[.key] then "changed" else "added" end) + " " + .key),
        ($old | keys[] | select($new[.] == null) | "removed " + .)'
    mv "$work/new.json" "$copy"
}

# After a change, reviews.json is fetched without a condition.
if changed changes; then
    save '.changes_etag = $etag | .reviews_etag = "" | .removed =
        [$document[0].changes[] | select(.change == "removed").id]' "$work/changes.json"
fi
if changed reviews; then
    save '.reviews_etag = $etag | .reviews = $document[0].reviews' "$work/reviews.json"
fi
