"""The demo shop's still lifes: goods of the catalogue arranged for the home page, the categories,
the journal, the footer's gallery and the link preview.

Everything stands at its real size, one unit a centimetre. A scene is built round the origin, the
viewer at -Y; `view` holds the camera's arguments and `studio` the light and the backdrop."""
from studio import *
import goods_accessories, goods_audio, goods_beauty, goods_computers, goods_furniture, goods_kitchen, goods_lighting, goods_watches

GOODS = {}
for shelf in (goods_accessories, goods_audio, goods_beauty, goods_computers, goods_furniture, goods_kitchen, goods_lighting, goods_watches):
    GOODS.update(shelf.GOODS)

# the palette
PAPER, SAND, STONE, SAGE, CLAY, BOTTLE = '#e9e7e3', '#e3d8c8', '#cdbfae', '#8fa597', '#b0694a', '#24382f'
CABLES = ('cable', 'switch', 'wheel')


# ------------------------------------------------------------------ placing
def put(id, at=(0, 0, 0), az=0, colour=None, tip=(0, 0), without=(), glow=1., **args):
    """Builds a product and stands it at a point, turned by az; tip turns it about X and Y first, to lay it down.
    Whatever the turn, its lowest point comes to rest at the height of the point. glow: how much stronger a lamp
    shines than in its own pictures."""
    item = GOODS[id]
    colours = item.get('colours') or {None: {}}
    others = list(root().children)
    for o in others:                            # a build may move everything under the root
        o.parent = None
    item['build'](**{**item.get('args', {}), **colours[colour or next(iter(colours))], **args})
    whole = group(list(root().children))
    whole['id'] = id
    for o in others:
        o.parent = root()
    drop(whole, without)
    for light in (o.data for o in whole.children_recursive if o.type == 'LIGHT'):
        light.energy *= glow
    place(whole, (0, 0, 0), (*tip, az))
    low, high = extent(whole)
    middle = (low + high) / 2 if any(tip) else np.zeros(3)
    whole.location = (at[0] - middle[0], at[1] - middle[1], at[2] - low[2])
    return whole


def drop(whole, names):
    """Takes parts away by the beginning of their names: a cable, say, where the thing stands on a plinth."""
    for o in list(whole.children_recursive):
        if names and o.name.startswith(tuple(names)):
            bpy.data.objects.remove(o)


def extent(whole):
    """Lowest and highest corner of a group, without its cables."""
    bpy.context.view_layer.update()
    points = []
    for o in whole.children_recursive:
        if o.type == 'MESH' and not o.name.startswith(CABLES) and len(o.data.vertices):
            v = np.empty(len(o.data.vertices) * 3)
            o.data.vertices.foreach_get('co', v)
            m = np.array(o.matrix_world)
            points.append(v.reshape(-1, 3) @ m[:3, :3].T + m[:3, 3])
    points = np.vstack(points)
    return points.min(0), points.max(0)


def plaster(colour):
    """Painted plaster: matt, with a faint trowel grain."""
    m = Mat('plaster', colour, .72)
    m.set('Specular IOR Level', .3)
    v = m.coord()
    m.bump(m.noise(v, 6, 4, .6), .02, .35)
    m.col(m.mix(m.map(m.noise(v, .25, 3), .3, .7, 0, .07), colour, '#6b5c48'))
    return m.m


def disc(r, h, colour, at=(0, 0, 0), framed=True):
    """A round plinth."""
    ob = lathe('plinth', fillet([(0, 0), (r - .1, 0), (r, .1, .1), (r, h, min(.35, h * .3)), (0, h)], 8), plaster(colour), 240)
    return unframed(place(ob, at), framed)


def block(w, d, h, colour, at=(0, 0, 0), az=0, framed=True):
    """A plinth with rounded corners."""
    ob = slab('plinth', rrect(w, d, min(w, d) * .06, 8), 0, h, plaster(colour), min(.35, h * .3), 6, b0=.05)
    return unframed(place(ob, at, (0, 0, az)), framed)


def unframed(ob, framed=False):
    if not framed:
        ob['noframe'] = 1
    return ob


def table(kind, back, top=3.):
    """A tabletop that leaves the picture on three sides; its back edge is at y = back. Its top is at z = top."""
    ob = slab('table', rrect(400, 220, 1., 6), 0, top, kind, .3, 6, b0=.2)
    return unframed(place(ob, (0, back - 110, 0)))


