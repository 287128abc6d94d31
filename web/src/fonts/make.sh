#!/usr/bin/env bash
# How the three files beside this one were made; run it again to change what they hold.
# The packaged faces are 85 KB together; the shop sets headings in one optical size and
# a few weights, so these cuts are 60 KB. All three are under the SIL Open Font License 1.1.
# Needs npm, and python3 with fonttools and brotli.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$(mktemp -d)"
unpack() { mkdir "$2" && tar xzf "$(npm pack --silent "$1")" -C "$2" --strip-components=1; }
unpack @fontsource-variable/fraunces@5.3.0 fraunces
unpack @fontsource-variable/inter@5.3.0 inter
unpack @fontsource/noto-sans-bengali@5.3.0 bengali

latin='U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+20AC,U+2122,U+2212'

fonttools varLib.instancer fraunces/files/fraunces-latin-full-normal.woff2 \
  opsz=72 SOFT=0 WONK=0 wght=400:600 -o fraunces.ttf
pyftsubset fraunces.ttf --unicodes="$latin" --layout-features=kern,liga,ccmp,mark \
  --flavor=woff2 --output-file="$here/fraunces.woff2"

fonttools varLib.instancer inter/files/inter-latin-wght-normal.woff2 wght=400:700 -o inter.ttf
pyftsubset inter.ttf --unicodes='*' --layout-features=kern,calt,tnum,locl,ccmp,case \
  --flavor=woff2 --output-file="$here/inter.woff2"

# Only the taka sign.
pyftsubset bengali/files/noto-sans-bengali-bengali-500-normal.woff2 --unicodes=U+09F3 \
  --layout-features='' --flavor=woff2 --output-file="$here/taka.woff2"
