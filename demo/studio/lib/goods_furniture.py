"""Fennholt furniture: solid-wood pieces at real size in centimetres, front towards -Y."""
from studio import *

# ------------------------------------------------------------------ wood
WOODS = {
    'Oak': dict(light='#cdac80', dark='#946e44', pore='#664a2e', rough=.46, ring=.55, grain=.006),
    'Walnut': dict(light='#76563f', dark='#3e291c', pore='#22150d', rough=.42, ring=.75, grain=.005),
    'Black Ash': dict(light='#3b3835', dark='#22201f', pore='#141312', rough=.46, ring=.7, grain=.014),
    'Vermilion': dict(light='#b93d2a', dark='#a23321', pore='#842516', rough=.40, ring=.7, grain=.010),
}


def timber(kind, axis='Z', board=None):
    """Solid wood cut from a log along `axis`: growth rings round an off-centre heart, fibres and pores.
    Every object gets its own cut and tone; `board` (cm) glues the surface up from boards of that width."""
    w = WOODS[kind]
    m = Mat('timber', w['light'], w['rough'])
    add = lambda a, b: m.math('ADD', a, b)
    mul = lambda a, b: m.math('MULTIPLY', a, b)
    xyz = m.n('SeparateXYZ')
    m.l(m.n('TexCoord').outputs['Object'], xyz.inputs[0])
    along, u, v = (xyz.outputs[i] for i in {'X': (0, 1, 2), 'Y': (1, 0, 2), 'Z': (2, 0, 1)}[axis])
    seed = m.n('ObjectInfo').outputs['Random']
    if board:
        index = m.math('FLOOR', m.math('DIVIDE', u, board))
        white = m.n('TexWhiteNoise', noise_dimensions='1D')
        m.l(add(index, mul(seed, 50.)), white.inputs['W'])
        seed = white.outputs[0]
        u = m.math('SUBTRACT', u, mul(index, board))

    def vector(a, b, c):
        x = m.n('CombineXYZ')
        for sock, q in zip(x.inputs, (a, b, c)):
            m.l(q, sock)
        return x.outputs[0]

    shift = mul(seed, 90.)
    slow = vector(add(mul(u, .10), shift), mul(v, .10), add(mul(along, .018), shift))
    fine = vector(add(u, shift), v, add(mul(along, .03), shift))
    # growth rings: distance from a heart some centimetres below the surface, wandering along the log
    du = add(add(u, add(mul(seed, 9.), -5.)), mul(add(m.noise(slow, 1.1, 1), -.5), 9.))
    dv = add(add(v, 6.5), mul(add(m.noise(slow, .8, 1), -.5), 11.))
    radius = m.math('SQRT', add(mul(du, du), mul(dv, dv)))
    radius = add(radius, mul(m.noise(fine, 1.2, 2), .22))
    ring = m.ramp(m.math('FRACT', m.math('DIVIDE', radius, w['ring'])), [(0, .12), (.55, .35), (.88, 1.), (1., .12)])
    fibre = m.noise(fine, 9, 4, .65)
    pores = m.map(m.noise(fine, 26, 2, .6), .56, .72, 0, 1)
    tone = m.noise(slow, 2.2, 2)
    f = add(add(mul(ring, .46), mul(m.map(fibre, .3, .7, 0, 1), .36)), m.map(tone, .3, .7, -.12, .24))
    col = m.mix(m.math('MINIMUM', m.math('MAXIMUM', f, 0.), 1.), w['light'], w['dark'])
    col = m.mix(mul(pores, add(mul(ring, .4), .25)), col, w['pore'])
    hsv = m.n('HueSaturation')
    m.l(col, hsv.inputs['Color'])
    m.l(m.map(seed, 0, 1, .92, 1.06), hsv.inputs['Value'])
    m.col(hsv.outputs[0])
    m.bump(m.math('SUBTRACT', fibre, mul(pores, .8)), w['grain'], .6)
    m.rgh(m.map(fibre, .3, .7, w['rough'] - .05, w['rough'] + .1))
    return m.m


def brass():
    return metal('#cfa668', .24)


