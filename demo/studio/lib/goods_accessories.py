"""Saddrel accessories: leather goods, eyewear, notebooks and a pen, in centimetres, front towards -Y."""
from PIL import Image, ImageDraw, ImageFont
from studio import *

INTER = os.environ.get('INTER', '/usr/share/fonts/opentype/inter/')
SEMIBOLD = INTER + 'Inter-SemiBold.otf'

# ------------------------------------------------------------------ materials
HIDES = {  # face, deep tone, edge paint, thread
    'Tan': ('#9c6440', '#61361c', '#5a331b', '#e6cfa6'),
    'Black': ('#262423', '#131211', '#121111', '#57524c'),
    'Bottle Green': ('#1d4a3a', '#0e2a20', '#0d241b', '#b9b08c'),
    'Oxblood': ('#6b2223', '#3a0f11', '#330d0f', '#c08a78'),
    'Ink': ('#25334d', '#121b2c', '#101726', '#aab2c0'),
}


class Hide:
    """The leather of one piece: smooth face, painted edge, raw inside and waxed thread."""
    def __init__(self, colour, grain=6.5):
        face, deep, edge, thread = HIDES[colour]
        self.face = leather(face, grain, .014, .46, .22, dark=deep)
        self.edge = Mat('edge', edge, .4).m
        self.raw = leather('#b98d62' if colour == 'Tan' else '#7d6a58', 4, .012, .8, .2, dark='#6a4b32')
        self.thread = Mat('thread', thread, .65).m
        self.stamp = Mat('stamp', deep, .55).m


def brass(rough=.2):
    return metal('#cda262', rough)


def paper(colour='#efe7d6'):
    """Cut edges of a block of pages, stacked along Y."""
    m = Mat('paper', colour, .85)
    h = m.noise(m.coord(scale=(.15, 60, .15)), 1.3, 2, .6)
    m.col(m.mix(m.map(h, .35, .65, 0, .5), colour, '#b9ad97'))
    m.bump(h, .01, .6)
    return m.m


# ------------------------------------------------------------------ shapes
def thread(path, normals, mat, length=.26, gap=.10, r=.04, lift=.01):
    """A row of stitches along a line on a surface, as one mesh; each dips into the leather at both ends."""
    path = np.asarray(path, float)
    normals = np.broadcast_to(np.asarray(normals, float), path.shape)
    d = np.r_[0, np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))]
    count = max(1, int((d[-1] - length) / (length + gap)))
    step = (d[-1] - length) / count
    at = lambda s, A: np.array([np.interp(s, d, A[:, k]) for k in range(3)])
    ring, t = circle(1, 8), np.linspace(-1, 1, 7)
    verts, faces = [], []
    for i in range(count + 1):
        s = length / 2 + i * step
        n = at(s, normals)
        x = at(s + .03, path) - at(s - .03, path)
        x /= np.linalg.norm(x) + 1e-9
        n = n - n @ x * x
        n /= np.linalg.norm(n) + 1e-9
        side, base = np.cross(n, x), len(verts)
        for q in t:
            centre = at(s, path) + x * q * length / 2 + n * (lift + r * .55 * (1 - q * q) - r * .45)
            k = r * (1 - .45 * q * q)
            verts += [centre + side * a * k + n * b * k for a, b in ring]
        for a in range(len(t) - 1):
            faces += [(base + a * 8 + j, base + a * 8 + (j + 1) % 8, base + a * 8 + 8 + (j + 1) % 8, base + a * 8 + 8 + j) for j in range(8)]
    ob = mesh_obj('thread', verts, faces, mat, 180, recalc=False)
    ob['noframe'] = 1
    return ob


def sheet(name, path, across, width, thick, mat, corner=0., dip=None, n=90, m=72):
    """A strip of leather or card along a 3D path, `across` its width, with rounded corners at both ends.
    `dip(x)` shortens the far end at x (a thumb notch). Thickness is centred on the path; edges are rounded."""
    path = np.asarray(path, float)
    d = np.r_[0, np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))]
    L, across = d[-1], np.asarray(across, float) / np.linalg.norm(across)
    x = np.sin(np.linspace(-np.pi / 2, np.pi / 2, m)) * width / 2
    s = np.unique(np.round(np.r_[(1 - np.cos(np.linspace(0, np.pi, n))) / 2, d / L], 5))   # keeps every bend of the path
    side = np.clip(corner - (width / 2 - abs(x)), 0, corner)
    cut = corner - np.sqrt(np.clip(corner**2 - side**2, 0, None))
    far = cut + (np.array([dip(q) for q in x]) if dip else 0)
    S = cut[None] + s[:, None] * (L - cut - far)[None]
    P = np.stack([np.interp(S, d, path[:, k]) for k in range(3)], -1) + x[None, :, None] * across
    ob = grid(name, P, mat, cv=False, smooth=180)
    solidify(ob, thick, 0)
    bevel(ob, thick * .34, 3, 50)
    return apply(ob, 50)