# ------------------------------------------------------------------ heroes
def pale_oak():
    return goods_audio.timber('#b8a387', '#a68f6e', '#876e4d', 'X', rings=.28, wave=6., fibre=.4, rough=.5)


def hero_laptop():
    table(pale_oak(), 30)
    put('harrow-14-laptop', (0, 0, 3), -22)
    put('marl-stoneware-mug', (27, 3, 3), 28, 'Terracotta')
    put('wren-wireless-mouse', (19.5, -15, 3), -24)


def hero_listening():
    disc(11.5, 5, CLAY, (13, 7, 0))
    headphones_on_stand((13, 7, 5), -28)
    put('lintel-desk-radio', (-12, 0, 0), -16, 'Bottle Green')
    put('cobble-wireless-earbuds', (27, -3, 0), -22, 'Chalk')


def headphones_on_stand(at, az, colour='Sand', wood='Walnut'):
    put('gill-headphone-stand', at, az, wood)
    # the headband's underside is 18.33 above the cups' lowest point, the stand's felt 26.2 above its foot
    put('tarn-over-ear-headphones', (at[0], at[1], at[2] + 26.2 - 18.33), az, colour)


def hero_lamplight():
    disc(14, 7, '#a8745a', (15, 4, 0))
    put('moonseed-globe-lamp', (15, 4, 7), 0, without=CABLES, glow=2)
    put('chanterelle-rechargeable-lamp', (-8.5, -7, 0), 0, 'Marigold', glow=3)
    put('strand-stoneware-vase', (-20.5, 6, 0), 0, 'Terracotta')


# ------------------------------------------------------------------ categories
def category_audio():
    block(24, 22, 6, STONE, (-3, 2, 0), -8)
    put('tarn-over-ear-headphones', (-3, 2, 6), -30)
    put('rill-portable-speaker', (16, 7, 0), -10, 'Moss')
    put('cobble-wireless-earbuds', (3.5, -18, 0), -18, 'Clay')


def category_computers():
    put('sill-27-monitor', (0, 10, 0), -14)
    put('tern-75-mechanical-keyboard', (-4, -14, 0), -14, without=CABLES)
    put('wren-wireless-mouse', (22, -18, 0), -18, 'Clay')


def category_watches():
    block(7.5, 7, 6.5, SAGE, (-2.8, 5.5, 0), -8)
    put('lode-automatic-watch', (-2.8, 3.8, 6.5), -14)
    disc(4.2, 2.6, SAND, (5.2, -.4, 0))
    put('vesper-dress-watch', (5.2, -2.2, 2.6), -24)
    put('croft-field-watch', (-2.6, -6.5, 0), 10)


def category_lighting():
    disc(20, 5, STONE, (5, 8, 0))
    put('dune-ceramic-table-lamp', (5, 8, 5), 0, 'Sage', without=CABLES, glow=1.6)
    put('chanterelle-rechargeable-lamp', (-19, -10, 0), 0, 'Marigold', glow=2)
    put('wick-candlesticks-set-of-three', (18, -19, 0), 10)


def category_kitchen():
    disc(21, 4, SAND, (0, 4, 0))
    put('hob-cast-iron-casserole', (0, 4, 4), -14)
    put('quern-pepper-mill', (-18, -14, 0), 0)
    put('marl-stoneware-mug', (15, -18, 0), -20, 'Oat')
    put('strand-stoneware-vase', (20, 24, 0), 0, 'Terracotta')


def category_beauty():
    block(11, 10, 5, SAGE, (-4, 5, 0), -6)
    put('hedgerow-hand-wash', (-4, 5, 5), 4)
    disc(6.2, 2.4, SAND, (9.4, -.4, 0))
    put('salt-fig-eau-de-parfum', (9.4, -.4, 2.4), -20)
    put('dew-point-face-serum', (1.6, -6.5, 0), -4)
    put('plain-day-face-cream', (-7, -8, 0), -10)


def category_furniture():
    put('alder-dining-chair', (-8, -6, 0), -32)
    put('plinth-side-table', (44, 30, 0), -12, 'Walnut')
    put('strand-stoneware-vase', (44, 30, 48), 0)


