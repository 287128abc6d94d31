"""Takes a picture of one of the goods: shoot.py PRODUCT_ID [--view N] [--colour NAME] [--pv]"""
import argparse, glob, importlib, os, sys, time
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, 'lib'))
from studio import *

def goods(wanted):
    for path in sorted(glob.glob(os.path.join(here, 'lib', 'goods_*.py'))):
        text = open(path).read()
        if f"'{wanted}'" in text or f'"{wanted}"' in text:
            found = importlib.import_module(os.path.basename(path)[:-3]).GOODS
            if wanted in found:
                return found[wanted]
    sys.exit(f'no such product: {wanted}')

ap = argparse.ArgumentParser()
ap.add_argument('id'); ap.add_argument('--view', type=int, default=0); ap.add_argument('--colour')
ap.add_argument('--res', type=int, default=1000); ap.add_argument('--spp', type=int, default=24)
ap.add_argument('--out', default=os.path.join(here, 'previews')); ap.add_argument('--pv', action='store_true')
a = ap.parse_args()
if a.pv: a.res, a.spp = 440, 12
item = goods(a.id)
view = dict(item['views'][a.view])
reset()
stage = {**item.get('studio', {}), **view.pop('studio', {})}
args = {**item.get('args', {}), **(item.get('colours', {}).get(a.colour, {}) if a.colour else {}), **view.pop('args', {})}
item['build'](**args)
root().rotation_euler = [R(x) for x in view.pop('rot', (0, 0, view.pop('az', 0)))]
if view.pop('ground', False):
    bpy.context.view_layer.update(); root().location.z -= cloud()[:, 2].min()
size, _ = studio(**stage); camera(**view)
os.makedirs(a.out, exist_ok=True)
name = '_'.join([a.id, str(a.view)] + ([a.colour.lower().replace(' ', '-')] if a.colour else []) + (['pv'] if a.pv else []))
path = os.path.join(a.out, name + '.png')
began = sum(os.times()[:2]); render(path, a.res, a.spp, 0, view.get('aspect', 1.), fast=a.pv)
print(f'@@ {a.id} view {a.view}: {sum(os.times()[:2]) - began:.0f} CPU s -> {path}', flush=True)
