"""Kitchen goods: mug, kettle, vase, pour-over, casserole, teapot, pepper mill, carafe.
The shapes and materials of the first half are general: they may move into the studio."""
from studio import *
from textures import FD
from tex_beauty import label

# ------------------------------------------------------------------ shapes
def round_section(n=160):
    """Cross-section of a turned thing."""
    return lambda r: circle(r, n)

def square_section(corner, r_max, depth=1., n=14):
    """Cross-section of a square vessel: half-width r, corners in proportion to the outer wall."""
    return lambda r: rrect(2*r, 2*r*depth, max(corner*r/r_max, 1e-4), n)

def turn(name, prof, mat, section=None, smooth=50, **kw):
    """Like lathe, for any cross-section and without guessing the normals: a profile that goes up
    outside and down inside has normals that point out of the material (glass needs this)."""
    section = section or round_section()
    P = np.array([np.c_[section(max(r, 1e-7)), np.full(len(section(1.)), z)] for r, z in np.asarray(prof, float)])
    ob = grid(name, P, mat, smooth=None, recalc=False, **kw)
    bm = bmesh.new(); bm.from_mesh(ob.data)
    bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-5)
    bm.to_mesh(ob.data); bm.free()
    return shade(ob, smooth)

def knurl(name, r, depth, n, z0, z1, mat, b=.08):
    """Grip ring or knob with n fine ribs round its wall and smooth rounded edges."""
    a = np.linspace(0, 2*np.pi, n*8, endpoint=False); round_xy = np.c_[np.cos(a), np.sin(a)]; ribs = (depth*np.cos(n*a))[:, None]*round_xy
    return turn(name, fillet([(0, z0), (r, z0, b), (r, z1, b), (0, z1)], 6), mat, lambda q: q*round_xy + (ribs if q > r-1e-4 else 0), 60)

def cut_below(prof, z):
    """Part of a profile that rises from the middle of the floor, up to the height z."""
    prof = np.asarray(prof, float); i = np.argmax(prof[:, 1] > z); a, b = prof[i-1], prof[i]
    return np.vstack([prof[:i], a + (b-a)*(z-a[1])/(b[1]-a[1])])

def vessel(outer, inner, glass_m, section=None, level=None, liquid=None, surface=None):
    """Glass vessel, empty or filled to `level`. Both profiles go from the middle of the floor to the rim.
    Below the level the inner wall is one surface between liquid and glass, as it is in reality."""
    outer, inner = np.asarray(outer, float), np.asarray(inner, float)
    if level is None:
        return turn('glass', np.vstack([outer, inner[::-1]]), glass_m, section, 60)
    wet = cut_below(inner, level); dry = np.vstack([wet[-1:], inner[inner[:, 1] > level]])
    turn('glass', np.vstack([outer, dry[::-1]]), glass_m, section, 60)
    turn('liquid', wet, liquid, section, 60)
    r = wet[-1, 0]; up = .05     # the liquid climbs a little at the wall
    turn('surface', [(r, level), (r-.03, level-.6*up), (r-.1, level-up), (r*.5, level-up), (0, level-up)], surface, section, 60)

