"""Takes the demo shop's pictures.

render.py --list                     every picture's name
render.py marl-stoneware-mug         all pictures of a product
render.py marl-stoneware-mug-2       one of them
render.py hero-desk --preview        a scene, small and rough, in seconds
render.py --missing                  every master that is not there yet

A product's pictures are ID-1 (front), ID-2 (another side), ID-3 (detail), and
ID-COLOUR for each further colour. Pictures are kept as WebP in ../pictures.
"""
import argparse, glob, importlib, json, os, re, sys
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
MASTERS = os.path.join(HERE, '..', 'pictures')
sys.path.insert(0, os.path.join(HERE, 'lib'))

SIZE = 800       # of a square picture; a wide one says its own
SAMPLES = 10     # and the denoiser; what is behind glass needs 20
QUALITY = 95


@dataclass
class Shot:
    name: str
    build: callable
    view: dict
    args: dict = field(default_factory=dict)
    studio: dict = field(default_factory=dict)
    size: int = SIZE
    samples: int = SAMPLES
    rank: int = 0


def slug(words): return re.sub(r'[^a-z0-9]+', '-', words.lower()).strip('-')


def product_shots(id, item):
    colours = item.get('colours') or {None: {}}
    first, *further = colours

    def shot(name, view, colour, rank):
        view = dict(view)
        return Shot(name, item['build'], view,
                    {**item.get('args', {}), **colours[colour], **view.pop('args', {})},
                    {**item.get('studio', {}), **view.pop('studio', {})},
                    samples=item.get('samples', SAMPLES), rank=rank)

    for number, view in enumerate(item['views'], 1):
        yield shot(f'{id}-{number}', view, first, 1 if number == 1 else 2)
    for colour in further:
        yield shot(f'{id}-{slug(colour)}', item['views'][0], colour, 3)


def all_shots():
    """Every picture, the most needed first: scenes, fronts, other sides, other colours."""
    shots = []
    for path in sorted(glob.glob(os.path.join(HERE, 'lib', 'goods_*.py'))):
        for id, item in importlib.import_module(os.path.basename(path)[:-3]).GOODS.items():
            shots += product_shots(id, item)
    if os.path.exists(os.path.join(HERE, 'lib', 'scenes.py')):
        for name, scene in importlib.import_module('scenes').SCENES.items():
            shots.append(Shot(name, **scene))
    return sorted(shots, key=lambda shot: shot.rank)


def take(shot, path, preview=False):
    from studio import R, bpy, camera, cloud, render, reset, root, studio
    view = dict(shot.view)
    reset()
    shot.build(**shot.args)
    root().rotation_euler = [R(angle) for angle in view.pop('rot', (0, 0, view.pop('az', 0)))]
    if view.pop('ground', False):
        bpy.context.view_layer.update()
        root().location.z -= cloud()[:, 2].min()
    studio(**shot.studio)
    camera(**view)
    size, samples = (440, 12) if preview else (shot.size, shot.samples)
    seconds = render(path, size, samples, 0, view.get('aspect', 1.), fast=True)
    print(f'{shot.name}: {seconds:.0f} s', flush=True)


def keep(png, master):
    from PIL import Image
    Image.open(png).save(master, quality=QUALITY, method=6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('names', nargs='*', metavar='NAME')
    parser.add_argument('--list', action='store_true', help='print the names and stop')
    parser.add_argument('--missing', action='store_true', help='take what has no master yet')
    parser.add_argument('--preview', action='store_true', help='small and rough, kept in out/ only')
    parser.add_argument('--only', default='', help='with --missing: a regular expression for the names')
    options = parser.parse_args()
    master = lambda shot: os.path.join(MASTERS, shot.name + '.webp')
    shots = all_shots()
    if options.list:
        print('\n'.join(shot.name for shot in shots))
        return
    if options.missing:
        wanted = [shot for shot in shots if re.search(options.only, shot.name) and not os.path.exists(master(shot))]
    else:
        wanted = [shot for shot in shots if any(shot.name == name or shot.name.startswith(name + '-') for name in options.names)]
        if not wanted:
            sys.exit('no such picture; render.py --list names them all')
    os.makedirs(os.path.join(HERE, 'out'), exist_ok=True)
    for shot in wanted:
        png = os.path.join(HERE, 'out', shot.name + ('-preview' if options.preview else '') + '.png')
        take(shot, png, options.preview)
        if not options.preview:
            keep(png, master(shot))


if __name__ == '__main__':
    main()