# ------------------------------------------------------------------ shapes
def post(name, path, radius, mat, edge=.25, seg=40, n=48):
    """Upright turned part: level circles along a rising path, so that both ends are cut flat.
    `radius` is a list of radii spread evenly from the lower end to the upper one."""
    path = resample(path if len(path) > 2 else np.linspace(*np.asarray(path, float), 8), n)
    t = np.linspace(0, 1, n)
    r = PchipInterpolator(np.linspace(0, 1, len(radius)), radius)(t)
    q = np.linspace(0, np.pi / 2, 6)
    z = np.r_[path[0, 2] + edge * (1 - np.cos(q)), path[1:-1, 2], path[-1, 2] - edge * (1 - np.sin(q))]
    inset = np.r_[edge * (1 - np.sin(q)), np.zeros(n - 2), edge * (1 - np.cos(q))]
    order = np.argsort(z, kind='stable')
    z, inset = z[order], inset[order]
    x, y, r = (np.interp(z, path[:, 2], k) for k in (path[:, 0], path[:, 1], r))
    ring = circle(1, seg)
    P = [np.c_[x[i] + ring[:, 0] * (r[i] - inset[i]), y[i] + ring[:, 1] * (r[i] - inset[i]), np.full(seg, z[i])]
         for i in range(len(z))]
    return grid(name, np.array(P), mat, cap0=True, cap1=True)


def rod(name, a, b, r, mat, swell=0., seg=28):
    """Round rail between two points, a little thicker in the middle when `swell` > 0."""
    t = np.linspace(0, 1, 24)
    return tube(name, np.linspace(a, b, 24), r + swell * np.sin(np.pi * t), mat, seg, smooth=60)


def hollow(k, dish):
    """Depth of a carved seat at the fraction k of the way from its middle to its rim."""
    s = np.clip((1 - k) / .55, 0, 1)
    return dish * s * s * (3 - 2 * s)


def dished_seat(name, outline, top, thick, dish, mat, under=.55, edge=.5):
    """Seat carved from a board: rounded upper edge, hollow of depth `dish`, chamfered underside."""
    rings = [np.c_[outline * k, np.full(len(outline), top - thick)] for k in (.05, .5, 1 - under * .12)]
    low = offset2d(outline, under)
    rings.append(np.c_[low, np.full(len(low), top - thick)])
    for a in np.linspace(0, np.pi / 2, 6):
        o = offset2d(outline, .3 * (1 - math.sin(a)))
        rings.append(np.c_[o, np.full(len(o), top - thick + under + .3 * (1 - math.cos(a)))])
    for a in np.linspace(0, np.pi / 2, 7):
        o = offset2d(outline, edge * (1 - math.cos(a)))
        rings.append(np.c_[o, np.full(len(o), top - edge * (1 - math.sin(a)))])
    rim = offset2d(outline, edge)
    for k in np.r_[np.linspace(.985, .1, 34), .02]:
        rings.append(np.c_[rim * k, np.full(len(rim), top - hollow(k, dish))])
    return grid(name, np.array(rings), mat, cap0=True, cap1=True, smooth=50)


def knob(r, depth, mat, loc):
    """Turned drawer knob that points to the front."""
    prof = fillet([(0, 0), (r * .55, 0), (r * .45, depth * .5, .2), (r, depth * .72, .25), (r, depth, .3), (0, depth + .12)], 6)
    return place(lathe('knob', prof, mat, 64), loc, (90, 0, 0))


def slotted_screw(mat, loc, rot, r=.55):
    """Brass screw head with a slot."""
    head = lathe('screw', fillet([(0, 0), (r, 0), (r, .12, .08), (0, .2)], 5), mat, 40)
    slot = box('slot', (r * 1.5, .12, .04), (0, 0, .17), Mat('slot', '#3b2d18', .6).m, 0)
    return group([head, slot], loc, rot)


# ------------------------------------------------------------------ seats
def chair_seat_outline():
    """Wider at the front, with generous corners."""
    return resample(fillet([(23.2, -21, 6), (19.6, 19.5, 7), (-19.6, 19.5, 7), (-23.2, -21, 6)], 12, True), 320, True)