def fused(name, parts, mat, voxel, smooth=6):
    """Melts overlapping solids into one piece with soft inner corners, like tumbled acetate."""
    bm = bmesh.new()
    for p in parts:
        p.data.transform(p.matrix_basis)
        bm.from_mesh(p.data)
        bpy.data.objects.remove(p)
    me = bpy.data.meshes.new(name)
    bm.to_mesh(me)
    bm.free()
    ob = bpy.data.objects.new(name, me)
    bpy.context.scene.collection.objects.link(ob)
    ob.parent = root()
    r = ob.modifiers.new('remesh', 'REMESH')
    r.mode, r.voxel_size = 'VOXEL', voxel
    k = ob.modifiers.new('smooth', 'SMOOTH')
    k.factor, k.iterations = .5, smooth
    bpy.context.view_layer.update()
    apply(ob, 180)
    ob.data.materials.clear()
    ob.data.materials.append(mat)
    return ob


def ground():
    """Lets the product down until its lowest point touches z = 0."""
    low = cloud()[:, 2].min()
    for o in root().children:
        o.location.z -= low


def rivet(mat, loc, side, r=.42):
    prof = fillet([(0, -.1), (r, -.1), (r, .06, .05), (r * .6, .16, .12), (0, .18)], 5)
    return place(lathe('rivet', prof, mat, 40), loc, (90 if side < 0 else -90, 0, 0))


def mark(body, size, mat, loc, rot=(90, 0, 0), depth=.006):
    return text('mark', body, size, mat, loc, rot, depth, SEMIBOLD, spacing=1.2)


# ------------------------------------------------------------------ tote
TOTE_H = 29.


def tote_section(t, n=260):
    """Level outline of the tote at t = 0 (bottom) to 1 (rim): deep and square below, slimmer above."""
    w, d = 36.4 + 1.6 * t, 13 - 3.6 * t**1.4
    o = superellipse(w / 2, d / 2, 11 - 4.5 * t, n)
    x, y = o[:, 0], o[:, 1]
    middle = np.cos(np.clip(2 * x / w, -1, 1) * np.pi / 2)
    y = y * (1 + .05 * math.sin(math.pi * t * .9) * middle) + .10 * np.sin(x * .33 + 1.3) * t * t
    x = x - np.sign(x) * 1.1 * t**1.5 * np.clip(1 - abs(y) / (d * .46), 0, 1) * (abs(x) > w * .3)
    z = TOTE_H * t - .35 * t**3 * middle + .12 * np.sin(x * .21 + .6) * t**3
    return np.c_[x, y, z]


def tote_wall(x, z, side):
    """Depth of the front (side -1) or back wall at x, z."""
    o = tote_section(min(z / TOTE_H, 1.))
    o = o[o[:, 1] * side > 0]
    o = o[np.argsort(o[:, 0])]
    return np.interp(x, o[:, 0], o[:, 1])


def tote_shell(h):
    ts = np.r_[np.linspace(0, .03, 7), np.linspace(.045, 1, 60)]
    P = np.array([tote_section(t) for t in ts])
    soft = 1 - .05 * (1 - np.clip(ts / .03, 0, 1))**2                   # rounded bottom edge
    P[:, :, :2] *= np.stack([1 - (1 - soft) * .35, soft], 1)[:, None]
    grid('body', P, h.face, cap0=True, smooth=60)
    top = P[-1]
    inward = -np.c_[np.sign(top[:, 0]) * np.clip(abs(top[:, 0]) / 18.2 - .9, 0, .1) * 10, np.sign(top[:, 1]) * np.clip(abs(top[:, 1]), 0, 1), 0 * top[:, 0]]
    inward /= np.linalg.norm(inward, axis=1)[:, None] + 1e-9
    q = np.linspace(0, np.pi, 9)
    rim = np.array([top + inward * .11 * (1 - math.cos(a)) + [0, 0, .09 * math.sin(a)] for a in q])
    grid('rim', rim, h.edge, smooth=60)
    deep = [rim[-1] + inward * k + [0, 0, -z] for k, z in ((0, 0), (.05, 3), (.2, 12), (.3, 26.5))]
    grid('inside', np.array(deep), h.raw, smooth=60, cap1=True)


def tote_seams(h, side):
    z = np.linspace(.8, TOTE_H - .5, 120)
    for sx in (-1, 1):
        x = np.array([sx * (18.2 + .8 * k / TOTE_H - 1.0) for k in z])
        y = np.array([tote_wall(a, b, side) for a, b in zip(x, z)])
        thread(np.c_[x, y, z], (0, side, 0), h.thread)
        edge = np.array([o[np.argmax(o[:, 0] * sx + o[:, 1] * side * 1.6)] for o in (tote_section(k / TOTE_H) for k in z)])
        tube('corner', edge, .13, h.edge, 12)
    x = np.linspace(-16.8, 16.8, 200)
    top = tote_section(.975)
    top = top[top[:, 1] * side > 0]
    top = top[np.argsort(top[:, 0])]
    thread(np.c_[x, np.interp(x, top[:, 0], top[:, 1]), np.interp(x, top[:, 0], top[:, 2])], (0, side, 0), h.thread)