def pipe(name, path, r, wall, mat, cut=None, seg=48, up=(0, 1, 0)):
    """Hollow spout along a path in the XZ plane; `cut` tilts its mouth (cm of slant per cm of radius)."""
    path = np.asarray(path, float); r = np.broadcast_to(r, len(path)); T, N, B = frames(path, up)
    a = np.linspace(0, 2*np.pi, seg, endpoint=False)
    def ring(i, rr, along=0.):
        p = path[i] + T[i]*along + rr*(np.outer(np.cos(a), B[i]) + np.outer(np.sin(a), N[i]))
        if cut: p = p + np.outer(rr*np.cos(a)*cut*(i/(len(path)-1))**6, T[i])
        return p
    n = len(path)-1; lip = [ring(n, r[n] - wall/2 + wall/2*math.cos(q), wall/2*math.sin(q)) for q in np.linspace(0, np.pi, 9)]
    rings = [ring(i, r[i]) for i in range(n)] + lip + [ring(i, r[i]-wall) for i in range(n-1, n//2, -1)]
    return grid(name, np.array(rings), mat, smooth=180)

def wrap(name, r, z0, z1, width, mat, at=-90, lift=.008, rows=2):
    """Label or print on a turned wall; r: radius or function of z; `width` in cm round the wall; -90 is the front."""
    radius = r if callable(r) else (lambda z: r)
    half = width/2/radius((z0+z1)/2); a = np.linspace(-half, half, 64) + R(at); z = np.linspace(z0, z1, rows)
    P = np.array([[((radius(h)+lift)*math.cos(q), (radius(h)+lift)*math.sin(q), h) for q in a] for h in z])
    u, v = np.meshgrid(np.linspace(0, 1, len(a)), np.linspace(0, 1, rows))
    ob = grid(name, P, mat, cv=False, smooth=180, recalc=False)
    idx = np.empty(len(ob.data.loops), int); ob.data.loops.foreach_get('vertex_index', idx)
    ob.data.uv_layers[0].data.foreach_set('uv', np.c_[u.ravel(), v.ravel()][idx].ravel())
    return ob

def flags(size):
    """Dark panels left and right that only refracted rays see: they draw the edges of clear glass."""
    black = Mat('flag', '#141414', 1.).m
    for side in (-1, 1):
        ob = mesh_obj('flag', [(side*2.1*size, y*size, z*size) for y, z in ((-1.5, -1), (5, -1), (5, 6), (-1.5, 6))],
                      [(0, 1, 2, 3)], black, None, parent=False)
        ob.visible_camera = ob.visible_diffuse = ob.visible_glossy = ob.visible_shadow = False

def lip(r_out, r_in, z, n=10):
    """Half-round rim between an outer and an inner wall."""
    a = np.linspace(0, np.pi, n); c, h = (r_out+r_in)/2, (r_out-r_in)/2
    return np.c_[c + h*np.cos(a), z + h*np.sin(a)]

def lean(obs, r, r_pot, h_pot, tilt, az, z_rim=0.):
    """Leans a lid of radius r against a pot of radius r_pot and height h_pot, its face outwards.
    tilt: angle to the floor; az: side of the pot, 0 is the front; z_rim: height of the lid's open edge as built."""
    t, a = R(tilt), R(az); out = r_pot + h_pot/math.tan(t) - r*math.cos(t)
    u, z = out - z_rim*math.sin(t), r*math.sin(t) - z_rim*math.cos(t)
    return group(obs, (u*math.sin(a), -u*math.cos(a), z), (tilt, 0, az))

# ------------------------------------------------------------------ materials
def shadow_glass(m, shader, color, edge):
    """Lets light through to what stands behind and inside; the edges of the glass still cast a shadow."""
    path = m.n('LightPath'); facing = m.n('LayerWeight', Blend=.35); clear = m.n('BsdfTransparent'); mix = m.n('MixShader')
    m.l(m.mix(m.math('MULTIPLY', facing.outputs['Facing'], edge), half_tint(color), '#000000'), clear.inputs[0])
    m.l(m.math('MAXIMUM', path.outputs['Is Shadow Ray'], path.outputs['Is Diffuse Ray']), mix.inputs[0])
    m.l(shader, mix.inputs[1]); m.l(clear.outputs[0], mix.inputs[2]); m.l(mix.outputs[0], m.out.inputs[0])
    return m.m

def clear_glass(color='#ffffff', rough=0., ior=1.5, edge=.75):
    m = Mat('clear_glass', color, rough, IOR=ior, Transmission_Weight=1.)
    return shadow_glass(m, m.p.outputs[0], color, edge)

def liquid_wall(color='#ffffff', ior=1.34, glass_ior=1.5):
    """Surface where liquid touches glass; its normal points into the glass."""
    m = Mat('liquid'); g = m.n('BsdfGlass', Roughness=0., IOR=ior/glass_ior); g.inputs['Color'].default_value = lin(color)
    return shadow_glass(m, g.outputs[0], color, .1)

def liquid_top(color='#ffffff', ior=1.34):
    m = Mat('liquid_top'); g = m.n('BsdfGlass', Roughness=0., IOR=ior); g.inputs['Color'].default_value = lin(color)
    return shadow_glass(m, g.outputs[0], color, .3)

def timber(light, dark, along='Z', rough=.45, coat=0., pores=.5, bands=7., coord='Object'):
    """Sawn or turned wood: growth bands, fibre and dark pores, stretched along the grain.
    coord='UV' with along='Y' follows a bent or swept piece."""
    m = Mat('timber', light, rough); s = {'X': (.07, 1, 1), 'Y': (1, .07, 1), 'Z': (1, 1, .07)}[along]
    v = m.coord(coord, scale=s)
    broad = m.noise(v, .55, 2, .45, .1)
    band = m.map(m.math('PINGPONG', m.math('MULTIPLY', broad, bands), .5), .0, .5, 0, 1, True)
    fibre = m.noise(m.coord(coord, scale=tuple(x if x < 1 else 16 for x in s)), 2., 4, .65)
    pore = m.map(m.noise(m.coord(coord, scale=tuple(x*3 if x < 1 else 22 for x in s)), 2.2, 2, .5), .61, .70, 0, pores)
    tone = m.math('ADD', m.math('MULTIPLY', band, .55), m.map(fibre, .28, .72, 0, .45))
    wood_c = m.mix(tone, light, dark)
    m.col(m.mix(pore, wood_c, shade_of(dark, .45)))
    m.bump(m.math('SUBTRACT', m.math('MULTIPLY', fibre, .4), pore), .006, .5)
    m.rgh(m.map(fibre, .3, .7, rough-.06, rough+.1))
    if coat: m.set('Coat Weight', coat).set('Coat Roughness', .18)
    return m.m

def shade_of(color, k):
    """A colour made darker: '#rrggbb' times k."""
    c = color.lstrip('#'); return '#' + ''.join(f'{int(int(c[i:i+2], 16)*k):02x}' for i in (0, 2, 4))

def half_tint(color):
    """Colour of one of the two surfaces of a wall that has this colour."""
    c = [math.sqrt(x) for x in lin(color)[:3]]
    return '#' + ''.join(f'{round(255*(1.055*x**(1/2.4) - .055 if x > .0031 else 12.92*x)):02x}' for x in c)

BEECH = ('#d9b183', '#bd8d5c'); WALNUT = ('#76513a', '#46301f'); BLACK_WOOD = ('#232120', '#151413')

def stoneware(color, rough=.38, coat=.15, speckle=None, sand=0.):
    """Satin or matt glaze; `sand` is the height of its grain in cm."""
    m = Mat('stoneware', color, rough, Coat_Weight=coat, Coat_Roughness=.22); v = m.coord()
    m.bump(m.noise(v, .8, 2), .014, .5)
    if sand: m.bump(m.noise(v, 24, 3, .6), sand, .6)
    m.rgh(m.map(m.noise(v, 1.5, 4, .6), .3, .7, rough-.05, rough+.06))
    cloudy = m.mix(m.map(m.noise(v, .5, 4, .6), .35, .7, 0, .22), color, shade_of(color, .82))
    if speckle:
        spots = m.map(m.noise(v, 9, 2, .4), .66, .71, 0, .75)
        cloudy = m.mix(spots, cloudy, speckle)
    m.col(cloudy); return m.m

def enamel(color, rough=.24):
    """Vitreous enamel on cast iron: hard gloss with a slow wave."""
    m = Mat('enamel', color, rough, Coat_Weight=.5, Coat_Roughness=.04, Specular_IOR_Level=.3); v = m.coord()
    m.bump(m.noise(v, .55, 2), .03, .35); m.bump(m.noise(v, 7, 2), .002, .4); return m.m

def cork():
    m = Mat('cork', '#c9a06f', .85); v = m.coord()
    cells = m.noise(v, 7, 4, .7); pits = m.map(m.noise(v, 3.4, 3, .6), .60, .68, 0, 1)
    m.col(m.mix(m.math('MULTIPLY', pits, .8), m.mix(m.map(cells, .35, .65, 0, 1), '#d3ad7e', '#b98b58'), '#6d4526'))
    m.bump(m.math('SUBTRACT', m.math('MULTIPLY', cells, .35), pits), .03, .7); return m.m

def maker(ink, width):
    """The small house mark."""
    art = label('ombrick_' + ink.lstrip('#'), width, .3*width, [('ombrick', width/2, .15*width, .22*width, 'Medium', 'middle', .04)], ink)
    return image_mat(art, .5, alpha=True)

# ------------------------------------------------------------------ mug
def flare(n, k=.75, reach=.055):
    """Widening of a handle where it joins the wall."""
    t = np.linspace(0, 1, n); return 1 + k*np.exp(-t/reach) + k*np.exp(-(1-t)/reach)

def marl_mug(glaze='#e8e1d3', speckle='#77624c'):
    glaze_m = ceramic(glaze, .17, speckle); clay_m = clay('#b48d6c')
    wall = PchipInterpolator([0, .12, .6, 2., 3.8, 6.5, 9.25], [3.1, 3.3, 3.72, 4.2, 4.3, 4.22, 4.06])
    z = np.linspace(.12, 3.2, 50)
    lathe('foot', np.vstack([fillet([(0, .3), (2.75, .3, .15), (2.85, 0, .12), (3.15, 0, .12), (3.3, .12)], 6), np.c_[wall(z), z]]), clay_m, 192, 60)
    # the glaze: dipped by hand, so its lower edge wanders round the wall
    n = 192; a = np.linspace(0, 2*np.pi, n, endpoint=False)
    edge = 2.35 + .10*np.sin(a+.6) + .045*np.sin(3*a+1.) + .02*np.sin(7*a)
    rows = []
    for s in np.r_[np.linspace(0, .03, 10), np.linspace(.05, 1, 70)]:
        h = edge + s*(9.25-edge); thick = .035*math.sqrt(min(1., s/.02)) - .01
        rr = wall(h) + thick; rows.append(np.c_[rr*np.cos(a), rr*np.sin(a), h])
    inner_z = np.linspace(9.25, 1.1, 60); inner_r = wall(inner_z) - np.interp(inner_z, [1, 9.25], [.55, .27])
    inside = np.vstack([lip(wall(9.25)+.025, inner_r[0], 9.25), np.c_[inner_r, inner_z][1:], [(inner_r[-1]-.25, .75), (inner_r[-1]-.8, .6), (1.2, .55), (.01, .55)]])
    rows += [np.c_[r*np.cos(a), r*np.sin(a), np.full(n, h)] for r, h in inside]
    grid('glaze', np.array(rows), glaze_m, smooth=70)
    path = spline([(3.95, 0, 7.9), (4.9, 0, 8.0), (6.3, 0, 7.5), (6.95, 0, 6.0), (6.55, 0, 4.5), (5.35, 0, 3.55), (4.05, 0, 3.35)], 80)
    f = flare(80); sweep('handle', path, superellipse(.4, .66, 2.4, 40), glaze_m, np.c_[.8+.2*f, f], up=(0, 1, 0), smooth=180)
    wrap('mark', lambda h: float(wall(h)), .95, 1.5, 1.8, maker('#6a4a34', 1.8), at=-72, rows=6)

# ------------------------------------------------------------------ kettle
def spate_kettle(body='#22282e', finish='paint', base='#22282e', ink='#cfcabf'):
    if finish == 'paint': shell = plastic(body, .40, .0012, scale=70); plate = plastic(base, .45, .0012, scale=70)
    else: shell = metal(body, .24, brushed=(1, 1, 40)); plate = plastic(base, .48, .0012, scale=70)
    steel = metal('#c9cacc', .2); beech = timber(*BEECH, 'Z', .5)
    back = 1.3     # the pot stands behind the dial
    pot = []
    pot.append(lathe('pot', fillet([(0, 2.5), (6.3, 2.5, .25), (6.75, 3.0, .5), (6.7, 4.6, 3), (5.35, 12.4, 5), (4.7, 15.1, .5), (3.9, 15.45, .15), (3.75, 15.3), (3.75, 14.6), (0, 14.6)], 12), shell, 192, 50))
    pot.append(lathe('ring', fillet([(0, 2.25), (6.2, 2.25, .08), (6.2, 2.55), (0, 2.55)], 4), rubber('#191919'), 160))
    pot.append(lathe('lid', fillet([(3.62, 15.1), (3.62, 15.5, .12), (3.1, 15.75, .5), (1.2, 16.05, .6), (0, 16.1)], 8), shell, 160, 60))
    pot.append(lathe('stem', fillet([(0, 15.9), (.42, 15.9), (.38, 16.9), (0, 16.9)], 4), steel, 64))
    pot.append(lathe('knob', fillet([(0, 16.75), (.75, 16.75, .15), (1.15, 17.5, .5), (1.05, 18.25, .45), (0, 18.4)], 10), beech, 96, 60))
    way = spline([(4.9, 0, 5.2), (6.6, 0, 4.9), (8.6, 0, 5.2), (10.3, 0, 7.0), (10.9, 0, 10.2), (11.35, 0, 13.4), (12.6, 0, 15.3), (14.3, 0, 15.75), (15.3, 0, 15.2)], 120)
    t = np.linspace(0, 1, 120); pot.append(pipe('spout', way, np.interp(t, [0, .2, .5, 1], [1.25, 1.0, .66, .42]) + .8*np.exp(-t/.05), .09, shell, cut=.35))
    rod = spline([(-4.6, 0, 13.6), (-6.6, 0, 14.5), (-9.6, 0, 14.6), (-11.6, 0, 12.6), (-11.9, 0, 9.6), (-11.1, 0, 7.0), (-9.2, 0, 5.6), (-6.3, 0, 5.6)], 140)
    pot.append(tube('rod', rod, .36, steel if finish != 'paint' else shell, 28))
    grip = rod[34:104]; q = np.linspace(0, 1, len(grip)); body_r = .92 + .18*np.sin(np.pi*q)**2
    ends = np.sqrt(np.clip(1 - (np.clip(np.abs(q-.5)*2 - .9, 0, .1)/.1)**2, .1, 1))
    pot.append(sweep('grip', grip, superellipse(1, 1.12, 2.3, 48), timber(*BEECH, 'Y', .5, coord='UV'), body_r*ends, up=(0, 1, 0), smooth=60))
    for z, x, r in ((13.75, -4.9, .75), (5.6, -6.5, .75)):
        pot.append(place(lathe('boss', fillet([(0, 0), (r, 0), (.7*r, .5, .2), (0, .5)], 6), shell, 64, 60), (x, 0, z), (0, -90, 0)))
    pot.append(wrap('mark', lambda z: 6.7 - .173*(z-4.6), 5.8, 6.4, 2., maker(ink, 2.), lift=.02, rows=4))
    group(pot, (0, back, 0))
    kettle_base(plate, beech)

def kettle_base(plate, beech):
    o = superellipse(8.25, 8.25, 3.6, 200)
    slab('base', o, .18, 2.1, plate, .35, 6, .3); slab('feet', offset2d(o, .6), 0, .3, rubber(), .05)
    place(knurl('dial', 1.12, .022, 56, 0, .95, beech, .14), (4.1, -6.1, 2.1))
    place(slab('pointer', rrect(.09, .55, .04, 4), 0, .02, plastic('#1b1b1b', .5), .005), (4.1, -5.62, 3.045))
    place(slab('window', rrect(3.4, 1.5, .25, 8), 0, .03, plastic('#0b0c0d', .12), .015), (-3.4, -6.3, 2.09))
    text('degrees', '94 °C', .82, emission('#ffe2b8', 2.2), (-3.4, -6.3, 2.135), extrude=.002, font=FD + 'Inter-Medium.otf')
    cord = tube('cord', spline([(4, 8, .9), (5, 9.6, .5), (8, 12, .32), (14, 14, .32), (26, 19, .32), (60, 30, .32), (160, 58, .32), (400, 120, .32)], 400), .3, rubber('#1c1c1c'), 16)
    cord['noframe'] = 1

# ------------------------------------------------------------------ vase
def strand_vase(color='#ece7dd', speckle='#a89a86'):
    matt = stoneware(color, .72, 0., speckle, sand=.02); glazed = ceramic(color, .2)
    side = spline([(4.3, .12), (5.0, 2.), (6.3, 7.), (7.35, 12.5), (7.45, 16.), (6.3, 19.3), (3.9, 21.2), (2.35, 22.3), (2.02, 23.2), (2.18, 24.25)], 160)
    side[:, 0] += .01*np.sin(side[:, 1]*7)     # faint throwing rings
    lathe('body', np.vstack([[(0, .3), (3.6, .3), (3.8, 0), (4.1, 0)], side, lip(side[-1, 0], 1.86, 24.25)]), matt, 224, 60)
    lathe('inside', np.vstack([[(1.86, 24.25), (1.72, 23.2)], side[110:147][::-1] - [.35, 0], [(0, 14)]]), glazed, 160, 60)

# ------------------------------------------------------------------ pour-over
def rook_coffee(wood=WALNUT):
    glass_m = clear_glass(); flags(14); timber_m = timber(*wood, 'X', .42, coat=.1)
    # server: flask with a short neck
    outer = np.vstack([[(0, .12), (3.6, .12), (3.9, 0)], spline([(4.6, .02), (5.9, .8), (6.45, 3.2), (6.2, 6.6), (5.2, 9.4), (4.35, 10.9), (4.2, 12.0), (4.42, 12.9)], 90)])
    inner = np.vstack([[(0, .45), (3.9, .45)], spline([(4.5, .5), (5.65, 1.1), (6.15, 3.2), (5.9, 6.6), (4.9, 9.4), (4.07, 10.9), (3.94, 12.0), (4.14, 12.9)], 90)])
    coffee = Mat('coffee', '#2b1006', .3, Specular_IOR_Level=.04).m
    vessel(outer, np.vstack([inner, lip(outer[-1, 0], inner[-1, 0], 12.9)[::-1][1:-1]]), glass_m, None, 5.6, coffee, Mat('coffee_top', '#34170a', .05, Specular_IOR_Level=.15).m)
    # glass ear
    ear = spline([(5.0, 0, 9.6), (6.6, 0, 10.3), (8.5, 0, 9.6), (9.0, 0, 7.4), (8.2, 0, 5.2), (6.2, 0, 4.4)], 70)
    tube('ear', ear, .42*(1+.5*(flare(70, .6)-1)), glass_m, 32, round_ends=False)
    # wooden collar: a turned disc with a well for the cone
    lathe('collar', fillet([(3.7, 12.2), (3.85, 12.2, .1), (3.9, 12.95, .05), (5.35, 12.95, .3), (5.6, 13.7, .5), (5.35, 14.5, .35), (2.9, 14.5, .12), (2.6, 14.0, .1), (2.6, 12.2), (3.7, 12.2)], 8), timber_m, 192, 50)
    leather_tie()
    # cone
    cone_out = fillet([(1.0, 11.7), (1.25, 12.1, .4), (6.2, 21.85)], 8); cone_in = cone_out - [.3, 0]
    rim = lip(6.2, 5.9, 21.85)
    turn('cone', np.vstack([cone_out, rim[1:-1], cone_in[::-1], cone_out[:1]]), glass_m, None, 60)
    paper_filter()

def leather_tie():
    """Thong through the collar's edge, knotted in front."""
    hide = leather('#7a4a2a', 9, .01, .55); z = 13.72
    a = np.linspace(0, 2*np.pi, 160, endpoint=False)
    sweep('thong', np.c_[5.63*np.cos(a), 5.63*np.sin(a), np.full(160, z)], superellipse(.16, .07, 3, 20), hide, up=(np.c_[np.cos(a), np.sin(a), 0*a]), closed=True, smooth=60)
    box('knot', (.55, .34, .5), (0, -5.78, z), hide, .13, 5)
    for side in (-1, 1):
        p = spline([(side*.1, -5.85, z), (side*.38, -6.1, z-.5), (side*.55, -6.05, z-1.6), (side*.62, -5.95, z-2.7)], 40)
        sweep('end', p, superellipse(.16, .06, 3, 20), hide, up=(0, 1, 0), smooth=60)

def paper_filter():
    m = Mat('paper', '#e9ddc6', .9, Sheen_Weight=.1); m.bump(m.noise(m.coord(), 30, 3), .006, .5)
    m.set('Subsurface Weight', .3).set('Subsurface Radius', (.3, .25, .2))
    a = np.linspace(0, 2*np.pi, 200, endpoint=False); rows = []
    for s in np.linspace(0, 1, 40):
        h = 12.6 + s*9.8; r = .84 + (h-12.1)*.5077; wob = .03*s*np.sin(5*a+.7) + .02*s*np.sin(11*a)     # follows the cone's inner wall
        rows.append(np.c_[(r+wob)*np.cos(a), (r+wob)*np.sin(a), np.full(200, h) + .1*s*np.sin(2*a+1)])
    ob = grid('paper', np.array(rows), m.m, smooth=180); solidify(ob, .03); apply(ob, 180)

# ------------------------------------------------------------------ casserole
def hob_casserole(color='#16493a', knob='#c9a25f', open=False):
    pot_m = enamel(color); pale = enamel('#e8dfcc', .2); iron = plastic('#1d1c1b', .5, .002)
    lathe('pot', fillet([(0, .25), (9.2, .25, .1), (9.6, 0, .2), (10.4, 0, .3), (12.1, 1.7, 2.2), (12.9, 10.35, .1), (13.0, 10.5)], 14), pot_m, 224, 50)
    lathe('rim', fillet([(13.0, 10.5), (13.02, 10.72, .1), (12.5, 10.72, .1), (12.45, 10.4)], 6), iron, 224, 60)
    lathe('inside', fillet([(12.45, 10.4), (11.7, 1.9, 1.8), (9.8, .75, .8), (0, .7)], 12), pale, 224, 60)
    for side in (-1, 1): casserole_ear(side, pot_m)
    lid = casserole_lid(pot_m, pale, iron, knob)
    if open: lean(lid, 13.1, 13.0, 10.72, 62, -35, 10.82)

def casserole_ear(side, mat):
    # both ends leave the wall at right angles, so that they do not show inside
    half = [(11.57, 4.79, 8.75), (12.6, 5.2, 8.85), (14.5, 4.95, 9.1), (16.0, 3.1, 9.35), (16.4, 0, 9.45)]
    path = spline([(side*x, -y, z) for x, y, z in half] + [(side*x, y, z) for x, y, z in half[-2::-1]], 90)
    f = flare(90, .5, .07); sweep('ear', path, superellipse(.85, .55, 2.6, 40), mat, np.c_[f, .3+.7*f], up=(0, 0, 1), smooth=180)

def casserole_lid(mat, pale, iron, knob):
    top = lathe('lid', fillet([(12.3, 10.82), (13.05, 10.82, .12), (13.1, 11.15, .2), (12.2, 11.5, .5), (10.6, 12.6, 3.), (5.0, 13.7, 6), (1.5, 13.9, .3), (0, 13.9)], 14), mat, 224, 60)
    under = lathe('under', np.vstack([[(12.3, 10.82)], fillet([(12.2, 10.3), (11.9, 10.3), (11.7, 10.9, .4), (10.0, 12.0, 2), (5, 13.1, 4), (0, 13.3)], 10)]), pale, 224, 60)
    dimples = []
    bead = lathe('dimple', np.c_[.42*np.cos(np.linspace(-np.pi/2, 0, 10)), .2*np.sin(np.linspace(-np.pi/2, 0, 10))], pale, 32, 180)
    for ring, (r, z) in enumerate(((2., 13.27), (4., 13.2), (6., 12.9), (8., 12.5))):
        for k in range(6*(ring+1)):
            a = 2*np.pi*(k+.5*(ring % 2))/(6*(ring+1)); dimples.append(instance(bead, (r*math.cos(a), r*math.sin(a), z), (0, 0, 0)))
    bead.location = (0, 0, 13.3)
    brass = metal(knob, .22)
    handle = [lathe('washer', fillet([(0, 13.85), (1.25, 13.85, .05), (1.2, 14.05, .08), (0, 14.05)], 4), brass, 96),
              lathe('knob', fillet([(0, 14.0), (.75, 14.0), (.62, 14.7, .5), (1.1, 15.3, .5), (2.1, 15.6, .3), (2.2, 16.2, .45), (0, 16.45)], 12), brass, 128, 60)]
    return [top, under, bead, *dimples, *handle]

# ------------------------------------------------------------------ teapot
def kist_teapot(color='#4d565c', speckle='#2c3236'):
    satin = stoneware(color, .34, .3, speckle); brass = metal('#c7a15c', .25)
    side = spline([(3.7, .1), (5.3, 1.0), (6.75, 3.4), (7.0, 5.6), (6.3, 8.0), (4.9, 9.6), (3.75, 10.25)], 120)
    lathe('body', np.vstack([[(0, .3), (3.1, .3), (3.25, 0), (3.5, 0)], side, lip(3.75, 3.4, 10.25)[1:], [(3.4, 9.4), (0, 9.0)]]), satin, 224, 60)
    lid = spline([(3.62, 10.36), (3.2, 10.85), (1.9, 11.35), (.7, 11.5)], 50)
    lathe('lid', np.vstack([[(3.2, 10.0), (3.3, 10.28), (3.55, 10.28)], lid, fillet([(.62, 11.5), (.5, 11.9, .25), (.95, 12.45, .35), (.8, 12.95, .3), (0, 13.1)], 8)]), satin, 192, 75)
    way = spline([(5.4, 0, 4.2), (7.2, 0, 5.0), (8.8, 0, 6.7), (9.9, 0, 8.6), (11.3, 0, 10.0)], 90); t = np.linspace(0, 1, 90)
    pipe('spout', way, np.interp(t, [0, .3, .7, 1], [1.9, 1.45, .95, .8]) + .9*np.exp(-t/.10), .2, satin, cut=-.75)
    for side_x in (-1, 1): teapot_lug(side_x, satin, brass)
    hoop_x = 5.75
    arc = np.linspace(0, np.pi, 120); hoop = np.c_[-hoop_x*np.sign(np.cos(arc))*np.abs(np.cos(arc))**.8, 0*arc, 10.0 + 8.9*np.sin(arc)**.85]
    hoop = resample(np.vstack([[(-hoop_x, 0, 8.9)], hoop, [(hoop_x, 0, 8.9)]]), 160); q = np.linspace(-1, 1, 160)
    tip = np.sqrt(np.clip(1 - (np.clip(np.abs(q)-.96, 0, .04)/.04)**2, .03, 1))
    sweep('hoop', hoop, superellipse(.34, .85, 4, 48), timber(*BEECH, 'Y', .48, coord='UV'), np.c_[np.ones(160), tip*(1+.12*(1-q*q))], up=(0, 1, 0), smooth=60)

def teapot_lug(side, clay_m, brass):
    p = np.array([(side*4.3, 0, 8.6), (side*4.9, 0, 9.1), (side*5.15, 0, 9.7), (side*5.15, 0, 10.2)])
    tube('lug', spline(p, 30), .62, clay_m, 32)
    pin = lathe('pin', fillet([(0, -.6), (.2, -.6), (.2, .42), (.36, .42, .03), (.34, .56, .1), (0, .62)], 6), brass, 64, 60)
    place(pin, (side*5.72, 0, 9.9), (0, side*90, 0))

# ------------------------------------------------------------------ pepper mill
def quern_mill(wood=WALNUT, rough=.42):
    m = timber(*wood, 'Z', rough, coat=.12); brass = metal('#c8a25d', .24); steel = metal('#bfc0c2', .22)
    body = spline([(2.72, .9), (2.55, 2.6), (2.05, 6.), (1.78, 9.2), (2.0, 11.8), (2.42, 13.6)], 90)
    lathe('body', np.vstack([fillet([(1.9, .0), (2.86, 0, .18), (2.9, .5, .18), (2.72, .62, .05), (2.70, .72, .04), (2.74, .82, .04)], 5), body, fillet([(2.5, 13.85), (2.55, 14.15, .12), (2.3, 14.25)], 5)]), m, 192, 50)
    lathe('joint', fillet([(0, 14.2), (2.28, 14.2), (2.28, 14.42), (0, 14.42)], 2), steel, 160)
    head = spline([(2.62, 14.95), (2.7, 15.8), (2.5, 17.1), (1.95, 18.3), (1.25, 19.0)], 60)
    lathe('head', np.vstack([fillet([(2.2, 14.38), (2.52, 14.4, .12), (2.58, 14.7)], 5), head, fillet([(1.15, 19.15, .05), (1.0, 19.3, .1), (0, 19.3)], 5)]), m, 192, 50)
    lathe('collar', fillet([(0, 19.2), (.62, 19.2), (.62, 19.5, .05), (0, 19.5)], 4), brass, 64)
    knurl('nut', .78, .02, 36, 19.48, 20.5, brass, .14)
    lathe('stud', fillet([(0, 20.4), (.3, 20.4), (.3, 20.9, .15), (0, 21.0)], 6), brass, 64, 60)
    grinder(steel)

def grinder(steel):
    """Underside: a steel cup and a ribbed ceramic cone."""
    lathe('cup', fillet([(1.92, 0), (1.85, .02, .03), (1.7, .05, .05), (1.65, .6), (0, .6)], 4), steel, 128, 50)
    a = np.linspace(0, 2*np.pi, 240, endpoint=False); rows = []
    for r, z in ((1.45, .55), (1.4, .2), (1.2, .1), (.75, .25), (.6, .12), (.35, .1), (.01, .1)):
        rib = r*(1+(.05*np.sign(np.sin(20*a)) if .9 < r < 1.43 else 0)); rows.append(np.c_[rib*np.cos(a), rib*np.sin(a), np.full(240, z)])
    grid('ceramic', np.array(rows), ceramic('#f1efe9', .25), smooth=40)

# ------------------------------------------------------------------ carafe
def weir_carafe(tint='#fbfdfc'):
    flags(14); g = clear_glass(tint)
    def wall(d): return spline([(4.5-d, .55+.6*d), (4.82-d, 2.2), (4.82-d, 9.), (4.5-d, 13.), (3.35-d, 16.6), (2.35-d, 19.3), (2.1-d, 20.8), (2.26-d, 22.5), (2.49-d, 23.4)], 160)
    outer = np.vstack([[(0, .2), (2.6, .12)], fillet([(3.2, 0), (3.9, 0, .4), (4.5, .55)], 8)[:-1], wall(0)])
    inner = np.vstack([[(0, 1.0), (2.4, .95), (3.6, .85), (4.1, .8)], wall(.24)[2:], lip(2.49, 2.25, 23.4)[::-1][1:-1]])
    vessel(outer, inner, g, round_section(192), 12.6, liquid_wall(), liquid_top())
    a = np.linspace(-np.pi/2, np.pi/2, 60); ball = lathe('cork', 2.5*np.c_[np.cos(a), np.sin(a)], cork(), 128, 180)
    place(ball, (0, 0, 23.5 + math.sqrt(2.5**2 - 2.3**2)), (24, 15, 0))     # it rests on the rim

# ------------------------------------------------------------------ what the shop shows
GOODS = {
    'marl-stoneware-mug': dict(build=marl_mug, colours={
        'Oat': dict(glaze='#e8e1d3', speckle='#77624c'), 'Slate': dict(glaze='#5b6873', speckle='#262d33'),
        'Terracotta': dict(glaze='#b9593a', speckle='#5f2917'), 'Sage': dict(glaze='#92a18a', speckle='#4a5645')},
        views=[dict(az=-26, elev=16, fill=.76), dict(az=-152, elev=30, fill=.78), dict(az=-40, elev=24, fill=1.5, shift=(-.12, -.28))]),
    'spate-gooseneck-kettle': dict(build=spate_kettle, colours={
        'Ink': dict(body='#22282e', base='#22282e'), 'Chalk': dict(body='#e4ddd0', base='#e4ddd0', ink='#4a463f'),
        'Steel': dict(body='#c4c5c7', finish='steel', base='#2a2b2d', ink='#333333')},
        views=[dict(az=-14, elev=14, fill=.82), dict(az=38, elev=20, fill=.82), dict(az=-14, elev=26, fill=1.55, shift=(.06, .26))]),
    'strand-stoneware-vase': dict(build=strand_vase, colours={
        'Chalk': dict(color='#e6dfd2', speckle='#9d8f7b'), 'Terracotta': dict(color='#b9603f', speckle='#8a4028'), 'Ink': dict(color='#2b3138', speckle='#4a525a')},
        views=[dict(elev=12, fill=.8), dict(az=30, elev=28, fill=.8), dict(elev=30, fill=1.9, shift=(0, -.52))]),
    'rook-pour-over-coffee-maker': dict(build=rook_coffee, samples=20, colours={'Walnut': dict(wood=WALNUT), 'Beech': dict(wood=BEECH)},
        views=[dict(az=-12, elev=12, fill=.82), dict(az=35, elev=26, fill=.8), dict(az=-8, elev=20, fill=1.7, shift=(.05, -.1))]),
    'hob-cast-iron-casserole': dict(build=hob_casserole, colours={
        'Bottle Green': dict(color='#16493a'), 'Marigold': dict(color='#dd8f1f'), 'Ink': dict(color='#20272f', knob='#c3c4c6')},
        views=[dict(az=-14, elev=20, fill=.84), dict(az=-30, elev=28, fill=.84, args=dict(open=True)), dict(az=-28, elev=26, fill=1.7, shift=(-.15, -.15))]),
    'kist-teapot': dict(build=kist_teapot, colours={'Slate': dict(color='#4d565c', speckle='#2c3236'), 'Oat': dict(color='#ddd3c0', speckle='#7d6a52')},
        views=[dict(az=-16, elev=14, fill=.8), dict(az=42, elev=26, fill=.8), dict(az=-24, elev=18, fill=1.7, shift=(-.3, .05))]),
    'quern-pepper-mill': dict(build=quern_mill, colours={'Walnut': dict(wood=WALNUT), 'Beech': dict(wood=BEECH), 'Black': dict(wood=BLACK_WOOD, rough=.5)},
        views=[dict(elev=12, fill=.82), dict(rot=(-90, 0, -36), ground=True, elev=20, fill=.82), dict(elev=18, fill=2.1, shift=(0, -.72))]),
    'weir-glass-carafe': dict(build=weir_carafe, colours={'Clear': dict(tint='#fbfdfc'), 'Smoke': dict(tint='#b3ada7'), 'Sea Green': dict(tint='#b4dccf')},
        views=[dict(elev=10, fill=.82), dict(az=20, elev=26, fill=.82), dict(elev=14, fill=2., shift=(0, -.7))]),
}