def alder_chair(kind='Oak'):
    up, across, deep = (timber(kind, a) for a in 'ZXY')
    top = 45.
    dished_seat('seat', chair_seat_outline(), top, 2.8, 1.3, across, under=.9)
    # back rail: one bent length, tall behind and slim at the elbows
    half = [(25.0, -8.5, 66.9), (25.2, -3, 67.1), (24.6, 6, 68.3), (20.6, 16.5, 70.6), (12, 23.2, 72.3), (0, 25.3, 72.9)]
    path = spline(half + [(-x, y, z) for x, y, z in half[-2::-1]], 180)
    t = abs(np.linspace(-1, 1, 180))
    tall = np.interp(t, [0, .3, .62, 1], [3.5, 3.1, 1.75, 1.35])
    thick = np.interp(t, [0, .5, .8, 1], [1.05, 1.15, 1.5, 1.45])
    close = np.sqrt(np.clip(1 - np.clip((t - .965) / .035, 0, 1)**2, .0004, 1))
    sweep('rail', path, superellipse(1, 1, 2.8, 48), across, np.c_[thick * close, tall * close], up=(0, 0, 1), smooth=60)
    for s in (-1, 1):
        post('front leg', [(s * 23.2, -22, 0), (s * 19.3, -16.6, top + .06)], [1.15, 1.65, 1.85, 1.5], up, .12)
        post('back leg', spline([(s * 21.5, 23.2, 0), (s * 18.2, 16.2, 30), (s * 17.4, 14.9, top), (s * 18.3, 16.4, 58), (s * 20.5, 17.0, 70.5)], 50),
             [1.15, 1.75, 1.9, 1.6, 1.25], up)
        post('arm post', spline([(s * 20.6, -3.5, top - 2.5), (s * 22.9, -3.4, 56), (s * 25.1, -2.6, 67)], 30), [1.0, 1.15, .9], up, .1)
        rod('side rail', (s * 21.4, -19.5, 21), (s * 19.7, 19.6, 21), .8, deep, .3)
    rod('cross rail', (-20.6, 0, 21), (20.6, 0, 21), .8, across, .3)


def coppice_stool(kind='Oak'):
    up, across = timber(kind, 'Z'), timber(kind, 'X', 11.5)
    top = 45.
    dished_seat('seat', circle(17, 160), top, 3.4, 1.1, across, under=1.3, edge=.7)
    wedge = timber('Walnut' if kind == 'Oak' else kind, 'Z')
    reach = 11.6
    end = top - hollow((reach + 1.7) / 16.3, 1.1) + .08                  # the tenons stand a little proud
    for angle in (-90, 30, 150):
        c, s = math.cos(R(angle)), math.sin(R(angle))
        post('leg', [(16.6 * c, 16.6 * s, 0), (reach * c, reach * s, end)], [1.45, 1.95, 2.15, 1.9, 1.7], up, .14)
        box('wedge', (3.0, .34, .6), (reach * c, reach * s, end - .27), wedge, .03, rot=(0, 0, angle + 90))


def lath_bench(kind='Oak'):
    length, slats, width, gap = 110., 9, 3.05, 1.06
    up, along, deep = (timber(kind, a) for a in 'ZXY')
    for i in range(slats):
        y = (i - (slats - 1) / 2) * (width + gap)
        o = fillet([(width / 2, -1.2, .25), (width / 2, 1.2, .75), (-width / 2, 1.2, .75), (-width / 2, -1.2, .25)], 6, True)
        ends = fillet([(-length / 2, 0), (-length / 2, 1, .35), (length / 2, 1, .35), (length / 2, 0)], 5)
        P = [np.c_[np.full(len(o), x), y + o[:, 0] * (1 - .25 * (1 - k)), 43.8 + o[:, 1] * (1 - .3 * (1 - k))] for x, k in ends]
        grid('slat', np.array(P), along, cap0=True, cap1=True)
    for s in (-1, 1):
        x = s * 44.
        box('bearer', (4.2, 34, 3.2), (x, 0, 41), deep, .3)
        for f in (-1, 1):
            bench_leg(x, s, f, up)
        box('foot rail', (2.6, 27.8, 3.4), (x + s * 1.65, 0, 13), deep, .3)
    for y in (-7.2, 0, 7.2):
        rod('shoe rail', (-46, y, 14.2), (46, y, 14.2), 1.05, along)