def tote_handle(h, fit, side):
    """Flat stitched tabs that close into a roll above the rim."""
    x0, low, rim, drop = 7.6, 20.4, TOTE_H - .5, 23.
    half = [(x0, low), (x0, low + 3), (x0, rim), (x0 - .15, rim + 5), (x0 - .9, rim + 12), (x0 - 3.2, rim + 19), (0, rim + drop)]
    line = spline(half + [(-x, z) for x, z in half[-2::-1]], 200)
    y = np.array([tote_wall(np.clip(x, -16, 16), min(z, TOTE_H - .2), side) for x, z in line])
    rise = np.clip((line[:, 1] - rim) / drop, 0, 1)
    path = np.c_[line[:, 0], y - side * 1.3 * rise**1.3 + side * .14, line[:, 1]]
    roll = np.clip((line[:, 1] - rim - .6) / 3.2, 0, 1)
    roll = roll * roll * (3 - 2 * roll)
    t = np.linspace(0, 1, 200)
    close = np.sqrt(np.clip(np.minimum(t, 1 - t) / .010, .01, 1))
    sweep('handle', path, superellipse(1, 1, 3, 44), h.face, np.c_[(1.25 - .63 * roll) * close, .14 + .48 * roll], up=(0, 1, 0), smooth=60)
    for sx in (-1, 1):
        for z in (low + .85, rim - 1.0):
            rivet(fit, (sx * x0, tote_wall(sx * x0, z, side) + side * .28, z), side)
        for dx in (-.92, .92):
            z = np.linspace(low + .5, rim - .4, 50)
            wall = np.array([tote_wall(sx * x0 + dx, k, side) for k in z])
            thread(np.c_[np.full(50, sx * x0 + dx), wall + side * .27, z], (0, side, 0), h.thread, .24, .09, .035)


def portway_tote(colour='Tan'):
    h, fit = Hide(colour), brass()
    tote_shell(h)
    for side in (-1, 1):
        tote_seams(h, side)
        tote_handle(h, fit, side)
    front = tote_wall(0, 24, -1)
    loop = spline([(0, 4.3, 25), (0, 4.5, 28.4), (0, 3.2, 29.6), (0, 0, 29.9), (0, -3.4, 29.5), (0, front - .25, 28), (0, front - .22, 24.6)], 80)
    sheet('loop', loop, (1, 0, 0), 2.0, .2, h.face, .9)
    rivet(fit, (0, front - .36, 25.6), -1, .55)
    mark('SADDREL', .72, h.stamp, (0, tote_wall(0, 5, -1) - .01, 4.6), (89, 0, 0))


# ------------------------------------------------------------------ briefcase
def case_panel(y0, y1, mat):
    """Upright panel, its outline in X and Z."""
    ob = slab('panel', rrect(40, 29, 2.6, 24), y0, y1, mat, .1, 4)
    return place(ob, (0, 0, 14.5), (90, 0, 0))


def portway_briefcase(colour='Tan'):
    h, fit = Hide(colour), brass(.16)
    for y in (-2.75, 2.45):
        case_panel(-y - .3, -y, h.face)
    # gusset, set in between the two panels
    place(slab('gusset', rrect(38.9, 27.9, 2.4, 24), -2.6, 2.6, h.face, 0, 1), (0, 0, 14.5), (90, 0, 0))
    for y, n in ((-2.76, -1), (2.76, 1)):
        edge = resample(rrect(39.1, 28.1, 2.2, 14), 400, True)
        thread(np.c_[edge[:, 0], np.full(400, y), edge[:, 1] + 14.5], (0, n, 0), h.thread)
    # flap: from the back over the top, down to below the middle of the front
    line = fillet([(2.95, 20), (2.95, 29.35, 1.4), (-3.0, 29.35, 1.5), (-3.12, 11.2)], 12)
    sheet('flap', np.c_[np.zeros(len(line)), line], (1, 0, 0), 40.2, .26, h.face, 2.8, n=160)
    hem = fillet([(-19.6, 27.6), (-19.6, 11.75, 2.3), (19.6, 11.75, 2.3), (19.6, 27.6)], 12)
    hem = resample(hem, 400)
    thread(np.c_[hem[:, 0], np.interp(hem[:, 1], [11, 29], [-3.25, -3.13]), hem[:, 1]], (0, -1, 0), h.thread)
    turn_lock(fit, (0, -3.26, 14.3))
    case_handle(h, fit)
    for s in (-1, 1):
        side_ring(s, h, fit)
    mark('SADDREL', .6, h.stamp, (14.2, -2.755, 3.0))


def turn_lock(fit, loc):
    """Brass plate with a bar that is turned to open the flap."""
    x, y, z = loc
    plate = slab('plate', rrect(4.4, 3.0, .7, 14), 0, .22, fit, .09, 4)
    place(plate, loc, (90, 0, 0))
    for sx in (-1, 1):
        place(lathe('pin', fillet([(0, 0), (.17, 0), (.17, .08, .07), (0, .1)], 4), fit, 24), (x + sx * 1.72, y - .2, z), (90, 0, 0))
    place(lathe('seat', fillet([(0, 0), (.85, 0), (.85, .12, .08), (0, .14)], 4), fit, 64), (x, y - .2, z), (90, 0, 0))
    bar = slab('turn', superellipse(.42, 1.05, 2.6, 64), 0, .62, fit, .16, 5)
    place(bar, (x, y - .28, z), (90, 0, 0))


