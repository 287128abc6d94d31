#!/usr/bin/env bash
# Shapes the words in the first column of bengali-shaping.txt with HarfBuzz's own tool again, and writes the glyphs of
# both fonts beside them: glyph=byte@x,y+advance. Run it after a change of the fonts or the words. Needs hb-shape
# (Debian: libharfbuzz-bin).
set -euo pipefail
cd "$(dirname "$0")"
words=$(cut -f1 bengali-shaping.txt)
shape() {
  LC_ALL=C.UTF-8 hb-shape --no-glyph-names --utf8-clusters --language=und --font-file="../fonts/$1" <<< "$words"
}
paste <(echo "$words") <(shape bengali-regular.ttf) <(shape bengali-semibold.ttf) > bengali-shaping.txt.new
mv bengali-shaping.txt.new bengali-shaping.txt