def bench_leg(x, s, f, mat):
    """Square leg, tapered and splayed a little outwards."""
    rings = []
    for t in np.r_[np.linspace(0, .012, 4), np.linspace(.05, 1, 12)]:
        edge = .3 * (1 - math.sqrt(max(0, 1 - (1 - min(t / .012, 1))**2)))
        o = rrect(3.1 + 1.1 * t - edge, 3.1 + 1.1 * t - edge, .55, 5)
        rings.append(np.c_[o[:, 0] + x + s * 2.4 * (1 - t), o[:, 1] + f * (14.6 + .8 * (1 - t)), np.full(len(o), 41.6 * t)])
    grid('leg', np.array(rings), mat, cap0=True, cap1=True)


# ------------------------------------------------------------------ tables
def plinth_table(kind='Oak'):
    up, across = timber(kind, 'Z'), timber(kind, 'X', 13.5)
    tray = fillet([(0, 45.6), (17.2, 45.6, .6), (19.6, 46.6, .8), (20, 47.4, .3), (20, 48, .28), (19.2, 48, .28), (18.7, 47.35, .45), (0, 47.3)], 8)
    lathe('top', tray, across, 220, 50)
    # drum: smooth foot and shoulder, hollow flutes between them
    flutes, step = 40, 20
    a = np.linspace(0, 2 * np.pi, flutes * step, endpoint=False)
    z = np.r_[0, np.linspace(0, .5, 6)[1:], np.linspace(.8, 44.8, 150), np.linspace(45.1, 45.6, 6)]
    body = PchipInterpolator([0, 5, 15, 23, 33, 41, 45.6], [13.6, 13.6, 13.2, 13.0, 13.2, 13.6, 13.6])(z)
    body -= .5 * (1 - np.sqrt(np.clip(1 - (1 - np.clip(np.minimum(z, 45.6 - z) / .5, 0, 1))**2, 0, 1)))
    run = np.clip(np.minimum(z - 6.4, 39.4 - z) / 1.0, 0, 1)
    depth = .8 * np.sqrt(1 - (1 - run)**2)
    scoop = 2 * ((a * flutes / (2 * np.pi)) % 1) - 1
    scoop = np.sqrt(np.clip(1 - (scoop / .86)**2, 0, 1))               # leaves a flat arris between two flutes
    r = body[:, None] - depth[:, None] * scoop[None]
    P = np.stack([r * np.cos(a), r * np.sin(a), np.repeat(z[:, None], len(a), 1)], -1)
    grid('drum', P, up, cap0=True, cap1=True, smooth=32)


def commons_table(kind='Oak'):
    up, across = timber(kind, 'Z'), timber(kind, 'X', 15.)
    top = fillet([(0, 71.2), (47, 71.2, 6), (59.3, 72.9, .5), (60, 73.4, .5), (60, 74, .35), (0, 74)], 8)
    lathe('top', top, across, 260, 40)
    # a flat round foot, a shadow gap, and a broad shaft that narrows evenly towards a plain collar
    lathe('foot', fillet([(0, 0), (30.6, 0, .3), (31, 1.2, .8), (30.2, 3.0, 1.0), (0, 3.5)], 8), across, 200, 40)
    lathe('gap', [(15, 3), (15, 4.3)], plastic('#1d1916', .7), 96)
    foot = [(0, 4.2), (16.6, 4.2, .3), (16.8, 5.0, .6)]
    shaft = [(16.1, 20), (14.6, 38), (13.0, 56), (12.2, 66)]
    head = [(12.1, 67.4, .5), (17.5, 67.8, .3), (17.5, 69, .3), (0, 69)]
    lathe('column', fillet(foot + shaft + head, 8), up, 200, 40)
    lathe('block', fillet([(0, 68.9), (24, 68.9), (24, 71.3), (0, 71.3)], 4), across, 120)
    for y in (-14, 14):
        box('steel bar', (84, 4, .8), (0, y, 70.9), plastic('#232323', .5), .1)