def case_handle(h, fit):
    base = 29.45
    for s in (-1, 1):
        x = s * 7.2
        ring = resample(fillet([(-1.35, 0, .35), (1.35, 0, .35), (1.35, 1.7, .5), (-1.35, 1.7, .5)], 8, True), 80, True)
        tube('ring', np.c_[np.full(80, x), ring[:, 0], base + ring[:, 1] - .1], .19, fit, 16, closed=True)
        strap = spline([(x - 2.3, 0, base + .12), (x - .7, 0, base + .12), (x, 0, base + .38), (x + .7, 0, base + .12), (x + 2.3, 0, base + .12)], 40)
        sheet('chape', strap, (0, 1, 0), 2.1, .22, h.face, .5)
        for dx in (-1.6, 1.6):
            place(lathe('rivet', fillet([(0, 0), (.32, 0), (.32, .08, .06), (0, .14)], 4), fit, 32), (x + dx, 0, base + .2))
    path = spline([(-7.2, 0, base + 1.45), (-6.9, 0, base + 2.6), (-5.4, 0, base + 4.0), (-2.5, 0, base + 4.75), (0, 0, base + 4.9),
                   (2.5, 0, base + 4.75), (5.4, 0, base + 4.0), (6.9, 0, base + 2.6), (7.2, 0, base + 1.45)], 120)
    t = abs(np.linspace(-1, 1, 120))
    thick = np.interp(t, [0, .6, .85, 1], [.78, .72, .42, .3])
    wide = np.interp(t, [0, .6, 1], [1.15, 1.1, 1.0])
    sweep('handle', path, superellipse(1, 1, 2.6, 48), h.face, np.c_[wide, thick], up=(0, 0, 1), smooth=60)
    for side in (-1, 1):
        keep = slice(18, 102)
        thread(path[keep] + np.c_[np.zeros(84), np.full(84, side * .98), -.1 * np.ones(84)], (0, side, .2), h.thread, .22, .09, .035, lift=.1)


def side_ring(s, h, fit):
    """Tab with a D-ring for the shoulder strap, on the gusset."""
    x, z = s * 19.5, 24.2
    sheet('tab', np.array([(x, 0, z - 3), (x + s * .05, 0, z - 1), (x + s * .28, 0, z)]), (0, 1, 0), 2.2, .24, h.face, .6)
    ring = spline([(0, -1.1), (.4, -1.2), (1.5, -.75), (1.8, 0), (1.5, .75), (.4, 1.2), (0, 1.1)], 60, True)
    tube('d-ring', np.c_[np.full(60, x + s * .3) + s * .25 * ring[:, 0], ring[:, 1], z - .1 + ring[:, 0] * .95], .16, fit, 14, closed=True)


# ------------------------------------------------------------------ wallet
def penny_wallet(colour='Tan', cards=True):
    """Two strips folded at the bottom, one inside the other: pockets in front and behind, a slot between."""
    h = Hide(colour, 10)
    w, seam = 10.2, 10.2 / 2 - .36
    body, pocket = wallet_leaf(.20, .02, 7.4), wallet_leaf(.35, .08, 5.4)
    wallet_fold('body', body, .16, 6.35, 7.4, w, h.face, None)
    wallet_fold('pocket', pocket, .06, 4.6, 5.4, w, h.face, lambda x: .9 * math.exp(-(x / 1.25)**4))
    for s in (-1, 1):
        for leaf, z0, z1 in ((pocket, .35, 4.25), (body, 4.75, 6.0)):
            z = np.linspace(z0, z1, 60)
            thread(np.c_[np.full(60, s * seam), [-leaf(k) - .05 for k in z], z], (0, -1, 0), h.thread, .22, .09, .028)
    if cards:
        for x, y, top, tone in ((.1, -.29, 5.66, '#ddd3bf'), (-.05, -.06, 6.95, '#2f5c50'), (.15, .06, 7.12, '#c9963c')):
            place(slab('card', rrect(8.56, 5.4, .32, 10), -.015, .015, plastic(tone, .4), .006, 2), (x, y, top - 2.7), (90, 0, 0))
    mark('SADDREL', .30, h.stamp, (3.1, -pocket(.85) - .052, .85))


def wallet_leaf(y, bulge, top):
    """Distance of a leaf from the middle of the wallet at height z: it bulges over what it holds."""
    return lambda z: y + bulge * math.sin(math.pi * min(max(z / top, 0), 1))


def wallet_fold(name, leaf, low, front, back, w, mat, notch):
    y = leaf(0)
    line = resample(fillet([(y, back), (y, low, y * .98), (-y, low, y * .98), (-y, front)], 12), 300)
    line[:, 0] = [math.copysign(leaf(z), a) if abs(a) > y * .98 else a for a, z in line]
    sheet(name, np.c_[np.zeros(len(line)), line], (1, 0, 0), w, .10, mat, .55, notch, n=150)


# ------------------------------------------------------------------ eyewear
def acetate(colour):
    tones = {'Black': '#141313', 'Olive': '#4c4a26', 'Ink': '#1b2946', 'Honey': '#e6b873', 'Clear': '#f3f0ea', 'Tortoise': '#3a2415'}
    clear = {'Honey': .72, 'Clear': 1., 'Olive': .25}.get(colour, 0.)
    m = Mat('acetate', tones[colour], .10, Coat_Weight=.4, Coat_Roughness=.03, Transmission_Weight=clear, IOR=1.48)
    if colour == 'Tortoise':
        flame = m.noise(m.coord(scale=(1, 1, .8)), .95, 3, .55, 1.2)
        m.col(m.ramp(flame, [(.40, '#170b06'), (.50, '#4a2610'), (.61, '#b36c28')]))
    if colour in ('Olive', 'Honey'):
        deep = {'Olive': '#2e2e17', 'Honey': '#c98d45'}[colour]
        cloudy = m.noise(m.coord(), .8, 2, .5, .8)
        m.col(m.mix(m.map(cloudy, .35, .65, 0, 1), tones[colour], deep))
    return m.m