def category_accessories():
    block(46, 24, 8, STONE, (0, 8, 0), -10)
    put('portway-structured-tote', (0, 8, 8), -24)
    put('daybook-leather-notebook', (19, -22, 0), 14, 'Bottle Green', tip=(-90, 0), without=['ribbon'])
    put('lido-round-sunglasses', (-13, -20, 0), -24)


# ------------------------------------------------------------------ the journal
# headphones laid down rest on both cups and the headband, which hangs below the middle of the cups
LYING = (-99, 0)


def post_headphones():
    disc(15, 3.5, SAND, (-9, 3, 0))
    put('tarn-over-ear-headphones', (-9, 3, 3.5), 26, 'Moss', tip=LYING)
    put('tarn-studio-wired-headphones', (18, 7, 0), -30)
    put('cobble-wireless-earbuds', (4, -17, 0), -14, 'Clay')


def post_clear_desk():
    table(pale_oak(), 34)
    put('heron-desk-lamp', (-20, 10, 3), -10, 'Ink', without=CABLES)
    put('daybook-leather-notebook', (13, -8, 3), 18, 'Bottle Green', tip=(-90, 0), without=['ribbon'])
    put('quoin-brass-rollerball-pen', (11.4, -8.4, 5.25), 104, capped=True)
    put('marl-stoneware-mug', (29, 8, 3), 10, 'Oat')


def post_slow_coffee():
    put('spate-gooseneck-kettle', (-17, 4, 0), -12, 'Ink', without=['cord'])
    disc(11, 4, SAND, (9, 6, 0))
    put('rook-pour-over-coffee-maker', (9, 6, 4), -14)
    put('marl-stoneware-mug', (4, -14, 0), 14, 'Terracotta')
    put('marl-stoneware-mug', (23, -8, 0), -18, 'Oat')


def post_lamplight():
    table(goods_audio.walnut('X', rings=.5, wave=3., fibre=.4), 30)
    put('dune-ceramic-table-lamp', (-20, 6, 3), 0, 'Chalk', without=CABLES, glow=2)
    put('chanterelle-rechargeable-lamp', (3, -9, 3), 0, 'Clay', glow=4)
    put('moonseed-globe-lamp', (24, 6, 3), 0, 'Oak', without=CABLES, glow=1.5)


def post_leather():
    put('portway-structured-tote', (-7, 10, 0), -24)
    put('daybook-leather-notebook', (19, -12, 0), -20, 'Ink', tip=(-90, 0), without=['ribbon'])
    put('penny-card-wallet', (-3, -14, 0), 8, 'Oxblood')


def post_watch():
    put('lode-automatic-watch', (0, 0, 0), -16)


# ------------------------------------------------------------------ the footer's gallery
def gallery_mugs():
    colours = ('Oat', 'Sage', 'Terracotta', 'Slate')
    for row in range(4):
        for k in range(4):
            # every second row steps aside and starts with another glaze, so that no two alike stand together
            put('marl-stoneware-mug', (15 * k - 26 + 7.5 * (row % 2), 14 * row - 21, 0), -40, colours[(k + 2 * row) % 4])


def gallery_notebooks():
    for k, (colour, ruling) in enumerate((('Sand', 'plain'), ('Sage', 'lined'), ('Clay', 'squared'))):
        tone, ink = goods_accessories.JOTTER_COLOURS[colour]
        goods_accessories.jotter(tone, ink, ruling, (2.4 * k - 2.4, -7, .2 + .4 * k), (-90, 0, 26 - 24 * k))


def gallery_lampshade():
    for at, colour in (((-13, 9, 0), 'Moss'), ((9, 10, 0), 'Marigold'), ((-2.5, -6, 0), 'Clay')):
        put('chanterelle-rechargeable-lamp', at, 0, colour, glow=2)


def gallery_watches():
    row = (('vesper-dress-watch', 'Gold'), ('lode-chronograph', 'Salmon Dial'), ('croft-field-watch', 'Olive'), ('lode-automatic-watch', 'Slate Dial'))
    for k, (id, colour) in enumerate(row):
        put(id, (3.9 * k - 5.8, 5.2 * k - 7.8, 0), -24, colour)


def gallery_headphones():
    put('tarn-over-ear-headphones', (0, 0, 0), 32, 'Moss', tip=LYING)


