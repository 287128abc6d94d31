"""Beauty goods of the house brand Mirrisel: bottles, jars, a candle, a diffuser, a tin."""
from studio import *
from tex_beauty import label, mirrisel
from goods_kitchen import (turn, vessel, wrap, flags, lip, clear_glass, liquid_wall, liquid_top, timber,
                           square_section, knurl, lean)

OAK = ('#b88d5b', '#91693b'); ASH = ('#dcc7a4', '#c3a67c')
AMBER = '#8a420e'; PAPER = '#efe8da'; INK = '#26241f'

# ------------------------------------------------------------------ parts
def cream(color, scatter=.35, rough=.42):
    """Wax, balm and cream: light goes a little way in."""
    m = Mat('cream', color, rough, Subsurface_Weight=scatter); m.set('Subsurface Radius', (.35, .25, .15)); m.set('Subsurface Scale', .6)
    m.bump(m.noise(m.coord(), 1.6, 3), .012, .5); return m.m

def aluminium(rough=.32): return metal('#cfd0d2', rough, blast=.0008)

def steel(): return metal('#c6c7c9', .24)

def paper(path): return image_mat(path, .62, spec=.3)

def print_on(path): return image_mat(path, .45, alpha=True)

def content(r, z0, z1, mat, swirl=0., edge=.25):
    """Solid filling of a jar; `swirl` is the height of the ripple that the filling nozzle leaves."""
    turn('filling', fillet([(0, z0), (r, z0, .3), (r, z1)], 8), mat, smooth=60)
    a = np.linspace(0, 2*np.pi, 160, endpoint=False); rows = []
    for s in np.linspace(1, .003, 70):
        ripple = swirl*np.sin(14*s + a)*(1-s)**.5*min(1, s*6)
        rows.append(np.c_[r*s*np.cos(a), r*s*np.sin(a), z1 - edge*.25*(1-s**6) + ripple])
    grid('filling_top', np.array(rows), mat, smooth=180)

# ------------------------------------------------------------------ serum
def dew_serum(tint='#e4f1ef', bulb='#1f4037'):
    flags(7); g = clear_glass(tint); level = 5.2
    outer = fillet([(0, .22), (1.1, .2, .2), (1.35, 0, .12), (1.75, 0, .28), (1.75, 6.35, .6), (.95, 6.75, .3), (.95, 7.9)], 10)
    inner = fillet([(0, .8), (1.52, .8, .4), (1.52, 6.1, .55), (.68, 6.55, .3), (.68, 7.9)], 10)
    vessel(outer, inner, g, None, level, liquid_wall('#fafdfd'), liquid_top())
    # the pipette seems fainter below the surface
    turn('pipette', [(.30, level), (.30, 7.8), (.21, 7.8), (.21, level), (.30, level)], clear_glass(ior=1.45))
    turn('pipette_tip', np.vstack([fillet([(.12, 1.15), (.17, 1.15, .03), (.30, 2.1, .5), (.30, level-.06)], 6), [(.21, level-.06), (.21, 2.1), (.12, 1.3), (.12, 1.15)]]), clear_glass(ior=1.13))
    lathe('collar', fillet([(0, 7.0), (1.14, 7.0, .06), (1.14, 8.75, .12), (0, 8.75)], 6), aluminium(), 160)
    lathe('bulb', fillet([(0, 8.75), (.66, 8.75), (.70, 9.05, .15), (.63, 10.9, .5), (.34, 11.5, .3), (0, 11.55)], 10), rubber(bulb, .48), 96, 60)
    art = label('serum', 3.0, 4.0, [('Mirrisel', 1.5, .3, .36, 'SemiBold', 'middle', .01), ('Dew Point', 1.5, 1.55, .52, 'Regular', 'middle', 0),
        ('face serum', 1.5, 2.1, .26, 'Regular', 'middle', .02), ('hyaluronic acid,', 1.5, 2.95, .19, 'Regular', 'middle', .02),
        ('panthenol', 1.5, 3.22, .19, 'Regular', 'middle', .02), ('30 ml', 1.5, 3.75, .2, 'Medium', 'middle', .03)], '#12352b')
    wrap('print', 1.75, 1.1, 5.1, 3.0, print_on(art), lift=.006)

