"""Screens and key legends of the computers, drawn with Pillow: an own, plain interface."""
import os
import numpy as np
from PIL import Image, ImageDraw
from textures import TEX, dunes, flow, font, hexc

PAPER, INK, GREEN, MARIGOLD = (250, 248, 244), (28, 27, 25), (11, 93, 70), (240, 163, 47)
MUTED, LINE = (107, 102, 94), (226, 220, 209)


def save(picture, name):
    path = os.path.join(TEX, name + '.png')
    picture.convert('RGBA' if picture.mode == 'RGBA' else 'RGB').save(path)
    return path


def hills(name, w, h, seed=5, warm=False):
    """Wallpaper: layered paper hills."""
    if warm:
        return dunes(name, w, h, ('#f6e6cc', '#f2cf9a', '#e9b46a'), ('#d99a5b', '#b9744c', '#8a5344', '#57403f', '#2e2a30'), seed)
    return dunes(name, w, h, ('#f3ead6', '#cfe0d2', '#8fbfae'), ('#6fa893', '#3f8570', '#1f6753', '#11503f', '#0a3a2e'), seed)


TALE = (
    'We left the harbour before the boats came in. The path follows the shingle for an hour and then climbs, without warning, into heather.',
    'From the top you see the whole bay at once: the two lighthouses, the ferry drawing its white line, and behind us the town, already small.',
    'Nobody spoke much. The wind did the talking, and the dog ran ahead as if she had been here before and was late for something.',
    'By noon the cloud had lifted off the hills. We ate our bread on a flat stone and agreed that it was the best table in the county.',
    'The way down is longer than it looks. There is a gate, a field with sheep in it, a second gate, and then the sea again, much closer.')


def paragraph(d, x, y, w, first, count, size, fill, gap=1.55):
    """Some sentences of the tale set flush left as one paragraph; returns where the next line would begin."""
    f, row = font(size, 'Regular'), ''
    for word in ' '.join(TALE[(first+i) % len(TALE)] for i in range(count)).split():
        if row and d.textlength(row+' '+word, font=f) > w:
            d.text((x, y), row, font=f, fill=fill)
            row, y = '', y+size*gap
        row = (row+' '+word).strip()
    d.text((x, y), row, font=f, fill=fill)
    return y+size*gap


def window(d, box, bar=54, title='', dark=False):
    """A window with a plain title bar; its one button is a short line on the right."""
    x0, y0, x1, y1 = box
    ground, rule, ink = ((34, 34, 36), (58, 58, 60), (220, 218, 214)) if dark else (PAPER, LINE, INK)
    d.rounded_rectangle((x0+4, y0+12, x1+4, y1+16), 18, fill=(0, 0, 0, 50))
    d.rounded_rectangle(box, 16, fill=(*ground, 255))
    d.line((x0, y0+bar, x1, y0+bar), fill=(*rule, 255), width=2)
    d.text((x0+28, y0+bar/2), title, font=font(bar*.44, 'SemiBold'), fill=(*ink, 255), anchor='lm')
    d.rounded_rectangle((x1-58, y0+bar/2-3, x1-30, y0+bar/2+3), 3, fill=(*ink, 120))


def letter(d, box, first, title, bar=54):
    """A written page inside a window."""
    x0, y0, x1, y1 = box
    window(d, box, bar, 'Notes')
    pad = (x1-x0)*.11
    d.text((x0+pad, y0+bar+70), title, font=font(58, 'SemiBold'), fill=(*INK, 255))
    y = y0+bar+175
    while y < y1-330:
        y = paragraph(d, x0+pad, y, x1-x0-2*pad, first, 1, 32, (*MUTED, 255))+30
        first += 1


def status(d, w, h, scale=1., ink=(255, 255, 255)):
    """Clock and date in the lower left corner."""
    d.text((60*scale, h-70*scale), '10:24', font=font(110*scale, 'SemiBold'), fill=(*ink, 240), anchor='ls')
    d.text((66*scale, h-205*scale), 'Thursday 3 October', font=font(36*scale, 'Medium'), fill=(*ink, 215), anchor='ls')


def desk(name, w, h, warm=False):
    """A desk with a page of notes and a small calendar."""
    picture = Image.open(hills(name + '_wall', w, h, warm=warm)).convert('RGBA')
    over = Image.new('RGBA', (w, h), (0, 0, 0, 0))
    d = ImageDraw.Draw(over)
    letter(d, (int(w*.44), int(h*.10), int(w*.93), int(h*.86)), 3, 'Plan for the week')
    month(d, (int(w*.07), int(h*.14), int(w*.37), int(h*.56)))
    status(d, w, h)
    return save(Image.alpha_composite(picture, over), name)