def tinted_lens(tint):
    """Dark lens: tinted see-through with mirror reflections by angle."""
    m = Mat('lens', tint, .03)
    through, gloss, f, mix = m.n('BsdfTransparent'), m.n('BsdfGlossy', Roughness=.02), m.n('Fresnel', IOR=1.7), m.n('MixShader')
    through.inputs[0].default_value = tuple(x * .9 + .015 for x in lin(tint)[:3]) + (1,)
    m.l(f.outputs[0], mix.inputs[0])
    m.l(through.outputs[0], mix.inputs[1])
    m.l(gloss.outputs[0], mix.inputs[2])
    m.l(mix.outputs[0], m.out.inputs[0])
    return m.m


def eyewear(frame, lens, outline, centre, rim, keyhole, temple, pins):
    """Glasses with a fused acetate front. outline(grow) gives one lens outline about its centre in X and Z."""
    def wrap(P):
        P = np.array(P, float)
        P[:, 1] += .011 * P[:, 0]**2                                  # the front curves round the face
        return P

    reach = outline(0)[:, 0].max()
    up = np.clip(np.sin(np.linspace(0, 2 * np.pi, 160, endpoint=False)), -.2, 1)
    parts = []
    for s in (-1, 1):
        o = outline(rim)
        path = np.c_[s * (centre + o[:, 0]), 0 * o[:, 0], o[:, 1]]
        parts.append(sweep('rim', path, superellipse(rim, .2, 4.5, 28), None, np.c_[1 + .28 * up, np.ones(160)], up=(0, 1, 0), closed=True))
        end = (s * (centre + reach + rim * .9), temple)
        parts.append(box('end', (.72, .42, .78), (end[0] + s * .28, .02, end[1]), None, .1))
        parts.append(box('lug', (.46, .8, .70), (end[0] + s * .36, .28, end[1]), None, .12))
        pad_x = centre - reach - rim * 1.45
        pad = spline([(s * (pad_x + .10), .02, .35), (s * pad_x, .14, -.1), (s * (pad_x + .08), .26, -.6), (s * (pad_x + .36), .20, -1.1)], 30)
        parts.append(tube('pad', pad, np.interp(np.linspace(0, 1, 30), [0, .4, 1], [.12, .2, .12]), None, 20))
    arch = [(1.10, .82), (.72, 1.02), (.36, 1.15), (0, 1.19)] if keyhole else [(.86, .46), (.56, .68), (.28, .78), (0, .8)]
    line = spline([(-x, 0, z) for x, z in arch] + [(x, 0, z) for x, z in arch[-2::-1]], 60)
    parts.append(sweep('bridge', line, superellipse(.27 if keyhole else .23, .2, 4, 28), None, up=(0, 1, 0)))
    front = fused('front', parts, frame, .033, 14)
    co = np.empty(len(front.data.vertices) * 3)
    front.data.vertices.foreach_get('co', co)
    front.data.vertices.foreach_set('co', wrap(co.reshape(-1, 3)).ravel())
    steel = metal('#bfc1c4', .22)
    for s in (-1, 1):
        glass_disc(s, centre, outline(.04), wrap, lens)
        x = s * (centre + reach + rim * .9 + .36)
        side_arm(s, x, .011 * x * x, temple, frame, steel)
        for dz in (-.13, .13):
            dot = wrap([(x - s * .42, -.215, temple + dz)])[0]
            place(lathe('pin', fillet([(0, -.05), (.07, -.05), (.07, .02, .02), (0, .03)], 3), pins, 24), dot, (90, 0, 0))
    ground()


def glass_disc(s, centre, o, wrap, mat):
    rings = []
    for k in np.r_[1, np.linspace(.94, .02, 14)]:
        P = wrap(np.c_[s * centre + s * o[:, 0] * k, np.zeros(len(o)), o[:, 1] * k])
        P[:, 1] -= .14 * (1 - k * k) - .02
        rings.append(P)
    grid('lens', np.array(rings), mat, cap1=True, smooth=180)


def side_arm(s, x, y, z, mat, steel):
    """Temple: straight to the ear, then bent down; with the barrel of its hinge."""
    P = spline([(x, y + .62, z), (x + s * .04, y + 1.6, z), (x + s * .05, y + 5.5, z - .02), (x - s * .05, y + 9.4, z - .2),
                (x - s * .22, y + 11.3, z - 1.05), (x - s * .40, y + 12.9, z - 2.6), (x - s * .5, y + 13.7, z - 3.55)], 140)
    t = np.linspace(0, 1, 140)
    tall = np.interp(t, [0, .12, .6, .8, .94, 1], [.34, .30, .24, .28, .36, .26])
    close = np.sqrt(np.clip((1 - t) / .02, .02, 1)) * np.sqrt(np.clip(t / .004, .5, 1))
    T = np.gradient(P, axis=0)
    sideways = np.c_[T[:, 1], -T[:, 0], 0 * T[:, 0]]
    sweep('temple', P, superellipse(1, 1, 3.4, 32), mat, np.c_[tall * close, .17 * close], up=sideways, smooth=60)
    for k in range(5):
        place(lathe('barrel', fillet([(0, 0), (.09, 0, .02), (.09, .1, .02), (0, .1)], 3), steel, 24), (x - s * .2, y + .64, z - .27 + k * .11))
    box('leaf', (.07, .55, .26), (x - s * .17, y + .95, z), steel, .02)


