"""Lamps, lights and candlesticks of the house brand Fennholt.

Lamps are shown lit: the source is an emitting surface, and a point light of the same colour makes the pool
on the ground. A cable leaves the picture and does not count for the framing."""
from studio import *
from goods_watches import knurled, plank, powder, hang

WARM = '#ffcf96'                                # about 2,700 K


# ------------------------------------------------------------------ general parts
def glow(at, power, size=2., colour=WARM):
    """A soft point light that moves with the lamp."""
    light = bpy.data.lights.new('glow', 'POINT')
    light.energy, light.color, light.shadow_soft_size = power, lin(colour)[:3], size
    ob = bpy.data.objects.new('glow', light)
    bpy.context.scene.collection.objects.link(ob)
    ob.parent, ob.location = root(), at
    return ob


def unframed(*obs):
    for o in obs:
        o['noframe'] = 1
    return obs[0]


def lit(colour='#ffe3b8', strength=3.):
    return emission(colour, strength)


def opal(strength=1.1, colour='#ffdcae', edge=.62):
    """Lit opal glass: a glossy skin, a little darker towards the limb."""
    m = Mat('opal', '#efe6d8', .12, Coat_Weight=.5, Coat_Roughness=.03)
    facing = m.n('LayerWeight', Blend=.35)
    m.set('Emission Color', lin(colour))
    m.l(m.map(facing.outputs['Facing'], 0, 1, strength, strength * edge), m.p.inputs['Emission Strength'])
    return m.m


def linen(colour, glow_top, glow_bottom, z0, z1, warm='#ffbf7a'):
    """Linen lit from behind: slubby threads, brighter where the bulb is near. z0 and z1 are the shade's ends."""
    m = Mat('linen', colour, .9, Sheen_Weight=.2)
    u = m.noise(m.coord('UV', (26, 1.1, 1)), 1., 3, .6)
    v = m.noise(m.coord('UV', (1.1, 26, 1)), 1., 3, .6)
    slub = m.math('ADD', m.math('MULTIPLY', u, .5), m.math('MULTIPLY', v, .5))
    m.bump(slub, .03, .5)
    m.col(m.mix(m.map(slub, .38, .62, 0, .55), colour, '#a08d6c'))
    sep = m.n('SeparateXYZ')
    m.l(m.coord(), sep.inputs[0])
    m.l(m.mix(m.map(slub, .38, .62, 0, .7), '#ffe0b4', warm), m.p.inputs['Emission Color'])
    m.l(m.map(sep.outputs[2], z0, z1, glow_bottom, glow_top, True), m.p.inputs['Emission Strength'])
    return m.m


def fabric_cable(points, r=.26, colour='#35312c', second='#8a7a60', n=200):
    return unframed(tube('cable', spline(points, n), r, fabric(colour, 14, .02, second), 16))


def cable_to_the_right(x, y, z=.26, far=75):
    """A cable that leaves a base at (x, y) and runs off to the right behind, until it is out of the picture."""
    return fabric_cable([(x, y, .7), (x + .3, y + 2, .4), (x + 3, y + 5, z), (x + 9, y + 6, z), (x + 17, y + 9, z),
                         (x + 32, y + 18, z), (x + far, y + 18 + .37 * (far - 32), z)])


def inline_switch(at, turn, mat):
    """A small rounded box on the cable with a wheel let into it."""
    body = slab('switch', superellipse(3.0, 1.25, 3.2, 96), 0, 1.7, mat, .6, 8)
    wheel = place(knurled('wheel', .75, [(.6, -.2, 0), (.95, -.2, 0), (1, -.1, 1), (1, .1, 1), (.95, .2, 0), (.6, .2, 0)], mat, 30), (.4, 0, 1.5), (90, 0, 0))
    return group([unframed(body), unframed(wheel)], at, (0, 0, turn))