def month(d, box):
    x0, y0, x1, y1 = box
    window(d, box, 54, 'October')
    cw, ch = (x1-x0-60)/7, (y1-y0-90)/5
    for i in range(31):
        k = i+2
        cx, cy = x0+30+cw*(k % 7+.5), y0+72+ch*(k//7+.5)
        if i == 2:
            d.ellipse((cx-30, cy-30, cx+30, cy+30), fill=(*GREEN, 255))
        d.text((cx, cy), str(i+1), font=font(30, 'Medium'), fill=(255, 255, 255, 255) if i == 2 else (*INK, 230), anchor='mm')


def grading(name, w=2400, h=1500):
    """A colour workshop: a large picture, curves beside it, a timeline below."""
    picture = Image.new('RGBA', (w, h), (24, 24, 26, 255))
    d = ImageDraw.Draw(picture, 'RGBA')
    still = Image.open(hills('still', 1500, 860, 11, warm=True)).convert('RGBA')
    picture.paste(still.resize((1560, 894)), (70, 90))
    panel = (1690, 90, w-60, 984)
    d.rounded_rectangle(panel, 18, fill=(36, 36, 39, 255))
    curves(d, (1730, 130, w-100, 560))
    for i, (value, colour) in enumerate(((.62, '#f0a32f'), (.44, '#4fbf9a'), (.71, '#8fa9d8'), (.35, '#d9d5cd'))):
        y = 640+i*80
        d.rounded_rectangle((1740, y, w-110, y+8), 4, fill=(70, 70, 74, 255))
        x = 1740+(w-110-1740)*value
        d.rounded_rectangle((1740, y, x, y+8), 4, fill=tuple(int(c) for c in hexc(colour))+(255,))
        d.ellipse((x-17, y-13, x+17, y+21), fill=(236, 234, 230, 255))
    tracks(d, 70, 1050, w-130, h)
    d.text((70, 44), 'Harbour, reel 2', font=font(34, 'SemiBold'), fill=(226, 224, 219, 255), anchor='lm')
    d.text((w-60, 44), '00:01:42:08', font=font(34, 'Medium'), fill=(240, 163, 47, 255), anchor='rm')
    return save(picture, name)


def curves(d, box):
    x0, y0, x1, y1 = box
    for k in range(1, 4):
        d.line((x0+(x1-x0)*k/4, y0, x0+(x1-x0)*k/4, y1), fill=(62, 62, 66, 255), width=2)
        d.line((x0, y0+(y1-y0)*k/4, x1, y0+(y1-y0)*k/4), fill=(62, 62, 66, 255), width=2)
    t = np.linspace(0, 1, 80)
    for colour, bend in (((240, 120, 90), .10), ((95, 195, 140), .02), ((110, 150, 235), -.09), ((235, 233, 228), .05)):
        y = np.clip(t+bend*np.sin(2*np.pi*t)*-1+bend*.8*np.sin(np.pi*t), 0, 1)
        d.line([(x0+(x1-x0)*a, y1-(y1-y0)*b) for a, b in zip(t, y)], fill=(*colour, 255), width=5)


def tracks(d, x, y, length, h):
    rng = np.random.default_rng(2)
    for row, colour in enumerate(('#c98a4a', '#5d7f74', '#6c7fa0')):
        top, at = y+row*128, x
        while at < x+length-60:
            wide = min(rng.uniform(160, 460), x+length-at)
            r, g, b = (int(c) for c in hexc(colour))
            d.rounded_rectangle((at, top, at+wide-8, top+108), 10, fill=(r, g, b, 255))
            for k in np.arange(at+14, at+wide-22, 9):
                a = 36*rng.random()
                d.line((k, top+54-a, k, top+54+a), fill=(255, 255, 255, 70), width=4)
            at += wide
    head = x+length*.41
    d.line((head, y-24, head, h-40), fill=(250, 248, 244, 255), width=4)
    d.polygon([(head-16, y-34), (head+16, y-34), (head, y-8)], fill=(250, 248, 244, 255))


def reading(name, w=1640, h=2360):
    """A page of an illustrated book, in the warm reading mode."""
    picture = Image.new('RGB', (w, h), (247, 239, 222))
    plate = Image.open(hills('plate', 1320, 880, 8)).convert('RGB')
    mask = Image.new('L', plate.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, 1319, 879), 24, fill=255)
    picture.paste(plate, (160, 200), mask)
    d = ImageDraw.Draw(picture)
    d.text((160, 100), 'The Long Shore', font=font(44, 'Medium'), fill=(120, 104, 80), anchor='lm')
    d.text((w-160, 100), '48', font=font(44, 'Medium'), fill=(120, 104, 80), anchor='rm')
    d.text((160, 1180), 'Walking north', font=font(118, 'SemiBold'), fill=(56, 46, 34))
    y = 1370
    for first in (0, 2):
        y = paragraph(d, 160, y, 1320, first, 2, 50, (84, 72, 54), 1.45)+44
    d.rounded_rectangle((160, 2270, 1480, 2278), 4, fill=(226, 212, 186))
    d.rounded_rectangle((160, 2270, 600, 2278), 4, fill=GREEN)
    d.ellipse((584, 2258, 616, 2290), fill=GREEN)
    return save(picture, name)