# ------------------------------------------------------------------ balm jar
def loam_balm(open=False):
    g = clear_glass(AMBER)
    outer = fillet([(0, .18), (2.5, .18, .2), (2.7, 0, .1), (3.4, 0, .55), (3.4, 4.1, .45), (3.05, 4.3, .15), (3.05, 5.3)], 10)
    inner = fillet([(0, .55), (3.05, .55, .5), (3.05, 3.9, .3), (2.75, 4.2, .2), (2.75, 5.3)], 10)
    vessel(outer, np.vstack([inner, lip(3.05, 2.75, 5.3)[::-1][1:-1]]), g)
    content(2.72, .6, 4.85, cream('#e6cf8f', .3), .05)
    wrap('label', 3.4, .7, 3.6, 8.4, paper(mirrisel('balm', 8.4, 2.9, ['Loam'], ['cleansing balm'], '90 g', INK, PAPER, '#b98a3c', k=.95, margin=.25)), lift=.012)
    silver = aluminium(.34)
    lid = [lathe('lid', fillet([(3.15, 0), (3.42, 0, .05), (3.45, .1), (3.45, 1.55, .14), (3.2, 1.6, .1), (3.1, 1.55, .1), (0, 1.55)], 8), silver, 192, 45),
           lathe('liner', [(3.15, 0), (3.2, .2), (3.2, 1.3), (0, 1.3)], plastic('#eeeae2', .6), 160),
           knurl('grip', 3.455, .012, 150, .1, .45, silver, .02)]
    mark = label('lid', 3., 1., [('Mirrisel', 1.5, .5, .55, 'SemiBold', 'middle', .01)], '#55575a')
    lid.append(plane('mark', 3., 1., print_on(mark), (0, 0, 1.556)))
    if open: lean(lid, 3.45, 3.4, 4.2, 58, -38)
    else: group(lid, (0, 0, 4.32))

# ------------------------------------------------------------------ perfume
def salt_fig(juice='#f6f4dd'):
    flags(8); w = 2.6; body = square_section(.75, w); g = clear_glass('#fafcfa')
    outer = fillet([(0, .12), (1.7, .12, .1), (1.95, 0, .1), (w, 0, .28), (w, 6.3, .42), (1.1, 6.35, .1), (1.0, 7.1)], 10)
    inner = fillet([(0, 1.25), (2.12, 1.25, .5), (2.12, 5.75, .4), (.7, 5.9, .1), (.7, 7.1)], 10)
    vessel(outer, inner, g, body, 5.1, liquid_wall(juice), liquid_top(juice))
    tube('dip', [(0, 0, 1.4), (.05, 0, 3.5), (0, 0, 6.3)], .11, clear_glass(ior=1.12), 24)
    brass = metal('#c9a662', .24)
    lathe('collar', fillet([(0, 6.3), (1.36, 6.3, .05), (1.36, 6.62, .08), (0, 6.62)], 5), brass, 160)
    lathe('cap', fillet([(0, 6.64), (1.55, 6.64, .12), (1.55, 9.5, .22), (0, 9.55)], 10), timber(*OAK, 'Z', .5, bands=5., pores=.7), 192, 50)
    art = label('perfume', 4.0, 4.2, [('Salt Fig', 2.0, 1.3, .78, 'Regular', 'middle', 0), ('eau de parfum', 2.0, 2.0, .27, 'Regular', 'middle', .04),
        ('Mirrisel', 2.0, 3.25, .36, 'SemiBold', 'middle', .02), ('50 ml', 2.0, 3.75, .21, 'Regular', 'middle', .04)], '#23281f')
    plane('print', 4.0, 4.2, print_on(art), (0, -w-.006, 3.75), (90, 0, 0))

