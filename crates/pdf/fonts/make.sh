#!/usr/bin/env bash
# Creates the font subsets in this directory; run it again after a change. They contain the Latin,
# Greek and Cyrillic characters with accents, and Bengali with the taka sign. All are under the SIL
# Open Font License 1.1 (OFL.txt). Needs npm, and python3 with fonttools.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$(mktemp -d)"
unpack() { mkdir "$2" && tar xzf "$(npm pack --silent "$1")" -C "$2" --strip-components=1; }
unpack @expo-google-fonts/inter@0.4.2 inter
unpack @expo-google-fonts/fraunces@0.4.1 fraunces
unpack @expo-google-fonts/noto-sans-bengali@0.4.4 bengali

letters='U+0020-007E,U+00A0-024F,U+0259,U+02B0-02FF,U+0300-036F,U+0370-03FF,U+0400-052F,U+1E00-1EFF'
signs='U+2000-206F,U+20A0-20BF,U+2116,U+2122,U+2190-2193,U+2212,U+2713'
pyftsubset inter/400Regular/Inter_400Regular.ttf --unicodes="$letters,$signs" --no-hinting \
  --layout-features=ccmp,locl,kern,mark,mkmk,tnum --output-file="$here/inter-regular.ttf"
pyftsubset inter/600SemiBold/Inter_600SemiBold.ttf --unicodes="$letters,$signs" --no-hinting \
  --layout-features=ccmp,locl,kern,mark,mkmk,tnum --output-file="$here/inter-semibold.ttf"
pyftsubset fraunces/600SemiBold/Fraunces_600SemiBold.ttf --no-hinting \
  --unicodes='U+0020-007E,U+00A0-024F,U+2010-2027' --layout-features=kern,ccmp,mark \
  --output-file="$here/fraunces-semibold.ttf"
bengali='U+0020,U+0964,U+0965,U+0980-09FF,U+200C,U+200D,U+25CC'
pyftsubset bengali/400Regular/NotoSansBengali_400Regular.ttf --unicodes="$bengali" --no-hinting \
  --layout-features='*' --output-file="$here/bengali-regular.ttf"
pyftsubset bengali/600SemiBold/NotoSansBengali_600SemiBold.ttf --unicodes="$bengali" --no-hinting \
  --layout-features='*' --output-file="$here/bengali-semibold.ttf"
