"""Printing for dials and bezels: ticks, numerals and small words on a transparent square, drawn with Pillow."""
import math
from PIL import Image, ImageDraw
from textures import TEX, font


class Print:
    """A transparent square that covers a dial of the given radius; all measures are in centimetres,
    angles in degrees clockwise from twelve o'clock."""

    def __init__(self, name, radius, colour, px=2400):
        self.path, self.radius, self.px = f'{TEX}/{name}.png', radius, px
        self.scale = px / 2 / radius
        self.colour = rgb(colour)
        self.image = Image.new('RGBA', (px, px), (*self.colour, 0))
        self.draw = ImageDraw.Draw(self.image)

    def at(self, r, angle, x=0, y=0):
        a = math.radians(angle)
        return (self.px / 2 + (x + r * math.sin(a)) * self.scale, self.px / 2 - (y + r * math.cos(a)) * self.scale)

    def ink(self, colour=None, alpha=255):
        return (*(rgb(colour) if colour else self.colour), alpha)

    def ticks(self, count, r0, r1, width, skip=0, x=0, y=0, colour=None):
        """Radial lines between r0 and r1; every skip-th one is left out."""
        for i in range(count):
            if skip and i % skip == 0:
                continue
            a = i * 360 / count
            self.draw.line([self.at(r0, a, x, y), self.at(r1, a, x, y)], self.ink(colour), max(1, round(width * self.scale)))

    def dots(self, count, r, size, skip=0):
        for i in range(count):
            if skip and i % skip == 0:
                continue
            px, py = self.at(r, i * 360 / count)
            s = size * self.scale
            self.draw.ellipse([px - s, py - s, px + s, py + s], fill=self.ink())

    def ring(self, r, width, x=0, y=0):
        (px, py), s = self.at(0, 0, x, y), r * self.scale
        self.draw.ellipse([px - s, py - s, px + s, py + s], outline=self.ink(), width=max(1, round(width * self.scale)))

    def word(self, words, x, y, size, weight='Medium', spacing=0., colour=None):
        """A line of text centred on (x, y); spacing is added between letters."""
        f = font(size * self.scale, weight)
        widths = [self.draw.textlength(c, font=f) + spacing * self.scale for c in words]
        px, py = self.at(0, 0, x, y)
        px -= (sum(widths) - spacing * self.scale) / 2
        for letter, width in zip(words, widths):
            self.draw.text((px, py), letter, font=f, fill=self.ink(colour), anchor='lm')
            px += width

    def numerals(self, labels, r, size, weight='Medium', x=0, y=0, colour=None):
        """Upright numerals round the dial; an empty label leaves its place free."""
        f = font(size * self.scale, weight)
        for i, label in enumerate(labels):
            self.draw.text(self.at(r, i * 360 / len(labels), x, y), label, font=f, fill=self.ink(colour), anchor='mm')

    def turned(self, labels, r, size, weight='SemiBold'):
        """Numerals that stand on the centre, as on a diver's bezel."""
        f = font(size * self.scale, weight)
        box = round(size * self.scale * 3)
        for i, label in enumerate(labels):
            a = i * 360 / len(labels)
            tile = Image.new('RGBA', (box, box), (*self.colour, 0))
            ImageDraw.Draw(tile).text((box / 2, box / 2), label, font=f, fill=self.ink(), anchor='mm')
            tile = tile.rotate(-a, Image.BICUBIC)
            px, py = self.at(r, a)
            self.image.alpha_composite(tile, (round(px - box / 2), round(py - box / 2)))

    def save(self):
        self.image.save(self.path)
        return self.path


def rgb(colour):
    return tuple(int(colour[i:i + 2], 16) for i in (1, 3, 5))