def shell(name, outer, thick, coat, inside, lip=None):
    """A spun shade from rim to crown: outer skin, inner skin and a rolled lip. outer: (r, z) from the rim upwards."""
    outer = np.asarray(outer, float)
    d = np.gradient(outer, axis=0)
    d /= np.linalg.norm(d, axis=1)[:, None]
    inner = outer - np.c_[d[:, 1], -d[:, 0]] * thick
    inner = inner[inner[:, 0] > thick]
    obs = [lathe(name, outer, coat, 256, 60), lathe(name + '_in', inner, inside, 256, 60)]
    r = lip or thick * .75
    a = np.linspace(0, 2 * np.pi, 25)
    c = (outer[0] + inner[0]) / 2
    obs.append(lathe(name + '_lip', np.c_[c[0] + r * np.cos(a), c[1] + r * np.sin(a)], coat, 256, 180))
    return obs


def disc_base(r, h, mat, rise=.4, neck=1.2):
    """A weighted foot: straight edge with a fillet, the top rising a little to the stem."""
    return lathe('base', fillet([(0, 0), (r - .15, 0, .1), (r, .18, .15), (r, h, min(.35, h * .4)), (neck * 1.8, h + rise, neck), (neck, h + rise * 2, .3), (0, h + rise * 2)], 8), mat, 224, 40)


def rod(p, q, r, mat, name='rod', seg=32):
    return tube(name, np.linspace(p, q, 12), r, mat, seg, round_ends=False)


def pin(at, r, half, mat, cap_mat=None):
    """A joint that turns about the Y axis, with knurled ends."""
    obs = [place(lathe('joint', fillet([(0, -half), (r, -half, .12), (r, half, .12), (0, half)], 5), mat, 64), at, (90, 0, 0))]
    if cap_mat:
        for side in (-1, 1):
            obs.append(place(knurled('knob', r * .78, [(.5, 0, 0), (1, 0, 1), (1, .42, 1), (.95, .5, .3), (.8, .54, 0), (.2, .54, 0)], cap_mat, 32, .05),
                             (at[0], at[1] + side * half, at[2]), (90 if side < 0 else -90, 0, 0)))
    return obs


