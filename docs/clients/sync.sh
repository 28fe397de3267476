#!/bin/sh
# Keeps a copy of a site's reviews up to date: sh sync.sh https://reviews.example.com copy.json
# Needs jq 1.6, curl 7.84 and openssl.
set -eu
site=$1 copy=$2
work=$(mktemp -d "$copy.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -f "$copy" ] || echo '{"changes_etag":"","parts_etag":"","removed":[],"parts":[]}' >"$copy"

get() { # PATH FILE OPTIONS…
    path=$1 file=$2
    shift 2
    curl --fail --silent --show-error --location --compressed --max-time 600 --output "$file" "$@" "$site/$path"
}

# Fetches a document with the ETag of the copy, or its date if the server has no ETags. Fails if the document still has
# it, or if there is no parts.json.
changed() { # changes|parts DOCUMENT
    etag=$(jq -r ".$1_etag" "$copy")
    case $etag in *\"*) condition=If-None-Match ;; *) condition=If-Modified-Since ;; esac
    get "$2" "$work/$1.json" --header "$condition: $etag" \
        --write-out '%{http_code}\n%header{etag}\n%header{last-modified}\n' >"$work/head" 2>"$work/fault" ||
        { [ "$2 $(head -n 1 "$work/head")" = "parts.json 404" ] && return 1; } || { cat "$work/fault" >&2 && exit 1; }
    etag=$(sed -n '2,3{/./{p;q;};}' "$work/head")
    [ "$(head -n 1 "$work/head")" != 304 ]
}

# Stores the reviews that are not withdrawn, and prints what is different. A part without one of its reviews is
# fetched again: the review may be published again.
save() { # JQ-PROGRAM FILE
    jq -c --arg etag "$etag" --slurpfile document "$2" "$1"'
        | (.removed | map({(.): true}) | add // {}) as $removed
        | .parts |= map((.reviews | map(select($removed[.id] | not))) as $kept
            | if ($kept | length) < (.reviews | length) then .integrity = "" else . end | .reviews = $kept)
        ' "$copy" >"$work/new.json"
    # A program with tables of its own changes them here.
    jq -rn --slurpfile old "$copy" --slurpfile new "$work/new.json" '
        INDEX($old[0].parts[].reviews[]; .id) as $old | INDEX($new[0].parts[].reviews[]; .id) as $new
        | ($new | to_entries[] | select($old[.key] != .value)
            | (if $old[.key] then "changed" else "added" end) + " " + .key),
        ($old | keys[] | select($new[.] == null) | "removed " + .)'
    mv "$work/new.json" "$copy"
}

# After a change, parts.json is fetched without a condition.
if changed changes changes.json; then
    save '.changes_etag = $etag | .parts_etag = "" | .removed =
        [$document[0].changes[] | select(.change == "removed").id]' "$work/changes.json"
fi
if changed parts parts.json; then
    # The parts that the copy lacks, each checked: a cache may have an old one.
    jq -r --slurpfile copy "$copy" '([$copy[0].parts[] | {(.path + .integrity): true}] | add // {}) as $known
        | .parts[] | select($known[.path + .integrity] | not) | .path + " " + .integrity' "$work/parts.json" >"$work/lacking"
    : >"$work/fetched"
    while read -r path integrity; do
        get "$path" "$work/part"
        if [ "sha256-$(openssl dgst -sha256 -binary "$work/part" | openssl base64)" != "$integrity" ]; then
            echo "$path is not the one that parts.json lists; the next run fetches it" >&2
            exit 1
        fi
        jq -c --arg path "$path" --arg integrity "$integrity" '{$path, $integrity, reviews}' "$work/part" >>"$work/fetched"
    done <"$work/lacking"
    jq -c --slurpfile fetched "$work/fetched" '{document: ., $fetched}' "$work/parts.json" >"$work/list.json"
    save '.parts_etag = $etag | INDEX(.parts[], $document[0].fetched[]; .path + .integrity) as $known
        | .parts = [$document[0].document.parts[] | $known[.path + .integrity]]' "$work/list.json"
elif [ "$(head -n 1 "$work/head")" = 404 ] && changed parts reviews.json; then
    # The site has no parts: its reviews are one.
    save '.parts_etag = $etag | .parts = [{path: "reviews.json", integrity: "", reviews: $document[0].reviews}]' \
        "$work/parts.json"
fi