# ------------------------------------------------------------------ candle
def cedar_candle(tint='#95908a', stock=PAPER):
    outer = fillet([(0, .15), (2.9, .15, .1), (3.15, 0, .1), (3.85, 0, .5), (4.0, 9.0)], 10)
    inner = fillet([(0, .95), (3.52, .95, .6), (3.68, 9.0)], 10)
    vessel(outer, np.vstack([inner, lip(4.0, 3.68, 9.0)[::-1][1:-1]]), clear_glass(tint))
    wax = cream('#f0e6d2', .5, .38)
    top = spline([(3.6, 7.22), (3.5, 7.08), (2.6, 7.02), (1.2, 7.0), (.3, 7.06), (.1, 7.16)], 60)
    turn('wax', np.vstack([fillet([(0, 1.0), (3.5, 1.0, .5), (3.6, 7.22)], 8), top, [(0, 7.16)]]), wax, smooth=60)
    way = spline([(0, 0, 7.0), (.01, 0, 7.5), (.05, .02, 7.9), (.14, .03, 8.2)], 40)
    tube('wick', way, .085, fabric('#efe8da', 10, .03), 20)
    art = mirrisel('candle', 4.4, 4.4, ['Cedar', 'Rain'], ['scented candle', 'cedar, wet stone, pepper'], '220 g', INK, stock)
    wrap('label', lambda z: 3.87 + .0145*(z-.5), 1.9, 6.3, 4.4, paper(art), lift=.012, rows=8)

# ------------------------------------------------------------------ hand wash
def hedgerow_wash():
    g = clear_glass(AMBER)
    outer = fillet([(0, .25), (2.7, .25, .2), (2.95, 0, .12), (3.65, 0, .6), (3.65, 13.6, 2.2), (1.5, 15.3, .6), (1.4, 16.6)], 14)
    inner = fillet([(0, .7), (3.35, .7, .6), (3.35, 13.4, 2.0), (1.15, 15.1, .6), (1.05, 16.6)], 14)
    vessel(outer, inner, g, None, 12.9, liquid_wall('#f3ead0'), liquid_top('#f3ead0'))
    tube('dip', [(0, 0, 1.2), (.2, 0, 6), (0, 0, 15)], .3, plastic('#e8e4da', .5), 24)
    pump(steel())
    art = mirrisel('wash', 6.2, 7.2, ['Hedgerow'], ['hand wash', 'blackcurrant leaf,', 'elderflower, moss'], '500 ml', INK, PAPER, '#3d5a45', k=1.55)
    wrap('label', 3.65, 2.6, 9.8, 6.2, paper(art), lift=.012)

def pump(m):
    """Steel dispenser: collar, plunger, head with a nozzle that points left."""
    knurl('grip', 1.72, .02, 72, 15.45, 16.75, m)
    lathe('shoulder', fillet([(0, 16.7), (1.6, 16.7), (1.5, 17.05, .2), (.75, 17.3, .3), (.7, 17.7, .08), (0, 17.7)], 8), m, 128, 50)
    lathe('plunger', fillet([(0, 17.5), (.42, 17.5), (.42, 19.4), (0, 19.4)], 4), m, 64)
    lathe('head', fillet([(0, 19.1), (.85, 19.1, .12), (.95, 19.5, .3), (.95, 20.0, .3), (0, 20.2)], 10), m, 128, 60)
    way = spline([(-.3, 0, 19.62), (-1.6, 0, 19.66), (-3.0, 0, 19.55), (-3.75, 0, 19.1), (-3.95, 0, 18.55)], 70); t = np.linspace(0, 1, 70)
    tube('nozzle', way, np.interp(t, [0, .5, 1], [.5, .38, .3]), m, 32, round_ends=False)
    tube('mouth', way[-2:] + [[0, 0, -.004]], .2, plastic('#111111', .6), 24, round_ends=False)