def coil(p, q, r, wire, turns, mat):
    """A drawn spring between two points."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    d = (q - p) / np.linalg.norm(q - p)
    side = np.cross(d, (0, 1, 0))
    t = np.linspace(0, 1, turns * 20)
    a = t * turns * 2 * np.pi
    path = p + (q - p) * t[:, None] + r * (np.cos(a)[:, None] * side + np.sin(a)[:, None] * np.array((0, 1., 0)))
    return tube('spring', path, wire, mat, 10)


def tipped(obs, at, angle):
    """A group that hangs at a point and is turned about the Y axis."""
    return group(obs, at, (0, angle, 0))


def new_since(before):
    return [o for o in root().children if o not in before]


SATIN_WHITE = '#f7f3ea'


# ------------------------------------------------------------------ lamps
def heron(colour='#cdb797', knob='#c9a36a'):
    coat, steel, brass = powder(colour, .42), metal('#9d9ea0', .25), metal(knob, .24)
    j1, arm1, arm2 = np.array((-7., 0, 6.2)), 29., 28.
    j2 = j1 + arm1 * np.array((math.cos(R(112)), 0, math.sin(R(112))))
    j3 = j2 + arm2 * np.array((math.cos(R(24)), 0, math.sin(R(24))))
    place(disc_base(9, 1.5, powder(colour, .5), .25, 1.1), (j1[0], 0, 0))
    rod((j1[0], 0, 1.5), j1, .75, coat, 'post')
    for y in (-.95, .95):
        rod(j1 + (0, y, 0), j2 + (0, y, 0), .42, coat)
        rod(j2 + (0, y, 0), j3 + (0, y, 0), .42, coat)
    d = (j2 - j1) / arm1
    coil(j1 + d * 3.2, j1 + d * 12, .48, .085, 22, steel)
    rod(j1 + d * 1, j1 + d * 3.4, .14, steel)
    rod(j1 + d * 11.8, j1 + d * 20, .14, steel)
    pin(tuple(j1 + d * 20), .3, 1.2, steel)
    for j in (j1, j2, j3):
        pin(tuple(j), 1.05, 1.5, coat, brass)
    before = set(root().children)
    prof = spline([(6.6, -13.2), (6.0, -9.0), (5.1, -5.2), (4.2, -2.6), (2.9, -1.2), (1.2, -.8)], 70)
    shell('shade', prof, .16, coat, plastic(SATIN_WHITE, .5), .17)
    lathe('cap', fillet([(0, -1.1), (1.55, -1.1, .1), (1.55, .0, .3), (.7, .5, .3), (0, .6)], 6), coat, 96)
    lathe('vents', fillet([(1.6, -1.0), (1.66, -.9, .03), (1.66, -.7, .03), (1.6, -.6)], 3), brass, 96)
    lathe('led', [(0, -8.6), (4.9, -8.6)], lit('#ffe6c4', 5.), 128)
    tipped(new_since(before), tuple(j3 + (.35, 0, -.9)), -14)
    glow(tuple(j3 + (3.4, 0, -12.5)), 4200, 2.5, '#ffdcb0')
    cable_to_the_right(j1[0], 8.4)


def reactive_glaze(colour, warm, ribs):
    """Stoneware glaze that breaks to a warmer tone on the throwing ribs (ribs: radians per cm of height)."""
    m = Mat('reactive', colour, .3, Coat_Weight=.45, Coat_Roughness=.12)
    sep = m.n('SeparateXYZ')
    v = m.coord()
    m.l(v, sep.inputs[0])
    wave = m.math('SINE', m.math('MULTIPLY', sep.outputs[2], ribs))
    broken = m.math('ADD', m.math('MULTIPLY', wave, .22), m.map(m.noise(v, .17, 4, .55), .3, .7, -.9, .9))
    m.col(m.mix(m.map(broken, -.35, 1., 0, .75, True), colour, warm))
    m.bump(m.noise(v, 1.4, 3), .02, .4)
    m.rgh(m.map(broken, -.5, 1, .24, .42))
    return m.m


def dune(glaze='#d9d2c4', warm='#a8835c', shade='#e9dfcb'):
    ribs = 2 * np.pi / .95                      # one throwing rib every 9.5 mm
    ceramic_m, brass = reactive_glaze(glaze, warm, ribs), metal('#c9a36a', .26)
    lower = spline([(6.0, 0), (8.8, 1.6), (10.6, 5.4), (9.9, 9.6), (7.6, 12.6), (6.5, 13.6)], 120)
    upper = spline([(6.5, 13.75), (7.5, 14.6), (8.3, 17.0), (7.2, 20.2), (4.4, 22.6), (2.3, 23.6), (1.9, 24.4)], 110)
    lower, upper = [p + np.c_[.04 * np.sin(p[:, 1] * ribs) * np.clip(p[:, 1] / 1.5, 0, 1), np.zeros(len(p))] for p in (lower, upper)]
    lathe('foot', fillet([(0, .3), (5.2, .3, .2), (5.5, 0, .1), (6.0, 0, .1), (6.1, .1)], 5), plastic('#a98b6c', .85, .02, scale=20), 200)
    seam = [(6.38, 13.66), (6.36, 13.70)]       # the joint that a thumb can find
    lathe('base', np.vstack([lower, seam, upper, [(1.5, 24.55), (0, 24.55)]]), ceramic_m, 224, 60)
    lathe('neck', fillet([(0, 24.4), (1.5, 24.4, .1), (1.5, 24.9, .12), (.6, 25.2, .15), (.6, 29), (1.7, 29.2, .2), (1.7, 33, .3), (0, 33)], 6), brass, 96)
    z0, z1, r0, r1 = 26.4, 47.2, 17., 11.5
    t = np.linspace(0, 1, 40)
    cloth = linen(shade, .34, .78, z0, z1)
    place(lathe('shade', np.c_[r0 + (r1 - r0) * t, z0 + (z1 - z0) * t], cloth, 256, 180), (0, 0, 0), (0, 0, 90))
    place(lathe('lining', np.c_[r0 - .12 + (r1 - r0) * t, z0 + (z1 - z0) * t], plastic('#f6e8d0', .8), 256, 180), (0, 0, 0), (0, 0, 90))
    tape = linen(shade, .25, .5, z0, z1)
    for r, z in ((r0, z0), (r1, z1)):
        hem = fillet([(r + .1, z - .28, .1), (r + .06, z + .28, .1), (r - .2, z + .28, .1), (r - .16, z - .28, .1)], 5, True)
        lathe('hem', np.vstack([hem, hem[:1]]), tape, 256, 60)
    for a in (90, 210, 330):                    # the carrier inside the top ring
        rod((0, 0, z1 - 1.2), (r1 * .985 * math.cos(R(a)), r1 * .985 * math.sin(R(a)), z1 - .2), .15, brass)
    lathe('finial', fillet([(0, z1 - 1.6), (.9, z1 - 1.6, .1), (.9, z1 - 1.1, .1), (.35, z1 - 1, .1), (.5, z1 - .2, .2), (.42, z1 + .5, .3), (0, z1 + .75)], 6), brass, 64)
    lathe('bulb', [(3.1 * math.cos(a), 38 + 3.1 * math.sin(a)) for a in np.linspace(-1.2, 1.57, 30)], lit('#ffe3b8', 6.), 96, 180)
    glow((0, 0, 33.5), 5200, 3.)
    glow((0, 0, 42.5), 1500, 2.)
    cable_to_the_right(0, 5.5)


def stork(colour='#24272c', detail='#cfa96c', coated=True, near=False):
    """near: only the head counts for the framing."""
    coat = powder(colour, .42) if coated else metal(colour, .27)
    brass = metal(detail, .24)
    place(disc_base(13.5, 1.1, coat, .3, 1.5), (0, 0, 0))
    rod((0, 0, 1.4), (0, 0, 96), 1.05, coat, 'stem', 48)
    lathe('collar', fillet([(.6, 95), (1.35, 95, .08), (1.35, 96, .1)], 4), brass, 96)
    place(knurled('grip', 1.6, [(.6, 0, 0), (.95, 0, 0), (1, .25, 1), (1, 3.4, 1), (.95, 3.65, .2), (.6, 3.7, 0)], brass, 44, .05), (0, 0, 95.8))
    rod((0, 0, 99), (0, 0, 136), .7, brass if coated else coat, 'inner_stem', 48)
    place(lathe('dimmer_box', fillet([(0, -2.2), (1.35, -2.2, .3), (1.35, 2.2, .3), (0, 2.2)], 6), coat, 96), (0, 0, 76))
    place(knurled('dimmer', 1.15, [(.5, 0, 0), (.95, 0, 0), (1, .12, 1), (1, .75, 1), (.93, .85, .2), (.3, .9, 0)], brass, 36, .06), (0, -1.1, 76), (90, 0, 0))
    pin((0, 0, 137), 1.25, 1.5, coat, brass)
    if near:
        unframed(*root().children)
    rod((0, 0, 137), (7.2, 0, 140), .5, brass if coated else coat, 'neck')
    before = set(root().children)
    a = np.linspace(.0, 1, 60) * np.pi / 2
    dome = np.c_[9. * np.cos(a) ** .86, -9.6 + 9.4 * np.sin(a) ** .86]
    shell('head', dome[:-1], .18, coat, plastic(SATIN_WHITE, .5), .2)
    lathe('crown', fillet([(0, -.5), (1.7, -.5, .1), (1.7, .2, .25), (.9, .7, .2), (0, .8)], 6), brass, 96)
    lathe('bulb', [(3.0 * math.cos(q), -7.4 + 3.0 * math.sin(q)) for q in np.linspace(-1.57, 1.3, 30)], lit('#ffe0b0', 5.), 96, 180)
    tipped(new_since(before), (8.6, 0, 141), -24)
    glow((13.2, 0, 126.5), 11000, 3.)
    cable_to_the_right(0, 13., far=180)


def bellwether(colour='#123f31', cap='#cfa96c'):
    z = 95.
    before = set(root().children)
    brass, black = metal(cap, .24), '#2b2926'
    bell = spline([(20, 0), (18.6, 1.5), (16.0, 5.2), (14.2, 10), (12.6, 15), (10.0, 19.6), (6.2, 23.2), (2.6, 24.8)], 140)
    shell('bell', bell, .2, powder(colour, .4), plastic(SATIN_WHITE, .42), .34)
    lathe('cap', fillet([(0, 24.3), (2.75, 24.3, .1), (2.75, 25.2, .2), (1.5, 25.9, .3), (1.2, 28.2, .3), (.5, 28.8, .2), (.35, 28.8)], 7), brass, 128)
    lathe('socket', fillet([(0, 24.3), (2.1, 24.3), (2.1, 12.5, .2), (0, 12.5)], 5), plastic('#efe9dc', .4), 96)
    lathe('bulb', [(3.9 * math.cos(a), 8.2 + 4.2 * math.sin(a)) for a in np.linspace(-1.57, 1.25, 36)], lit('#ffe3b8', 5.), 128, 180)
    tube('cable', [(0, 0, 28.6), (0, 0, 33), (0, 0, 37)], .3, fabric(black, 14, .02, '#5c554a'), 20, round_ends=False)
    unframed(tube('cable_up', np.linspace((0, 0, 36.9), (0, 0, 160), 12), .3, fabric(black, 14, .02, '#5c554a'), 20, round_ends=False))
    glow((0, 0, 2.4), 7500, 2.)
    group(new_since(before), (0, 0, z))


def moonseed(oak=False):
    brass = metal('#d8b277', .2)
    base = plank('#d3ab78', '#a67a48', .42, 1.3, -9.) if oak else brass
    lathe('base', fillet([(0, 0), (5.85, 0, .12), (6.0, .2, .15), (6.0, 1.0, .35), (4.1, 1.8, 1.2), (2.9, 4.2, 2.4), (4.4, 6.6, 1.6), (6.0, 7.9, .4),
                          (6.0, 8.55, .22), (5.6, 8.6, .15), (4.8, 7.5, .6), (0, 6.9)], 10), base, 224, 40)
    if oak:
        lathe('ring', fillet([(5.3, 8.2), (5.95, 8.5, .05), (5.9, 8.72, .08), (5.6, 8.72, .05), (5.3, 8.3)], 4), brass, 192)
    a = np.linspace(-np.pi / 2, np.pi / 2, 120)
    lathe('globe', np.c_[10 * np.cos(a), 16.5 + 10 * np.sin(a)], opal(), 256, 180)
    glow((0, -12, 14), 900, 6.)
    fabric_cable([(0, 5.6, .6), (.4, 7.5, .35), (4, 10.5, .26), (10, 9, .26), (14, 6, .3), (16, 4.6, .8)])
    inline_switch((18.6, 2.9, 0), -32, plastic('#2b2926', .45))
    fabric_cable([(21.2, 1.3, .8), (23, .2, .3), (30, -1, .26), (60, 6, .26)])


def chanterelle(colour='#e09a2b'):
    coat = powder(colour, .42)
    r, z, top = 8.25, 20.3, 25.
    a = np.linspace(0, 1, 70) * np.pi / 2
    cap = np.c_[r * np.cos(a) ** .82, z + (top - z) * np.sin(a) ** 1.0]
    lathe('cap', np.vstack([[(r - .35, z + .12), (r - .22, z - .06), (r - .08, z - .06)], cap]), coat, 256, 60)
    lathe('under', fillet([(r - .36, z + .14), (r - .5, z + .7, .2), (6.6, z + .75, .1), (1.2, z + .75)], 5), plastic('#fbf4e6', .5), 224)
    lathe('ring', fillet([(7.3, z + .72), (7.2, z + .45, .12), (3.4, z + .1, .3), (3.2, z + .72)], 6), lit('#ffe0b0', 4.5), 224)
    stalk = spline([(3.0, z + .7), (1.4, z - .7), (.85, z - 3.2), (.72, 12), (.8, 5.5), (1.4, 2.7), (3.4, 1.75)], 120)
    lathe('stalk', stalk, coat, 128, 60)
    lathe('base', fillet([(0, 0), (5.0, 0, .1), (5.3, .25, .2), (5.3, 1.25, .45), (3.3, 1.8, 1.2), (2.6, 1.95)], 8), coat, 224, 40)
    lathe('touch', fillet([(.78, top - .035), (.84, top + .02, .02), (.92, top - .01)], 3), metal('#e9e2d2', .3), 96)
    box('port', (1.0, .3, .36), (0, 5.22, .72), plastic('#161616', .4), .14, 4)
    for q in (90, 210, 330):
        glow((4.9 * math.cos(R(q)), 4.9 * math.sin(R(q)), z - 1.2), 300, 1.4)


def limpet(colour='#f3eee3', coated=True):
    before = set(root().children)
    coat = powder(colour, .46) if coated else metal(colour, .24)
    cone = spline([(11, 2.4), (9.2, 4.1), (6.4, 6.4), (3.6, 8.0), (1.8, 8.8), (.9, 9.0)], 120)
    shell('cone', cone, .16, coat, plastic(SATIN_WHITE, .5), .17)
    lathe('back', fillet([(0, 0), (6.0, 0), (6.0, 1.0, .1), (0, 1.0)], 4), plastic(SATIN_WHITE, .5), 160)
    lathe('diffuser', fillet([(9.4, .7), (9.6, .8, .1), (9.6, 2.7, .1), (9.3, 3.3)], 4), lit('#ffdcaa', 7.), 224)
    lathe('nub', fillet([(0, 8.7), (1.05, 8.7), (1.05, 9.15, .1), (.8, 9.45, .25), (0, 9.5)], 6), metal('#cfa96c', .24) if coated else coat, 96)
    hang(before, 60)
    for q in range(0, 360, 45):
        glow((9.9 * math.cos(R(q)), -1.2, 60 + 9.9 * math.sin(R(q))), 700, .5)


# ------------------------------------------------------------------ candlesticks
def candlestick(h, mat):
    """One turned profile in any height: foot, stem with a knop, drip tray, cup."""
    k = h - 3.1                                 # height of the tray
    prof = fillet([(0, .12), (3.5, .12, .05), (3.55, .1, .05), (3.7, .3, .12), (3.7, .62, .2), (2.2, .95, .6), (.72, 1.7, .8), (.5, k * .45, 2.),
                   (.5, k - 1.5, .3), (.88, k - 1.15, .22), (.88, k - .85, .22), (.52, k - .55, .2), (.9, k - .15, .3), (2.6, k + .05, .4), (2.95, k + .42, .12),
                   (2.86, k + .5, .06), (2.5, k + .26, .3), (1.5, k + .2, .15), (1.28, k + .7, .5), (1.34, h - .25, .3), (1.46, h - .05, .1),
                   (1.38, h, .06), (1.12, h - .02, .06), (1.1, h - 1.9, .1), (0, h - 1.9)], 8)
    obs = [lathe('stick', prof, mat, 224, 40)]
    obs.append(lathe('felt', fillet([(0, 0), (3.35, 0, .03), (3.4, .13), (0, .13)], 3), fabric('#2b3a33', 9, .01), 128))
    return obs


def taper_candle(h, length, mat):
    """A dipped taper with a drawn shoulder and a bare wick."""
    body = fillet([(0, h - 1.8), (1.08, h - 1.8), (1.08, h), (.92, h + length * .6, 8), (.82, h + length - 1.2, .5), (.22, h + length, .3), (0, h + length)], 10)
    wick = tube('wick', spline([(0, 0, h + length - .2), (.03, 0, h + length + .5), (.14, 0, h + length + 1.1)], 16), .07, plastic('#e9dfca', .9), 10)
    return [lathe('taper', body, mat, 96, 50), wick]


def wick(colour='#d9b577', dark=False, candles=False):
    mat = metal(colour, .3 if dark else .17)
    wax = Mat('wax', '#b5694a', .42, Subsurface_Weight=.15)
    wax.set('Subsurface Radius', (1., .7, .4))
    for h, x, y in ((19, .4, 3.6), (14, -6.9, .2), (9, 6.0, -2.6)):
        obs = candlestick(h, mat) + (taper_candle(h, 15, wax.m) if candles else [])
        group(obs, (x, y, 0))


TABLE = dict(az=0, elev=8, fill=.82)

GOODS = {
    'heron-desk-lamp': dict(build=heron, args={}, colours={
        'Sand': {}, 'Ink': dict(colour='#25282d'), 'Vermilion': dict(colour='#c23a2a', knob='#c9cacc'),
    }, views=[dict(az=-8, elev=8, fill=.84), dict(az=-40, elev=16, fill=.82), dict(az=-16, elev=4, fill=2.0, shift=(.35, .55))]),
    'dune-ceramic-table-lamp': dict(build=dune, args={}, colours={
        'Chalk': {}, 'Terracotta': dict(glaze='#a9593d', warm='#d9a273'), 'Sage': dict(glaze='#8d9a83', warm='#b59f78'),
    }, studio=dict(light=dict(key=.85)), views=[TABLE, dict(az=-20, elev=24, fill=.82), dict(az=0, elev=8, fill=1.75, shift=(0, .3))]),
    'stork-floor-lamp': dict(build=stork, args={}, colours={
        'Ink': {}, 'Brass': dict(colour='#d4ae72', detail='#d6b47a', coated=False),
    }, views=[dict(az=-18, elev=6, fill=.88), dict(az=30, elev=14, fill=.88), dict(az=-18, elev=4, fill=.72, args=dict(near=True), studio=dict(S=72.))]),
    'bellwether-pendant-light': dict(build=bellwether, args={}, colours={
        'Bottle Green': {}, 'Chalk': dict(colour='#ece6da'), 'Ink': dict(colour='#24272c'),
    }, views=[dict(az=0, elev=6, fill=.82), dict(az=0, elev=-13, fill=.82, studio=dict(light=dict(bg=1.6))), dict(az=0, elev=8, fill=1.9, shift=(0, -.25))]),
    'moonseed-globe-lamp': dict(build=moonseed, args={}, colours={
        'Brass': {}, 'Oak': dict(oak=True),
    }, studio=dict(light=dict(key=.8)), views=[TABLE, dict(az=-30, elev=20, fill=.8), dict(az=0, elev=10, fill=1.7, shift=(0, .32))]),
    'chanterelle-rechargeable-lamp': dict(build=chanterelle, args={}, colours={
        'Marigold': {}, 'Chalk': dict(colour='#e9e3d6'), 'Moss': dict(colour='#5a6442'), 'Clay': dict(colour='#b0694a'),
    }, studio=dict(light=dict(key=.85)), views=[TABLE, dict(az=150, elev=20, fill=.82), dict(az=0, elev=-1, fill=1.7, shift=(0, -.34))]),
    'limpet-wall-light': dict(build=limpet, args={}, colours={
        'Chalk': {}, 'Terracotta': dict(colour='#b0613f'), 'Brass': dict(colour='#d8b277', coated=False),
    }, studio=dict(light=dict(key=1.2, fill=1., amb=1.3)), views=[dict(az=-24, elev=14, fill=.66), dict(az=-38, elev=10, fill=.7), dict(az=-30, elev=14, fill=1.5, shift=(-.38, .12))]),
    'wick-candlesticks-set-of-three': dict(build=wick, args={}, colours={
        'Brass': {}, 'Blackened Steel': dict(colour='#5c5b5a', dark=True),
    }, views=[dict(az=0, elev=10, fill=.82), dict(az=8, elev=12, fill=.84, args=dict(candles=True)), dict(az=0, elev=18, fill=1.6, shift=(0, -.34))]),
}