def gallery_glass():
    put('weir-glass-carafe', (-7, 4, 0), 0, 'Sea Green')
    put('weir-glass-carafe', (6, 7, 0), 0, 'Smoke')
    put('hedgerow-hand-wash', (1, -6, 0), 4)


# ------------------------------------------------------------------ the link preview
def open_graph():
    block(86, 30, 5, BOTTLE, (0, 4, 0))
    put('kist-teapot', (-31, 5, 5), -14, 'Oat')
    headphones_on_stand((-9, 7, 5), -24)
    put('murmur-alarm-clock', (6, -2, 5), -8, 'Sage')
    put('chanterelle-rechargeable-lamp', (20, 6, 5), 0, 'Marigold')
    put('hedgerow-hand-wash', (34, 2, 5), 4)


# ------------------------------------------------------------------ the list
def hero(build, shift=.19, **more):
    view = dict(aspect=2.2, elev=12, lens=70, fill=.56, shift=(shift, 0))
    studio = more.pop('studio', {})
    view.update(more)
    return dict(build=build, view=view, studio=studio, size=1760, samples=24)


def portrait(build, studio=None, samples=16, **more):
    return dict(build=build, view={**dict(aspect=.8, elev=14, fill=.8), **more}, studio=studio or {}, size=1000, samples=samples)


def landscape(build, studio=None, samples=16, **more):
    return dict(build=build, view={**dict(aspect=1.5, elev=14, fill=.74), **more}, studio=studio or {}, size=1200, samples=samples)


def square(build, studio=None, samples=16, **more):
    return dict(build=build, view={**dict(elev=30, fill=1.), **more}, studio=studio or {}, size=640, samples=samples)


DUSK = dict(key=.16, fill=.16, top=.18, bg=.26, amb=.3)

SCENES = {
    'hero-laptop': hero(hero_laptop, studio=dict(light=dict(fill=.6, top=.85, amb=.75)), elev=14, fill=.7),
    'hero-listening': hero(hero_listening, studio=dict(backdrop='#adb4a5'), fill=.72, shift=.2),
    'hero-lamplight': hero(hero_lamplight, studio=dict(backdrop='#dab498', light=dict(key=.46, fill=.42, top=.46, bg=.7, amb=.86)), elev=8, fill=.7),
    'category-audio': portrait(category_audio, fill=.84),
    'category-computers': portrait(category_computers, elev=16),
    'category-watches': portrait(category_watches, samples=32),
    'category-lighting': portrait(category_lighting, elev=10, studio=dict(light=dict(key=.8, top=.85, bg=.9))),
    'category-kitchen': portrait(category_kitchen, elev=16),
    'category-beauty': portrait(category_beauty, samples=32, elev=12),
    'category-furniture': portrait(category_furniture),
    'category-accessories': portrait(category_accessories),
    'post-headphones': landscape(post_headphones, elev=20),
    'post-clear-desk': landscape(post_clear_desk, elev=16, studio=dict(backdrop='#d8d5cc')),
    'post-slow-coffee': landscape(post_slow_coffee, samples=32),
    'post-lamplight': landscape(post_lamplight, studio=dict(backdrop='#8f988c', light=DUSK), elev=8),
    'post-leather': landscape(post_leather, elev=16, fill=1.1, shift=(0, .1)),
    'post-watch': landscape(post_watch, samples=32, elev=10, fill=1.5, shift=(.08, .02), fstop=8, focus=.1),
    'gallery-1': square(gallery_mugs, elev=56, fill=1.5),
    'gallery-2': square(gallery_notebooks, elev=62, fill=1.3, studio=dict(light=dict(key=.75))),
    'gallery-3': square(gallery_lampshade, elev=16, fill=1.3, shift=(0, -.18), studio=dict(backdrop='#d9cbbb', light=dict(key=.6, top=.6, bg=.6, amb=.7))),
    'gallery-4': square(gallery_watches, samples=32, elev=24, fill=.93),
    'gallery-5': square(gallery_headphones, elev=56, fill=.9, studio=dict(backdrop='#b98263')),
    'gallery-6': square(gallery_glass, samples=32, elev=8, fill=.88, studio=dict(light=dict(key=.4, bg=1.8, rim=1.5))),
    'open-graph': dict(build=open_graph, view=dict(aspect=1.905, elev=10, fill=.72), size=1200, samples=32),
}