# ------------------------------------------------------------------ diffuser
def linen_diffuser(tint='#fafcfb', oil='#faf5e2'):
    flags(10); g = clear_glass(tint)
    outer = np.vstack([fillet([(0, .2), (2.4, .15, .2), (2.7, 0, .1), (3.5, 0, .4), (3.7, 1.0)], 8), spline([(3.7, 1.1), (3.7, 4.6), (3.45, 6.1), (2.3, 7.7), (1.62, 8.6), (1.5, 9.6)], 70), fillet([(1.5, 9.7), (1.85, 9.85, .12), (1.88, 10.3, .18), (1.6, 10.45)], 6)])
    inner = np.vstack([fillet([(0, 1.5), (3.2, 1.5, .7), (3.3, 2.4)], 8), spline([(3.3, 2.5), (3.3, 4.6), (3.05, 5.9), (1.95, 7.5), (1.25, 8.6), (1.15, 9.6), (1.2, 10.3)], 70), lip(1.6, 1.2, 10.45)[::-1][1:-1]])
    vessel(outer, inner, g, None, 5.3, liquid_wall(oil), liquid_top(oil))
    reeds()
    art = label('diffuser', 3.4, 3.0, [('Mirrisel', 1.7, .5, .3, 'SemiBold', 'middle', .02), ('Linen Hour', 1.7, 1.3, .52, 'Light', 'middle', 0),
        ('reed diffuser', 1.7, 1.85, .24, 'Regular', 'middle', .02), ('180 ml', 1.7, 2.6, .2, 'Medium', 'middle', .03)], INK, PAPER)
    wrap('label', 3.7, 1.75, 4.75, 3.4, paper(art), lift=.012)

def reeds(n=8):
    m = Mat('rattan', '#cfae7e', .75); v = m.coord('UV', scale=(1, .06, 1)); fibre = m.noise(v, 30, 3, .7)
    m.col(m.mix(m.map(fibre, .3, .7, 0, 1), '#d9bb8c', '#b48c58')); m.bump(fibre, .012, .6)
    rng = np.random.default_rng(5)
    for k in range(n):
        a = 2*np.pi*(k+.3)/n + rng.uniform(-.2, .2); d = np.array((math.cos(a), math.sin(a))); s = np.array((-d[1], d[0]))*rng.uniform(-.25, .25)
        low = np.r_[-d*rng.uniform(.5, 1.0) + s, 1.75]; neck = np.r_[d*.72 + s*.6, 10.0]
        way = neck - low; way /= np.linalg.norm(way)
        tube('reed', [low + way*x for x in np.linspace(0, 21.5+rng.uniform(-.3, .3), 12)], .17, m.m, 20)

# ------------------------------------------------------------------ face cream
def plain_day():
    frosted = clear_glass('#e9efec', .4, edge=.5)
    outer = fillet([(0, .2), (2.0, .2, .2), (2.2, 0, .1), (3.15, 0, 1.1), (3.25, 3.7, .3), (2.8, 3.85)], 14)
    inner = fillet([(0, .75), (2.75, .75, .9), (2.85, 3.6), (2.6, 3.85)], 14)
    vessel(outer, inner, frosted)
    turn('cup', fillet([(0, .8), (2.7, .8, .9), (2.78, 3.7), (0, 3.7)], 10), cream('#fbf8f1', .2, .5), smooth=60)
    lathe('gasket', fillet([(0, 3.8), (2.9, 3.8), (2.9, 4.0), (0, 4.0)], 2), plastic('#e9e5dc', .5), 128)
    lathe('lid', fillet([(0, 3.95), (3.25, 3.95, .1), (3.25, 5.75, .25), (0, 5.85)], 10), timber(*ASH, 'X', .55, pores=.25, bands=6.), 192, 50)
    art = label('cream', 4.6, 2.4, [('Mirrisel', 2.3, .3, .3, 'SemiBold', 'middle', .02), ('Plain Day', 2.3, 1.1, .58, 'Regular', 'middle', 0),
        ('face cream', 2.3, 1.65, .25, 'Regular', 'middle', .03), ('50 ml', 2.3, 2.2, .2, 'Medium', 'middle', .03)], '#2b302c')
    wrap('print', lambda z: 3.16 + .024*z, 1.05, 3.45, 4.6, print_on(art), lift=.012, rows=6)