def round_outline(grow):
    o = superellipse(2.4 + grow, 2.26 + grow, 2.12, 160)
    o[:, 1] += .05 * o[:, 0]
    return o


def square_outline(grow):
    o = superellipse(2.5 + grow, 1.98 + grow, 3.1, 160)
    o[:, 0] *= 1 + .035 * o[:, 1]
    o[:, 1] += .04 * o[:, 0]
    return o


def lido(colour='Tortoise'):
    tint = {'Tortoise': '#39443b', 'Black': '#33393a', 'Olive': '#3a4234'}[colour]
    eyewear(acetate(colour), tinted_lens(tint), round_outline, 3.5, .22, True, .95, brass())


def margin(colour='Honey'):
    eyewear(acetate(colour), cover_glass(.55), square_outline, 3.5, .20, False, 1.15, metal('#c4c6c8', .2))


# ------------------------------------------------------------------ notebooks
def daybook(colour='Tan'):
    h = Hide(colour, 9)
    w, tall, y = 14.9, 21.2, .92
    line = fillet([(w / 2, -y), (-w / 2, -y, .8), (-w / 2, y, .8), (w / 2, y)], 12)
    path = np.c_[line, np.full(len(line), tall / 2)]
    sheet('cover', path, (0, 0, 1), tall, .18, h.face, .9, n=150, m=110)
    block = slab('pages', rrect(14.2, 20.6, .5, 12), -.78, .78, paper(), .04, 2)
    place(block, (0, 0, tall / 2), (90, 0, 0))
    front = -y - .09
    for z in (.45, tall - .45):
        x = np.linspace(-w / 2 + .9, w / 2 - .75, 120)
        thread(np.c_[x, np.full(120, front), np.full(120, z)], (0, -1, 0), h.thread, .24, .1, .032)
    z = np.linspace(.75, tall - .75, 150)
    thread(np.c_[np.full(150, w / 2 - .45), np.full(150, front), z], (0, -1, 0), h.thread, .24, .1, .032)
    band(4.9, tall)
    for x, tone, out in ((-2.2, h.edge, -2.6), (-1.2, Mat('ribbon', '#b9a27c', .6).m, -3.4)):
        ribbon = spline([(x, 0, 2.), (x, -.1, .15), (x + .1, -.9, -.08), (x + .35, out * .7, -.09), (x + .2, out, -.09)], 50)
        sheet('ribbon', ribbon, (1, .12, 0), .55, .04, tone)
    mark('SADDREL', .42, h.stamp, (-4.6, front - .002, 1.5))
    ground()                                                          # the band runs under the lower edge


def band(x, tall):
    """Elastic that runs round the closed book."""
    o = resample(fillet([(-1.08, -.07, .12), (1.08, -.07, .12), (1.08, tall + .07, .12), (-1.08, tall + .07, .12)], 6, True), 400, True)
    m = fabric('#2b2724', 14, .02)
    sweep('band', np.c_[np.full(400, x), o], superellipse(.36, .05, 4, 20), m, up=np.c_[np.zeros(400), o - [0, tall / 2]], closed=True, smooth=60)


def jotter_print(ruling, ink):
    """What is printed on a cover: maker, name and a swatch of the ruling."""
    px = 120
    im = Image.new('RGBA', (9 * px, 14 * px), (*(int(c) for c in ink), 0))
    d = ImageDraw.Draw(im)
    face = lambda size, weight: ImageFont.truetype(f'{INTER}Inter-{weight}.otf', size)
    colour = (*ink, 235)
    d.text((1.0 * px, 1.25 * px), 'Saddrel', font=face(74, 'SemiBold'), fill=colour, anchor='lm')
    d.text((1.0 * px, 12.75 * px), f'Jotter, {ruling}', font=face(46, 'Medium'), fill=colour, anchor='lm')
    a, b = 1.0 * px, 9.3 * px
    side = 2.4 * px
    d.rectangle((a, b, a + side, b + side), outline=colour, width=5)
    step = side / 6
    for i in range(1, 6):
        if ruling != 'plain':
            d.line((a, b + i * step, a + side, b + i * step), fill=colour, width=3)
        if ruling == 'squared':
            d.line((a + i * step, b, a + i * step, b + side), fill=colour, width=3)
    path = os.path.join(TEX, f'jotter_{ruling}_{ink[0]}.png')
    im.save(path)
    return path


def card(colour):
    """Heavy uncoated recycled card with a few stray fibres."""
    m = Mat('card', colour, .88)
    v = m.coord()
    fibre = m.map(m.noise(v, 28, 4, .7, 2.), .66, .74, 0, .5)
    m.col(m.mix(fibre, m.mix(m.map(m.noise(v, 2.5, 3), .3, .7, 0, .05), colour, '#6b5c48'), '#5c4f3f'))
    m.bump(m.noise(v, 55, 4, .7), .006, .6)
    return m.m


