"""Labels and prints of the house brand Mirrisel, drawn with Pillow."""
import os
from PIL import Image, ImageDraw
from textures import TEX, font

def rgb(color):
    c = color.lstrip('#'); return tuple(int(c[i:i+2], 16) for i in (0, 2, 4))

def tracked(d, words, x, y, face, fill, gap, align):
    """One line of text with letter-spacing in pixels; x is its left end or its middle."""
    widths = [d.textlength(c, font=face) for c in words]
    if align == 'middle': x -= (sum(widths) + gap*(len(words)-1))/2
    for c, w in zip(words, widths):
        d.text((x, y), c, font=face, fill=fill, anchor='lm'); x += w + gap

def label(name, width, height, lines, ink='#26241f', ground=None, rules=(), bars=(), ppc=260):
    """Picture of width × height cm. lines: (words, x, y, size, weight, align, tracking) in cm from the top left;
    rules: (x0, x1, y); bars: (x0, y0, x1, y1, colour). Without a ground the picture is transparent."""
    im = Image.new('RGBA', (round(width*ppc), round(height*ppc)), (*rgb(ground or ink), 255 if ground else 0))
    d = ImageDraw.Draw(im)
    for x0, y0, x1, y1, colour in bars: d.rectangle([v*ppc for v in (x0, y0, x1, y1)], fill=(*rgb(colour), 255))
    for words, x, y, size, weight, align, gap in lines:
        tracked(d, words, x*ppc, y*ppc, font(size*ppc, weight), (*rgb(ink), 255), gap*size*ppc, align)
    for x0, x1, y in rules: d.line((x0*ppc, y*ppc, x1*ppc, y*ppc), fill=(*rgb(ink), 255), width=max(3, round(.012*ppc)))
    path = os.path.join(TEX, f'label_{name}.png'); im.save(path)
    return path

def mirrisel(name, width, height, title, kind, amount, ink='#26241f', ground=None, band=None, k=1., margin=.09):
    """The brand's label: mark at the top, the name in large light letters, what it is and how much at the bottom.
    k scales the letters; `band` is a strip of colour along the top edge; `margin` a part of the width."""
    m = margin*width; bottom = height - .36*k; top = .42*k + (.06*height if band else 0)
    lines = [('Mirrisel', m, top, .36*k, 'SemiBold', 'left', .01), (amount, m, bottom, .22*k, 'Medium', 'left', .02)]
    lines += [(part, m, top + (.75 + .62*i)*k, .60*k, 'Light', 'left', -.02) for i, part in enumerate(title)]
    lines += [(part, m, bottom - (.12 + .30*(len(kind)-i))*k, .22*k, 'Regular', 'left', .01) for i, part in enumerate(kind)]
    bars = [(0, 0, width, .06*height, band)] if band else []
    return label(name, width, height, lines, ink, ground, bars=bars)