# ------------------------------------------------------------------ lip balm
def small_weather(open=True):
    tin = aluminium(.3)
    lathe('tin', fillet([(0, .03), (1.6, .03, .05), (1.7, 0, .04), (1.86, 0, .14), (1.86, .75, .05), (1.9, .8, .04), (1.86, .86, .03), (1.8, .9), (1.8, 1.42, .05), (1.72, 1.45, .03), (1.70, 1.2), (1.70, .6)], 8), tin, 192, 45)
    for z in (1.05, 1.25): tube('thread', np.c_[circle(1.805, 128), np.full(128, z)], .035, tin, 10, closed=True)
    content(1.69, .3, 1.24, cream('#ecd9a2', .45, .35), .0, .1)
    lid = [lathe('lid', fillet([(1.86, 0), (1.92, 0, .03), (1.93, .08, .03), (1.91, .14), (1.91, .82, .14), (1.72, .86, .05), (1.66, .83, .04), (0, .83)], 8), tin, 192, 45),
           lathe('lid_in', [(1.86, 0), (1.86, .75), (0, .75)], tin, 128), knurl('grip', 1.912, .012, 96, .2, .5, tin, .02)]
    art = label('balm_lid', 3.2, 3.2, [('Mirrisel', 1.6, .78, .24, 'SemiBold', 'middle', .02), ('Small', 1.6, 1.38, .44, 'Light', 'middle', -.01),
        ('Weather', 1.6, 1.84, .44, 'Light', 'middle', -.01), ('lip balm', 1.6, 2.32, .16, 'Regular', 'middle', .03), ('12 g', 1.6, 2.6, .14, 'Medium', 'middle', .04)], '#f7f1e4', '#2f5d6b')
    lid.append(plane('sticker', 3.2, 3.2, image_mat(art, .5), (0, 0, .838), (0, 0, 17 if open else 0), outline=circle(1.6, 128)))
    if open: lean(lid, 1.92, 1.9, 1.45, 54, -46)
    else: group(lid, (0, 0, .92))

# ------------------------------------------------------------------ what the shop shows
GOODS = {
    'dew-point-face-serum': dict(build=dew_serum, samples=20, colours={},
        views=[dict(elev=10, fill=.8), dict(az=40, elev=22, fill=.8), dict(elev=12, fill=1.8, shift=(0, .33))]),
    'loam-cleansing-balm': dict(build=loam_balm, colours={},
        views=[dict(elev=16, fill=.76), dict(elev=30, fill=.82, args=dict(open=True)), dict(az=12, elev=22, fill=1.3, shift=(.06, -.14))]),
    'salt-fig-eau-de-parfum': dict(build=salt_fig, samples=20, colours={},
        views=[dict(az=-18, elev=12, fill=.8), dict(az=32, elev=22, fill=.8), dict(az=-14, elev=14, fill=1.6, shift=(0, .22))]),
    'cedar-rain-candle': dict(build=cedar_candle, samples=20, colours={'Smoke Glass': dict(tint='#95908a'), 'Amber Glass': dict(tint='#b8651c')},
        views=[dict(elev=16, fill=.78), dict(az=20, elev=34, fill=.78), dict(elev=42, fill=1.5, shift=(0, -.24))]),
    'hedgerow-hand-wash': dict(build=hedgerow_wash, samples=20, colours={},
        views=[dict(az=-10, elev=10, fill=.82), dict(az=38, elev=20, fill=.82), dict(az=-14, elev=14, fill=2., shift=(.05, -.7))]),
    'linen-hour-reed-diffuser': dict(build=linen_diffuser, samples=20, colours={'Clear Glass': {}, 'Smoke Glass': dict(tint='#817c78')},
        views=[dict(elev=10, fill=.84), dict(az=30, elev=24, fill=.84), dict(elev=14, fill=1.9, shift=(0, .5))]),
    'plain-day-face-cream': dict(build=plain_day, colours={},
        views=[dict(elev=16, fill=.76), dict(az=28, elev=32, fill=.78), dict(az=10, elev=22, fill=1.3, shift=(.06, -.12))]),
    'small-weather-lip-balm': dict(build=small_weather, colours={},
        views=[dict(elev=24, fill=.8), dict(elev=30, fill=.78, args=dict(open=False)), dict(elev=28, fill=1.7, shift=(.2, 0))]),
}