def jotter(colour, ink, ruling, loc, rot):
    """One stapled notebook, standing, spine to the left; the corners of the open side are rounded."""
    w, tall, y = 9., 14., .15
    before = set(root().children)
    line = fillet([(w / 2, -y), (-w / 2, -y, .14), (-w / 2, y, .14), (w / 2, y)], 10)
    sheet('cover', np.c_[line, np.full(len(line), tall / 2)], (0, 0, 1), tall, .05, card(colour), .8, n=140, m=90)
    o = fillet([(w / 2 - .05, -tall / 2 + .03, .78), (w / 2 - .05, tall / 2 - .03, .78), (-w / 2 + .05, tall / 2 - .03), (-w / 2 + .05, -tall / 2 + .03)], 16, True)
    place(slab('pages', o, -.12, .12, paper('#ece6d8'), .02, 2), (0, 0, tall / 2), (90, 0, 0))
    plane('print', w, tall, image_mat(jotter_print(ruling, ink), .8, alpha=True, spec=.2), (0, -y - .028, tall / 2), (90, 0, 0))
    steel = metal('#c3c5c8', .25)
    for z in (tall * .27, tall * .73):
        x = -w / 2 - .03
        tube('staple', spline([(x + .12, 0, z - .6), (x, 0, z - .57), (x - .01, 0, z), (x, 0, z + .57), (x + .12, 0, z + .6)], 30), .035, steel, 10)
    group([c for c in root().children if c not in before], loc, rot)


JOTTER_COLOURS = {'Sand': ('#d9c6a3', (70, 54, 36)), 'Sage': ('#97a68b', (34, 46, 34)), 'Clay': ('#b9674a', (62, 26, 16))}


def jotter_set(colour='Sand', lying=False):
    tone, ink = JOTTER_COLOURS[colour]
    if lying:
        for k, (ruling, turn) in enumerate((('plain', 24), ('lined', 4), ('squared', -16))):
            jotter(tone, ink, ruling, (1.6 * k - 1.6, -7 + .3 * k, .2 + .37 * k), (-90, 0, turn))
        return
    for k, (ruling, x) in enumerate((('plain', -6.2), ('lined', 0), ('squared', 6.2))):
        jotter(tone, ink, ruling, (x, -1.9 - 1.5 * k, .02), (-11, 0, (-7, 1, 8)[k]))
    # plaster block that they lean on, hidden from the front
    box('block', (12, 4, 8), (0, 1.9, 4), plastic('#e4dfd6', .8), .3)


# ------------------------------------------------------------------ pen
def pen_body(metal_mat, accent, tip_mat):
    """Open pen along Z, nose down: cone, ribbed grip, plain barrel with a rounded end."""
    nose = [(0, 0), (.05, 0), (.06, .12), (.10, .2), (.12, .28), (.30, 1.1, .15), (.34, 1.15)]
    lathe('tip', fillet([(0, -.14), (.035, -.12), (.05, 0), (.11, .02), (.11, .3), (0, .3)], 3), tip_mat, 40)
    ribs = []
    for z in np.arange(1.35, 3.75, .11):
        ribs += [(.385, z), (.425, z + .028), (.425, z + .062), (.385, z + .09)]
    barrel = fillet([(.40, 3.85), (.40, 4.35), (.50, 4.5, .06), (.53, 4.6, .05), (.53, 11.6, .6), (.44, 12.15, .12), (.40, 12.26, .08), (0, 12.26)], 8)
    lathe('barrel', np.vstack([fillet(nose, 4), ribs, barrel]), metal_mat, 128, 40)
    lathe('ring', fillet([(.38, 4.44), (.575, 4.44, .03), (.575, 4.60, .03), (.38, 4.60)], 4), accent, 96)
    lathe('end', fillet([(0, 12.2), (.30, 12.2), (.30, 12.31, .04), (0, 12.33)], 4), accent, 64)


def pen_cap(metal_mat, accent):
    """Cap along Z, mouth down: a hexagonal bar whose ends are turned round."""
    z = np.r_[0, .03, .08, .16, np.linspace(.2, 5.8, 70), np.linspace(5.82, 6.08, 12), 6.1]
    turned = np.interp(z, [0, .03, .10, .55, 5.45, 5.95, 6.06, 6.1], [.50, .535, .55, .64, .64, .545, .49, .45])
    a = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    flat = .545 / np.cos((a + np.pi / 6) % (np.pi / 3) - np.pi / 6)
    r = -np.logaddexp(-flat[None] * 160, -turned[:, None] * 160) / 160     # soft minimum: hexagon cut by the lathe
    r = -np.logaddexp(-r * 160, -.617 * 160) / 160                         # eases the six arrises
    P = np.stack([r * np.cos(a), r * np.sin(a), np.repeat(z[:, None], 360, 1)], -1)
    grid('cap', P, metal_mat, cap1=True, smooth=28)
    lathe('mouth', fillet([(.5, 0), (.46, 0, .02), (.44, .1), (.44, 3), (0, 3)], 4), accent, 96)
    lathe('button', fillet([(0, 6.05), (.36, 6.05), (.36, 6.16, .05), (0, 6.2)], 4), accent, 64)


