#!/usr/bin/env bash
# How the fonts beside this file were made; run it again to change what they hold.
# The packaged Latin faces are 85 KB together; the shop sets headings in one optical size and
# a few weights, so these cuts are 60 KB. The two Bengali ones are 87 KB: crates/server/src/assets.rs
# preloads the fonts with the name of a script on pages in its languages only. All are under the
# SIL Open Font License 1.1.
# Needs npm, and python3 with fonttools, brotli and uharfbuzz.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$(mktemp -d)"
unpack() { mkdir "$2" && tar xzf "$(npm pack --silent "$1")" -C "$2" --strip-components=1; }
unpack @fontsource-variable/fraunces@5.3.0 fraunces
unpack @fontsource-variable/inter@5.3.0 inter
unpack @fontsource/noto-sans-bengali@5.3.0 bengali
unpack @fontsource-variable/noto-sans-bengali@5.3.0 bengali-text
unpack @fontsource/tiro-bangla@5.3.0 bengali-display

latin='U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+20AC,U+2122,U+2212'

fonttools varLib.instancer fraunces/files/fraunces-latin-full-normal.woff2 \
  opsz=72 SOFT=0 WONK=0 wght=400:600 -o fraunces.ttf
pyftsubset fraunces.ttf --unicodes="$latin" --layout-features=kern,liga,ccmp,mark \
  --flavor=woff2 --output-file="$here/fraunces.woff2"

fonttools varLib.instancer inter/files/inter-latin-wght-normal.woff2 wght=400:700 -o inter.ttf
pyftsubset inter.ttf --unicodes='*' --layout-features=kern,calt,tnum,locl,ccmp,case \
  --flavor=woff2 --output-file="$here/inter.woff2"

# Only the taka sign, and the letters of বাংলা, the link to that language on pages in others.
pyftsubset bengali/files/noto-sans-bengali-bengali-500-normal.woff2 \
  --unicodes=U+09F3,U+0982,U+09AC,U+09B2,U+09BE --layout-features='' --flavor=woff2 --output-file="$here/taka.woff2"

# Bangla: Noto Sans Bengali for text, Tiro Bangla for headings. The taka sign stays in its own file,
# so that it looks the same in every language. Fewer units per em make the outlines smaller; half a
# unit is under a tenth of a pixel at the sizes used here.
bengali='U+0964-0965,U+0981-0983,U+0985-098B,U+098F-0990,U+0993-09A8,U+09AA-09B0,U+09B2,U+09B6-09B9,U+09BC,U+09BE-09C3,U+09C7-09C8,U+09CB-09CE,U+09D7,U+09DC-09DD,U+09DF,U+09E6-09EF,U+200C-200D'
bengali_subset() {
  python3 "$here/bengali-glyphs.py" "$1" "$here/bengali-conjuncts.txt" > glyphs.txt
  fonttools ttLib.scaleUpem "$1" "$2" --output-file=scaled.ttf
  pyftsubset scaled.ttf --unicodes="$bengali" --glyphs-file=glyphs.txt --no-layout-closure \
    --layout-features='*' --no-hinting --drop-tables+=vhea,vmtx,STAT --name-IDs=0,1,13 \
    --flavor=woff2 --output-file="$here/$3"
}

fonttools varLib.instancer bengali-text/files/noto-sans-bengali-bengali-wght-normal.woff2 \
  wght=400:600 -o text.woff2
fonttools ttLib.woff2 decompress text.woff2 -o text.ttf
bengali_subset text.ttf 400 bengali-text.woff2

fonttools ttLib.woff2 decompress bengali-display/files/tiro-bangla-bengali-400-normal.woff2 \
  -o display.ttf
bengali_subset display.ttf 500 bengali-display.woff2
