"""The glyphs of a Bengali font that modern Bangla needs, one name per line: those which HarfBuzz
shows for every consonant and every conjunct of a list, with each vowel sign and mark. A subset by
code points alone would keep the font's hundreds of conjuncts of Sanskrit; one that is left out is
written with a visible hasanta instead.

Usage: bengali-glyphs.py FONT CONJUNCTS
"""

import sys

import uharfbuzz as hb
from fontTools.ttLib import TTFont

HASANTA, ZWNJ, ZWJ = "\u09cd", "\u200c", "\u200d"
CONSONANTS = "ক খ গ ঘ ঙ চ ছ জ ঝ ঞ ট ঠ ড ঢ ণ ত থ দ ধ ন প ফ ব ভ ম য র ল শ ষ স হ ড় ঢ় য়".split()
SIGNS = ["", *"া ি ী ু ূ ৃ ে ৈ ো ৌ".split(), HASANTA]
MARKS = ["", "ঁ", "ং", "ঃ"]
ALONE = [*"০১২৩৪৫৬৭৮৯।॥", "অ্যা", "এ্যা", f"ক{ZWNJ}", f"ক{HASANTA}{ZWNJ}ত", f"র{ZWJ}{HASANTA}যা"]


def syllables(conjuncts):
    bases = CONSONANTS + conjuncts
    below = [f"{base}{HASANTA}য" for base in bases]
    above = [f"র{HASANTA}{base}" for base in bases + below]
    heads = bases + below + above
    yield from (head + sign + mark for head in heads for sign in SIGNS for mark in MARKS)
    yield from (vowel + mark for vowel in "অআইঈউঊঋএঐওঔৎ" for mark in MARKS)
    yield from ALONE


def shown(path, texts):
    font = hb.Font(hb.Face(hb.Blob.from_file_path(path)))
    names = TTFont(path).getGlyphOrder()
    for text in texts:
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(font, buffer)
        yield from (names[glyph.codepoint] for glyph in buffer.glyph_infos)


def substitutions(font):
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            table = getattr(table, "ExtSubTable", table)
            match type(table).__name__:
                case "SingleSubst":
                    yield from (((one,), (other,)) for one, other in table.mapping.items())
                case "MultipleSubst":
                    yield from (((one,), tuple(others)) for one, others in table.mapping.items())
                case "LigatureSubst":
                    for first, ligatures in table.ligatures.items():
                        for ligature in ligatures:
                            yield (first, *ligature.Component), (ligature.LigGlyph,)


# What the wanted glyphs are made from, step by step.
def with_sources(font, wanted):
    letters = set(font.getBestCmap().values())
    rules = list(substitutions(font))
    while True:
        made = wanted - letters
        sources = {one for ins, outs in rules if made & set(outs) for one in ins}
        if sources <= wanted:
            return wanted
        wanted = wanted | sources


def main(path, list_path):
    with open(list_path, encoding="utf-8") as file:
        texts = list(syllables(file.read().split()))
    # At the start of a word, and within one.
    wanted = {".notdef", *shown(path, texts), *shown(path, [f"ক{text}" for text in texts])}
    print(*sorted(with_sources(TTFont(path), wanted)), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