def quoin_pen(finish='Brass', capped=False):
    bare = turned_brass()
    coat = bare if finish == 'Brass' else worn_coat()
    before = set(root().children)
    pen_body(coat, bare, metal('#c9cacc', .2))
    pen = group([o for o in root().children if o not in before])
    before = set(root().children)
    pen_cap(coat, bare)
    text('mark', 'SADDREL', .26, Mat('mark', '#5a4324' if finish == 'Brass' else '#b08a50', .5).m, (0, -.549, 3.2), (90, 90, 0), .002, SEMIBOLD, spacing=1.15)
    cap = group([o for o in root().children if o not in before])
    if capped:
        # the cap reaches down over nose and grip; both lie along X
        cap.parent = pen
        place(cap, (0, 0, 4.62), (180, 0, 0))
        place(pen, (-5.3, 0, .575), (0, 90, 0))
        return
    place(pen, (-6.1, 1.2, .575), (0, 90, 0))
    place(cap, (-2.6, -1.9, .545), (0, 90, 9))


def worn_coat():
    """Black coating, rubbed through to the brass along its edges."""
    m = Mat('coat', '#2f2e2e', .36)
    soft, geo, dot = m.n('Bevel', Radius=.05), m.n('NewGeometry'), m.n('VectorMath', operation='DOT_PRODUCT')
    m.l(soft.outputs[0], dot.inputs[0])
    m.l(geo.outputs['Normal'], dot.inputs[1])
    wear = m.math('MULTIPLY', m.map(dot.outputs['Value'], .995, .97, 0, 1), m.map(m.noise(m.coord(), 7, 4, .65), .45, .62, 0, 1))
    m.col(m.mix(wear, '#2f2e2e', '#c9ac74'))
    m.l(wear, m.p.inputs['Metallic'])
    return m.m


def turned_brass():
    """Solid brass off the lathe: fine turning marks round the axis, slightly uneven tarnish."""
    m = Mat('brass', '#c9ac74', .24, 1.)
    turn = m.noise(m.coord(scale=(.2, .2, 60)), 3, 3, .6)
    old = m.noise(m.coord(), .8, 4, .6)
    m.col(m.mix(m.map(old, .35, .7, 0, .5), '#c9ac74', '#a58350'))
    m.rgh(m.math('ADD', m.map(turn, .3, .7, .17, .27), m.map(old, .3, .7, 0, .08)))
    m.bump(turn, .0012, .5)
    return m.m


# ------------------------------------------------------------------ list
def colours(*names, key='colour'):
    return {n: {key: n} for n in names}


GOODS = {
    'portway-structured-tote': dict(build=portway_tote, args=dict(colour='Tan'), colours=colours('Tan', 'Black', 'Bottle Green'), views=[
        dict(az=-24, elev=12, fill=.84), dict(az=32, elev=24, fill=.84), dict(az=-20, elev=14, fill=2.0, shift=(.1, .12))]),
    'portway-slim-briefcase': dict(build=portway_briefcase, args=dict(colour='Tan'), colours=colours('Tan', 'Black'), views=[
        dict(az=-24, elev=12, fill=.84), dict(az=150, elev=18, fill=.84), dict(az=-18, elev=14, fill=1.9, shift=(.05, .14))]),
    'penny-card-wallet': dict(build=penny_wallet, args=dict(colour='Tan'), colours=colours('Tan', 'Black', 'Oxblood'), views=[
        dict(az=-22, elev=14, fill=.78), dict(az=152, elev=20, fill=.78, args=dict(cards=False)), dict(az=-30, elev=24, fill=2.0, shift=(-.35, -.1))]),
    'lido-round-sunglasses': dict(build=lido, samples=20, args=dict(colour='Tortoise'), colours=colours('Tortoise', 'Black', 'Olive'), views=[
        dict(az=-26, elev=14, fill=.82), dict(az=148, elev=24, fill=.82), dict(az=-14, elev=12, fill=2.0, shift=(-.2, 0))]),
    'margin-reading-glasses': dict(build=margin, samples=20, args=dict(colour='Honey'), colours=colours('Honey', 'Ink', 'Clear'), views=[
        dict(az=-26, elev=14, fill=.82), dict(az=40, elev=26, fill=.82), dict(az=-34, elev=14, fill=2.0, shift=(-.2, 0))]),
    'daybook-leather-notebook': dict(build=daybook, args=dict(colour='Tan'), colours=colours('Tan', 'Bottle Green', 'Ink'), views=[
        dict(az=-22, elev=12, fill=.82), dict(az=40, elev=22, fill=.82), dict(az=-40, elev=24, fill=2.0, shift=(-.3, -.62))]),
    'jotter-pocket-notebooks-set-of-three': dict(build=jotter_set, args=dict(colour='Sand'), colours=colours('Sand', 'Sage', 'Clay'), views=[
        dict(az=-8, elev=12, fill=.80), dict(az=-14, elev=44, fill=.80, args=dict(lying=True), studio=dict(light=dict(key=.75))), dict(az=30, elev=16, fill=1.8, shift=(.34, .16))]),
    'quoin-brass-rollerball-pen': dict(build=quoin_pen, args=dict(finish='Brass'), colours=colours('Brass', 'Black', key='finish'), views=[
        dict(az=-42, elev=24, fill=.84), dict(az=-36, elev=20, fill=.84, args=dict(capped=True)), dict(az=-34, elev=26, fill=2.2, shift=(.5, .1))]),
}