def copse_desk(kind='Oak', drawer_open=0.):
    up, along, deep = (timber(kind, a) for a in 'ZXY')
    wide, depth, high = 125., 60., 74.5
    metal_fit, felt = brass(), Mat('shadow', '#15110d', .9).m
    end_grain = Mat('end grain', WOODS[kind]['dark'], .6).m
    # top with the cable slot before its back strip
    box('top', (wide, depth - 5.2, 2.4), (0, -2.6, high - 1.2), timber(kind, 'X', 14.), .28, 4)
    box('strip', (wide, 3.6, 2.4), (0, depth / 2 - 1.8, high - 1.2), along, .28, 4)
    box('tray', (112, 7, 4), (0, depth / 2 - 5, high - 6.5), felt, .2)
    # case: ends, back, bottom and front frame
    z0, z1, w, front = 62.6, high - 2.4, 116., -26.4
    for s in (-1, 1):
        box('end', (1.8, 50, z1 - z0), (s * (w / 2 - .9), front + 25, (z0 + z1) / 2), deep, .2)
        box('bay wall', (1.2, 44, z1 - z0 - 1), (s * 1.2, front + 25, (z0 + z1) / 2), deep, 0)
    box('back', (w - 3, 1.6, z1 - z0), (0, front + 49.2, (z0 + z1) / 2), along, .15)
    box('bottom', (w - 3.4, 48, 1.2), (0, front + 24.6, z0 + .6), along, .1)
    box('muntin', (2.4, 1.8, z1 - z0), (0, front + .9, (z0 + z1) / 2), up, .15)
    bay = (w - 3.6 - 2.4) / 2
    for s in (-1, 1):
        pull = drawer_open if s > 0 else 0.
        drawer(s * (bay / 2 + 1.2), front - pull, z0 + 1.35, bay - .4, 44, z1 - z0 - 1.7, along, end_grain, metal_fit)
        for f in (-1, 1):
            x, y = s * (w / 2 - 4.2), (front + 4.2 if f < 0 else front + 45.6)
            post('leg', [(x + s * 1.6, y + f * 1.4, 0), (x, y, z0)], [1.35, 1.8, 2.3, 2.75], up, .2)
            place(lathe('collar', fillet([(2.2, 0), (2.95, 0, .1), (2.95, .5, .1), (2.2, .5)], 4), metal_fit, 64), (x, y, z0 - .5))


def drawer(x, front, z, w, depth, h, along, end_grain, fit):
    """Dovetailed drawer with a plain front and a turned brass knob; its front face lies at y = front."""
    mid = z + h / 2
    box('drawer front', (w, 1.9, h), (x, front + .95, mid), along, .18)
    pale = timber('Oak', 'Y')
    for s in (-1, 1):
        box('drawer side', (1.1, depth, h - 1.2), (x + s * (w / 2 - .65), front + 1.5 + depth / 2, mid - .2), pale, .1)
        tails(x + s * (w / 2 - .11), front + 1.6, mid - .2, h - 1.2, end_grain)
    box('drawer bottom', (w - 2, depth, .6), (x, front + 1.5 + depth / 2, z + .9), pale, 0)
    knob(1.15, 2.3, fit, (x, front, mid))


def tails(x, y, z, h, mat):
    """Dovetail pins let into a drawer side, flush with its face."""
    count = 4
    for i in range(count):
        zc = z - h / 2 + h * (i + .5) / count
        a, b = h / count * .16, h / count * .30
        o = np.array([(0, -b), (1.25, -a), (1.25, a), (0, b)])
        mesh_obj('pin', [(x + dx, y + p[0], zc + p[1]) for dx in (-.04, .04) for p in o],
                 [(0, 1, 2, 3), (7, 6, 5, 4), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)], mat, None)


# ------------------------------------------------------------------ storage
def books(x, z, widths, seed):
    """A row of cloth-bound books standing on a shelf from x on, to show the scale."""
    rng = np.random.default_rng(seed)
    cloths = ['#8a3b2c', '#2f4a44', '#c8b48e', '#37405a', '#a97c3f', '#e2dccf', '#5b5a45']
    for w in widths:
        tall, deep = rng.uniform(20, 25.5), rng.uniform(14, 18)
        cloth = fabric(cloths[rng.integers(len(cloths))], 20, .006)
        o = resample(fillet([(w / 2, -deep / 2, w * .3), (w / 2, deep / 2), (-w / 2, deep / 2), (-w / 2, -deep / 2, w * .3)], 6, True), 80, True)
        place(slab('book', o, 0, tall, cloth, .1, 2), (x + w / 2, rng.uniform(-1.5, -.5), z))
        x += w + .08