def sheet(name, w=3840, h=2160):
    """A wide desk: a silk wallpaper, a page layout and a column of notes."""
    picture = Image.open(flow(name + '_wall', w//2, h//2, ('#0b3a2e', '#11604b', '#5fa48c', '#f0cf9a', '#f7efe0'), 6)).convert('RGBA').resize((w, h))
    over = Image.new('RGBA', (w, h), (0, 0, 0, 0))
    d = ImageDraw.Draw(over)
    spread = (int(w*.07), int(h*.10), int(w*.63), int(h*.88))
    window(d, spread, 84, 'Market guide, spring')
    plates(over, d, spread)
    letter(d, (int(w*.66), int(h*.10), int(w*.94), int(h*.66)), 9, 'To print', 84)
    return save(Image.alpha_composite(picture, over), name)


def plates(over, d, box):
    """Two pages: a picture with a caption, and text round a smaller picture."""
    x0, y0, x1, y1 = box
    mid, pad = (x0+x1)//2, 90
    d.line((mid, y0+84, mid, y1), fill=(*LINE, 255), width=3)
    big = Image.open(hills('plate_a', 900, 1000, 14, warm=True)).convert('RGBA').resize((mid-x0-2*pad, int((y1-y0)*.58)))
    over.paste(big, (x0+pad, y0+84+pad))
    y = y0+84+pad+big.height+60
    d.text((x0+pad, y), 'First light', font=font(88, 'SemiBold'), fill=(*INK, 255))
    paragraph(d, x0+pad, y+140, mid-x0-2*pad, 1, 1, 40, (*MUTED, 255))
    y = paragraph(d, mid+pad, y0+84+pad, x1-mid-2*pad, 2, 3, 40, (*MUTED, 255))
    small = Image.open(hills('plate_b', 900, 500, 21)).convert('RGBA').resize((x1-mid-2*pad, int((y1-y0)*.27)))
    over.paste(small, (mid+pad, int(y)+40))
    paragraph(d, mid+pad, y+80+small.height, x1-mid-2*pad, 0, 2, 40, (*MUTED, 255))


def legends(name, keys, w, h, ppc=90, big=.44, small=.25, corner=False):
    """Legends of a whole keyboard seen from above, white on black (a mask).
    keys: (x, y, width, height, label) in cm, the origin in the middle; a line break in a label stacks two signs."""
    picture = Image.new('L', (int(w*ppc), int(h*ppc)), 0)
    d = ImageDraw.Draw(picture)
    for x, y, kw, kh, label in keys:
        if not label:
            continue
        px, py = (x+w/2)*ppc, (h/2-y)*ppc
        if '\n' in label:
            upper, lower = label.split('\n')
            f = font(ppc*big*.72, 'SemiBold')
            d.text((px, py-ppc*big*.5), upper, font=f, fill=255, anchor='mm')
            d.text((px, py+ppc*big*.5), lower, font=f, fill=255, anchor='mm')
        elif len(label) == 1:
            d.text((px, py), label, font=font(ppc*big, 'SemiBold'), fill=255, anchor='mm')
        elif kw > 2.2 and corner:
            d.text((px-kw*ppc*.42, py+kh*ppc*.34), label, font=font(ppc*small, 'SemiBold'), fill=255, anchor='ls')
        else:
            d.text((px, py), label, font=font(ppc*small, 'SemiBold'), fill=255, anchor='mm')
    return save(picture, name)