def rung_bookcase(kind='Oak', filled=False):
    up, deep = timber(kind, 'Z'), timber(kind, 'Y')
    fit = brass()
    high, x, y = 178., 41.6, 12.4
    for sx in (-1, 1):
        for sy in (-1, 1):
            post('upright', [(sx * x, sy * y, 0), (sx * x, sy * y, high)], [1.75, 1.75], up, .6)
    for top in (12., 57., 97.5, 135.5, 170.):
        slab('shelf', rrect(90, 32, 3.4, 20), top - 2.2, top, timber(kind, 'X', 16.), .35, 5)
        for sx in (-1, 1):
            rod('rung', (sx * x, -y, top - 3.3), (sx * x, y, top - 3.3), .85, deep, .35)
            for sy in (-1, 1):
                peg = fillet([(0, 0), (1.0, 0), (1.0, .5, .25), (.6, .75, .2), (0, .8)], 5)
                place(lathe('peg', peg, deep, 40), (sx * x, sy * (y + 1.6), top - 3.3), (90 if sy < 0 else -90, 0, 0))
                slotted_screw(fit, (sx * 44.97, sy * y, top - 1.1), (0, sx * 90, 30 * sy), .62)
    if filled:
        books(-38, 57, (3.2, 2.4, 4.1, 2.8, 3.6, 2.2), 4)
        books(12, 97.5, (2.6, 3.4, 2.9, 2.2, 3.1), 9)
        books(-30, 135.5, (2.2, 3.0, 2.5, 3.8, 2.1, 2.7, 3.3), 15)


def tambour_sideboard(kind='Walnut', slid=0):
    """`slid`: by how many slats the left door stands open."""
    up, along, deep = (timber(kind, a) for a in 'ZXY')
    w, d, r, z0, z1 = 160., 44., 11., 16., 72.
    outline = rrect(w, d, r, 40)
    slab('top', outline, z1 - 2.4, z1, timber(kind, 'X', 22.), .5, 6)
    slab('bottom', outline, z0, z0 + 2.4, timber(kind, 'X', 22.), .5, 6)
    inside = (z0 + 2.4, z1 - 2.4)
    mid, tall = sum(inside) / 2, inside[1] - inside[0]
    box('back', (w - 2 * r, 1.2, tall), (0, d / 2 - 1.4, mid), along, 0)
    box('centre', (2.2, d - 4.5, tall), (0, .6, mid), deep, .1)
    for s in (-1, 1):
        side_wall(s, w, d, r, inside, timber(kind, 'Z', 16.))
        box('inner wall', (1.4, d - 5, tall), (s * (w / 2 - 6), .4, mid), deep, 0)
        for z in (mid - 7, mid + 9):
            box('shelf', (w / 2 - 7.6, d - 7, 1.8), (s * (w / 4 - 3), 1.2, z), along, .15)
        for f in (-1, 1):
            x, y = s * (w / 2 - 15), f * (d / 2 - 8)
            post('leg', [(x + s * 3, y + f * 1.6, 0), (x, y, z0 + .1)], [1.35, 1.9, 2.5], up, .2)
    box('front stretcher', (w - 34, 2.4, 4), (0, -d / 2 + 8, z0 - 1.9), along, .2)
    tambour_doors(w, d, r, inside, kind, slid)


def side_wall(s, w, d, r, inside, mat):
    """End of the case, turning round the back corner."""
    o = [(s * (w / 2 - .5), -d / 2 + r), (s * (w / 2 - .5), d / 2 - r)]
    o += [(s * (w / 2 - r + (r - .5) * math.cos(a)), d / 2 - r + (r - .5) * math.sin(a)) for a in np.linspace(0, np.pi / 2, 20)[1:]]
    P = np.array([[(x, y, z) for x, y in o] for z in inside])
    grid('side', P, mat, cv=False, smooth=60)


def tambour_doors(w, d, r, inside, kind, slid):
    """Eighty-four half-round slats along the front and round both corners, with a grip where the doors meet."""
    mat = timber(kind, 'Z')
    arc = np.pi / 2 * r
    length, count = w - 2 * r + 2 * arc, 84
    grip = 1.7                                                       # width of the grip strip of each door
    pitch = (length - 2 * grip) / count
    half = pitch / 2 - .04
    prof = np.vstack([[(-half, .55), (-half, 0)], [(half * -math.cos(a), -.62 * math.sin(a)**.8) for a in np.linspace(.12, np.pi - .12, 14)], [(half, 0), (half, .55)]])

    def at(s):
        """Point and outward direction on the front, s measured from the middle."""
        straight = w / 2 - r
        if abs(s) <= straight:
            return np.array((s, -d / 2 + .75)), np.array((0., -1.))
        a = (abs(s) - straight) / r
        out = np.array((math.copysign(math.sin(a), s), -math.cos(a)))
        return np.array((math.copysign(straight, s), -d / 2 + r)) + out * (r - .75), out

    def strip(name, s, prof):
        p, out = at(s)
        side = np.array((-out[1], out[0]))
        o = p + prof[:, :1] * side - prof[:, 1:] * out
        grid(name, np.array([np.c_[o, np.full(len(o), z)] for z in inside]), mat, smooth=50)

    handle = fillet([(-grip / 2, .6), (-grip / 2, -1.0, .3), (grip / 2, -1.0, .3), (grip / 2, .6)], 6)
    for side in (-1, 1):
        moved = slid if side < 0 else 0
        strip('grip', side * (grip / 2 + .03 + moved * pitch), handle)
        for i in range(moved, count // 2):
            strip('slat', side * (grip + .05 + (i + .5) * pitch), prof)


# ------------------------------------------------------------------ list
def colours(*names):
    return {n: dict(kind=n) for n in names}


GOODS = {
    'alder-dining-chair': dict(build=alder_chair, args=dict(kind='Oak'), colours=colours('Oak', 'Walnut', 'Black Ash'), views=[
        dict(az=-30, elev=14, fill=.82), dict(az=146, elev=16, fill=.82), dict(az=-24, elev=24, fill=1.75, shift=(0, -.34))]),
    'plinth-side-table': dict(build=plinth_table, args=dict(kind='Oak'), colours=colours('Oak', 'Walnut', 'Black Ash'), views=[
        dict(az=-12, elev=14, fill=.78), dict(az=40, elev=32, fill=.78), dict(az=-12, elev=20, fill=1.7, shift=(.1, -.36))]),
    'copse-writing-desk': dict(build=copse_desk, args=dict(kind='Oak'), colours=colours('Oak', 'Walnut'), views=[
        dict(az=-18, elev=17, fill=.84), dict(az=150, elev=24, fill=.84), dict(az=-52, elev=24, fill=2.1, shift=(.2, -.2), args=dict(drawer_open=17.))]),
    'coppice-stool': dict(build=coppice_stool, args=dict(kind='Oak'), colours=colours('Oak', 'Black Ash', 'Vermilion'), views=[
        dict(az=-14, elev=16, fill=.80), dict(az=38, elev=34, fill=.80), dict(az=-14, elev=34, fill=1.6, shift=(0, -.42))]),
    'rung-open-bookcase': dict(build=rung_bookcase, args=dict(kind='Oak'), colours=colours('Oak', 'Walnut'), views=[
        dict(az=-24, elev=8, fill=.86), dict(az=32, elev=12, fill=.86, args=dict(filled=True)), dict(az=-34, elev=17, fill=3.6, shift=(-.42, -.7))]),
    'lath-hallway-bench': dict(build=lath_bench, args=dict(kind='Oak'), colours=colours('Oak', 'Black Ash'), views=[
        dict(az=-20, elev=21, fill=.84), dict(az=38, elev=26, fill=.84), dict(az=-36, elev=26, fill=2.2, shift=(.5, -.36))]),
    'commons-round-dining-table': dict(build=commons_table, args=dict(kind='Oak'), colours=colours('Oak', 'Walnut'), views=[
        dict(az=-16, elev=12, fill=.84), dict(az=30, elev=26, fill=.84), dict(az=-16, elev=22, fill=1.9, shift=(.2, -.32))]),
    'tambour-sideboard': dict(build=tambour_sideboard, args=dict(kind='Walnut'), colours=colours('Walnut', 'Oak'), views=[
        dict(az=-18, elev=12, fill=.86), dict(az=-34, elev=16, fill=.84, args=dict(slid=26)), dict(az=-36, elev=18, fill=2.1, shift=(-.62, -.12))]),
}
