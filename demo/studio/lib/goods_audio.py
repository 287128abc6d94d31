"""Audio: headphones, earbuds, speakers, turntable, radio, headphone stand (house brand Veldrun)."""
from PIL import Image, ImageDraw
from studio import *
import textures

INTER = textures.FD + 'Inter-SemiBold.otf'
BRAND = 'veldrun'
BRASS = '#d9c296'      # pale: the tone curve deepens metal colours
UPRIGHT = (90, 0, 0)      # turns a part drawn in (x, y) with its face towards +z so that the face looks at −Y


# ------------------------------------------------------------------ materials that the studio lacks
def tile(name, pixels):
    """Saves an array of 0..1 as a picture and returns its path."""
    path = os.path.join(TEX, name + '.png')
    Image.fromarray((np.clip(pixels, 0, 1)*255).astype('uint8')).save(path)
    return path


def tiled(m, path, vector, size):
    """Colour output of a repeated picture; `size` is the width and height of one tile in cm."""
    scale = m.n('Mapping')
    scale.inputs['Scale'].default_value = (1/size[0], 1/size[1], 1)
    m.l(vector, scale.inputs[0])
    picture = m.n('TexImage', extension='REPEAT')
    picture.image = bpy.data.images.load(path, check_existing=True)
    picture.image.colorspace_settings.name = 'Non-Color'
    m.l(scale.outputs[0], picture.inputs[0])
    return picture.outputs[0]


def perforated(color, pitch=.2, hole=.066, rough=.45, metallic=0., coord='Object', rot=(0, 0, 0)):
    """Sheet with round holes in a hexagonal pattern, really open (alpha); put something dark behind it."""
    n = 128
    y, x = np.mgrid[0:int(n*3**.5), 0:n]/n*pitch
    high = pitch*3**.5
    distance = np.full(x.shape, 9.)
    for cx, cy in ((0, 0), (pitch, 0), (0, high), (pitch, high), (pitch/2, high/2)):
        distance = np.minimum(distance, np.hypot(x-cx, y-cy))
    path = tile(f'holes_{pitch}_{hole}', (distance-hole)/(pitch*.03)+.5)
    m = Mat('perforated', color, rough, metallic)
    solid = tiled(m, path, m.coord(coord, rot=rot), (pitch, high))
    m.l(solid, m.p.inputs['Alpha'])
    return m.m


def weave(color, color2=None, threads=7., depth=.03, coord='UV', rough=.88, sheen=.25, fleck=.5):
    """Plain weave with round threads; the UVs are centimetres, `threads` per centimetre."""
    n = 192
    y, x = np.mgrid[0:n, 0:n]/n*2
    u, v = x % 1-.5, y % 1-.5
    over = np.where((np.floor(x)+np.floor(y)) % 2 == 0, 1., -1.)
    warp = .55*np.sqrt(np.clip(1-(u/.47)**2, 0, 1)) + .32*over*np.cos(np.pi*v)
    weft = .55*np.sqrt(np.clip(1-(v/.47)**2, 0, 1)) - .32*over*np.cos(np.pi*u)
    height = np.clip(np.maximum(warp, weft), 0, 1)
    path = tile('weave', np.stack([height, warp > weft, np.zeros_like(height)], -1))
    m = Mat('weave', color, rough, Sheen_Weight=sheen, Sheen_Roughness=.5)
    m.set('Sheen Tint', lin(color))
    m.set('Specular IOR Level', .2)
    where = m.coord(coord)
    split = m.n('SeparateColor')
    m.l(tiled(m, path, where, (2/threads, 2/threads)), split.inputs[0])
    high, is_warp = split.outputs[0], split.outputs[1]
    m.bump(high, depth)
    along = m.noise(m.coord(coord, scale=(threads, threads*.12, 1)), 1., 2, .6)
    across = m.noise(m.coord(coord, scale=(threads*.12, threads, 1)), 1., 2, .6)
    melange = m.mix(is_warp, across, along)
    value = m.math('MULTIPLY', m.map(high, .1, .85, .35, 1.08), m.map(melange, .3, .7, 1-fleck*.35, 1+fleck*.35))
    tone = m.n('HueSaturation')
    m.l(m.mix(is_warp, color2 or color, color), tone.inputs['Color'])
    m.l(value, tone.inputs['Value'])
    m.col(tone.outputs[0])
    return m.m


def timber(light, dark, pore, axis='X', rings=.9, centre=(9., 5.), rough=.42, fibre=.5, wave=1.6, coat=0.):
    """Sawn wood: year rings round an axis outside the board, fibres and pores drawn out along the grain."""
    along = 'XYZ'.index(axis)

    def stretched(lengthwise, crosswise):
        s = [crosswise]*3
        s[along] = lengthwise
        return tuple(s)

    m = Mat('timber', light, rough)
    drift = m.n('TexNoise', Scale=1., Detail=2)
    m.l(m.coord(scale=stretched(.035, .09)), drift.inputs['Vector'])
    shifted = list(centre)
    shifted.insert(along, 0.)
    start = m.coord(scale=stretched(0., 1.), loc=shifted)
    warped = m.n('VectorMath', operation='MULTIPLY_ADD')
    warped.inputs[1].default_value = (wave*2,)*3
    m.l(drift.outputs[1], warped.inputs[0])
    m.l(start, warped.inputs[2])
    flat = m.n('VectorMath', operation='MULTIPLY')
    flat.inputs[1].default_value = stretched(0., 1.)
    m.l(warped.outputs[0], flat.inputs[0])
    radius = m.n('VectorMath', operation='LENGTH')
    m.l(flat.outputs[0], radius.inputs[0])
    ring = m.math('FRACT', m.math('MULTIPLY', radius.outputs['Value'], rings))
    late = m.math('MULTIPLY', m.map(ring, .15, .9, 0, 1, True), m.map(ring, .9, 1., 1, 0, True))
    fibres = m.noise(m.coord(scale=stretched(.16, 9.)), 1., 4, .6)
    broad = m.noise(m.coord(scale=stretched(.02, .3)), 1., 2)
    pores = m.map(m.noise(m.coord(scale=stretched(.9, 26.)), 1., 1), .60, .70, 0, 1)
    depth = m.math('ADD', m.math('MULTIPLY', late, .5), m.math('MULTIPLY', m.map(fibres, .3, .7, 0, 1), fibre))
    depth = m.math('MULTIPLY', depth, m.map(broad, .3, .7, .7, 1.15))
    m.col(m.mix(m.math('MULTIPLY', pores, .5), m.mix(depth, light, dark), pore))
    m.bump(m.math('SUBTRACT', m.math('MULTIPLY', fibres, .5), pores), .004, .5)
    m.rgh(m.map(fibres, .3, .7, rough-.06, rough+.1))
    if coat:
        m.set('Coat Weight', coat).set('Coat Roughness', .2)
    return m.m


def oak(axis='X', **kw):
    return timber('#cfa878', '#b48a58', '#8d683f', axis, **kw)


def walnut(axis='X', **kw):
    return timber('#8a6144', '#5d3c27', '#3a2417', axis, **kw)


def black_ash(axis='X', **kw):
    return timber('#35322f', '#211f1d', '#100f0e', axis, **{'fibre': .7, **kw})


WOODS = dict(oak=oak, walnut=walnut, black_ash=black_ash)


def felt(color):
    """Pressed wool, velour: no shine, a halo at grazing angles, a fine nap."""
    m = Mat('felt', color, .95, Sheen_Weight=.6, Sheen_Roughness=.35)
    m.set('Sheen Tint', lin(color))
    m.set('Specular IOR Level', .1)
    nap = m.noise(m.coord(), 34, 4, .7)
    m.bump(nap, .02, .8)
    tone = m.n('HueSaturation', Color=lin(color))
    m.l(m.map(m.noise(m.coord(), 5, 5, .75), .3, .7, .82, 1.15), tone.inputs['Value'])
    m.col(tone.outputs[0])
    return m.m


def cork(color='#c7aa86'):
    """Pressed cork granules."""
    m = Mat('cork', color, .9)
    where = m.coord()
    grains = m.n('TexVoronoi', Scale=5.5)
    m.l(where, grains.inputs['Vector'])
    chance = m.n('TexWhiteNoise')
    m.l(grains.outputs['Position'], chance.inputs[0])
    body = m.mix(m.map(chance.outputs[0], 0, 1, 0, .7), color, '#ad8c66')
    body = m.mix(m.map(chance.outputs[0], .9, .94, 0, .6), body, '#765a40')
    body = m.mix(m.map(m.noise(where, 12, 4, .7), .55, .75, 0, .4), body, '#8f7150')
    m.col(body)
    m.bump(m.noise(where, 14, 4, .7), .02, .6)
    return m.m


def black_glass():
    return Mat('black glass', '#07080a', .06, Coat_Weight=.4).m


# ------------------------------------------------------------------ shapes that several goods share
def turned(name, profile, mat, seg=240, smooth=60):
    """A lathe whose UVs do not jump at the seam (which lies at the back): for woven covers."""
    profile = np.asarray(profile, float)
    t = np.linspace(math.pi/2, math.pi*2.5, seg+1)
    P = np.stack([np.outer(profile[:, 0], np.cos(t)), np.outer(profile[:, 0], np.sin(t)),
                  np.repeat(profile[:, 1:2], seg+1, 1)], -1)
    return grid(name, P, mat, cv=False, smooth=smooth)


def disc(name, r, z0, z1, mat, b=.04, seg=96):
    """A round plate with rounded edges."""
    return lathe(name, fillet([(0, z0), (r, z0, b), (r, z1, b), (0, z1)], 5), mat, seg)


def bent_sheet(name, path, width, thick, mat, corner=1.2, across=(1, 0, 0), edge=.08):
    """A sheet bent along a path, its four free corners rounded; `across` is the direction of its width."""
    path = np.asarray(path, float)
    run = np.r_[0, np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))]
    round_ = corner*(1-np.cos(np.linspace(.05, np.pi/2, 14)))
    at = np.unique(np.r_[round_, run[-1]-round_, np.arange(corner, run[-1]-corner, .15)])
    points = np.stack([np.interp(at, run, path[:, k]) for k in range(3)], 1)
    d = np.minimum(np.minimum(at, run[-1]-at), corner)
    half = width/2-corner+np.sqrt(corner**2-(corner-d)**2)
    outline = rrect(thick, 2, min(edge, thick*.45), 4)
    sections = np.array([np.c_[outline[:, 0], np.sign(outline[:, 1])*(h-1+abs(outline[:, 1]))] for h in half])
    return sweep(name, points, sections, mat, 1., up=across, smooth=30)


def knob(name, r, h, mat, teeth=60, cut=.02, face=None):
    """A knurled knob standing on z = 0, with a turned face."""
    t = np.linspace(0, 2*np.pi, teeth*8, endpoint=False)
    wave = 1-cut*(.5-.5*np.cos(t*teeth))**2
    edge = [(.0, .0, 0), (.97, 0., 0), (1., .05, 1), (1., h-.1, 1), (.975, h-.03, 0), (.94, h, 0), (0, h, 0)]
    P = np.array([[(k*r*(w if cutting else 1-cut*.5)*math.cos(a), k*r*(w if cutting else 1-cut*.5)*math.sin(a), z)
                   for a, w in zip(t, wave)] for k, z, cutting in edge])
    parts = [grid(name, P, mat, smooth=32)]
    if face:
        parts.append(lathe(name+' face', fillet([(0, h-.01), (r*.80, h-.01), (r*.82, h+.012, .01), (r*.90, h+.012)][::-1], 2), face, 96))
        parts.append(disc(name+' top', r*.9, h-.05, h+.01, face, .01))
    return parts


def screw(r=.28, mat=None, h=.1):
    """A hex-socket screw head, standing on z = 0."""
    mat = mat or metal('#2a2b2d', .3)
    socket = slab('socket', circle(r*.5, 6), h-.02, h+.004, plastic('#060606', .6), 0, b0=0)
    return [lathe('screw', fillet([(0, 0), (r, 0), (r, h, .03), (0, h)], 3), mat, 32), socket]


def word(body, size, mat, loc, rot=(0, 0, 0), thick=.004):
    return text('brand', body, size, mat, loc, rot, thick, INTER, spacing=1.04)


def stitches(path, out, mat, step=.28, length=.17, r=.028, sink=.3):
    """Thread along a path; `out` are the surface normals at its points."""
    path, out = np.asarray(path, float), np.asarray(out, float)
    run = np.r_[0, np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))]
    tangents = frames(path)[0]
    first = tube('stitch', np.c_[np.linspace(-length/2, length/2, 5), np.zeros(5), [0, r*.5, r*.6, r*.5, 0]], r, mat, 8)
    parts = []
    for d in np.arange(step/2, run[-1], step):
        i = min(np.searchsorted(run, d), len(path)-1)
        p = np.array([np.interp(d, run, path[:, k]) for k in range(3)])
        x, z = tangents[i], out[i]-out[i] @ tangents[i]*tangents[i]
        z /= np.linalg.norm(z)
        one = instance(first)
        one.matrix_local = Matrix.Translation(p-z*r*sink) @ Matrix((x, np.cross(z, x), z)).transposed().to_4x4()
        parts.append(one)
    bpy.data.objects.remove(first)
    return parts


def plug(length=3.2, steel='#c9cacc', grip='#26272a'):
    """A 3.5 mm jack along +x from the origin (the cable's end)."""
    sleeve = fillet([(0, 0), (.2, 0), (.3, .25, .1), (.42, 1.0, .1), (.42, length*.62, .05), (.34, length*.66), (0, length*.66)], 4)
    pin = fillet([(0, length*.6), (.175, length*.6), (.175, length*.9), (.14, length*.915), (.175, length*.93), (.15, length, .05), (0, length+.08)], 3)
    return [place(lathe('plug', sleeve, plastic(grip, .4), 48), rot=(0, 90, 0)), place(lathe('pin', pin, metal(steel, .12), 48), rot=(0, 90, 0))]


# ------------------------------------------------------------------ headphones
def cup_pose(side, x, z, toe=4, cant=5):
    """A cup is drawn with x up, y fore and aft, z outwards; this hangs it on its side of the head."""
    axes = Matrix(((0, 0, side), (0, -side, 0), (1, 0, 0))).to_4x4()
    return (Matrix.Translation((side*x, 0, z)) @ Matrix.Rotation(R(side*-cant), 4, 'Y')
            @ Matrix.Rotation(R(side*toe), 4, 'Z') @ axes)


def ear_cushion(a, b, mat, thick=1.05, fat=1.2, power=2.3, seam=True):
    """A padded ring of half-axes b (up) and a (fore and aft), its back on z = 0."""
    path = np.c_[superellipse(b-fat, a-fat, power, 180), np.zeros(180)]
    ring = sweep('cushion', path, superellipse(fat, thick, 2.35, 44), mat, 1., up=(0, 0, 1), closed=True, smooth=180)
    parts = [place(ring, (0, 0, -thick))]
    if seam:
        edge = np.c_[superellipse(b-.04, a-.04, power, 180), np.zeros(180)]
        parts.append(place(tube('piping', edge, .065, mat, 10, closed=True, smooth=180), (0, 0, -thick*.62)))
    return parts


def head_arch(x, z, rise, n=240):
    """Points of the headband from the right cup over the head to the left one, and their angle."""
    s = np.linspace(0, math.pi, n)
    c, h = np.cos(s), np.sin(s)
    return np.c_[x*np.sign(c)*abs(c)**(2/2.35), np.zeros(n), z+rise*h**(2/2.1)], s


def band_part(arch, s, margin):
    """The middle of an arch, and how far along it each point is (0 to 1)."""
    part = arch[(s > margin) & (s < math.pi-margin)]
    part = resample(part, 140)
    return part, np.linspace(0, 1, 140)


def outward(path):
    """Normals of a path in the x–z plane, pointing away from the head."""
    t = frames(path)[0]
    n = np.c_[-t[:, 2], np.zeros(len(t)), t[:, 0]]
    return n*np.sign((n*(path-[0, 0, path[:, 2].min()])).sum(1))[:, None]


def closed_cup(side, shell, disc_metal, steel, pad, dark):
    """Closed back: a rounded shell, a dished aluminium disc, a deep cushion."""
    a, b = 3.75, 4.25
    parts = [slab('shell', superellipse(b, a, 2.2, 160), 0, 2.3, shell, .85, 14, b0=.16),
             slab('gap', superellipse(b*.96, a*.96, 2.2, 160), -.16, .03, dark, 0, b0=0),
             lathe('rim', fillet([(2.84, 2.1), (2.84, 2.40, .05), (2.68, 2.42, .05), (2.62, 2.2)], 4), steel, 160),
             lathe('dish', fillet([(2.68, 2.38), (2.5, 2.34, .2), (1.4, 2.32), (0, 2.32)], 6), disc_metal, 160)]
    for p in ear_cushion(a, b, pad, 1.0, 1.28):
        p.location.z -= .14
        parts.append(p)
    parts.append(slab('driver', superellipse(b*.6, a*.58, 2.3, 96), -.5, -.4, weave('#3a3a3b', threads=9, coord='Object'), 0, b0=0))
    if side < 0:
        # one button, at the back of the left cup
        parts.append(place(slab('button', rrect(1.3, .42, .2, 8), -.1, .1, steel, .06), (0, a-.02, .95), (-90, 0, 0)))
    return parts


def over_ear(shell='#d8cbb5', anodised='#c4b294', pad='#cbbba1', thread='#a38f70', steel='#d3d3d2'):
    body, plate, spring = soft_touch(shell, .48), metal(anodised, .32, blast=.0005), metal(steel, .2)
    leather_ = leather(pad, 12, .008, .5, .06, dark='#5d5040')
    dark, sewing = plastic('#1d1d1e', .5), Mat('thread', thread, .75).m
    x, z, depth = 6.7, 4.35, 2.3
    arch, s = head_arch(x+depth+.42, z, 14.9)
    for side in (-1, 1):
        group(closed_cup(side, body, brushed_radial(anodised, .34), spring, leather_, dark)).matrix_local = cup_pose(side, x, z)
        # the arm ends in a hub on the cup's face
        hub = [disc('hub', 1.28, -.34, .56, plate, .1), disc('hub face', .98, .4, .575, brushed_radial(anodised, .3), .02)]
        group(hub).matrix_local = cup_pose(side, x+depth+.1, z)
        arm = arch[s < .80] if side > 0 else arch[s > math.pi-.80][::-1]
        arm = arm-[side*.12, 0, 0]
        taper = np.interp(np.arange(len(arm)), [0, 14, 40], [1.15, .95, .8])
        sweep('arm', arm, superellipse(.11, .72, 6, 40), spring, np.c_[np.ones(len(arm)), taper], up=(0, 1, 0), smooth=50)
    band, t = band_part(arch, s, .60)
    swell = np.sin(np.pi*t)**.6
    ends = .72+.28*np.clip(np.minimum(t, 1-t)/.02, 0, 1)**.5
    half = 1.0+.42*swell
    thick = (.30+.26*swell)*ends
    band = band-outward(band)*(.10+.2*swell)[:, None]
    sweep('band', band, superellipse(1., 1., 3.0, 56), leather_, np.c_[thick, half*ends], up=(0, 1, 0), smooth=80)
    normal = outward(band)
    for edge in (-1, 1):
        # the seam lies where the rounded section has dropped to 93 % of its height
        line = band+normal*(thick*.955)[:, None]+np.c_[0*t, edge*half*.66, 0*t]
        stitches(line[5:-5], normal[5:-5]+[0, edge*.22, 0], sewing, .36, .22, .032)
    for end in (2, -3):
        collar = band[end+np.arange(-2, 3)]
        sweep('collar', collar, superellipse(.40, 1.03, 3.4, 48), plate, 1., up=(0, 1, 0), smooth=50)


def open_cup(a, mesh, frame, pad, dark):
    """Open back: a dome of steel mesh in an aluminium ring, velour pads."""
    th = np.linspace(0, 1, 24)
    dome = np.c_[3.55*th, 2.05+.42*(1-th**2)][::-1]
    parts = [lathe('ring', fillet([(3.2, .0), (a-.1, .0, .1), (a, .5, .2), (a-.05, 1.3, .4), (a-.5, 2.1, .25), (3.6, 2.25, .08), (3.45, 2.02), (3.3, 1.8)], 7), frame, 160),
             lathe('mesh', dome, mesh, 160, 180),
             disc('inside', 3.45, .3, .9, dark), lathe('magnet', fillet([(0, .9), (2.2, .9), (2.2, 1.5, .2), (1.0, 1.5, .1), (.9, 1.2), (0, 1.2)], 5), metal('#8e8f91', .35), 96),
             disc('gap', a-.35, -.2, .05, dark)]
    cushion = ear_cushion(a-.1, a-.1, pad, 1.15, 1.35, 2.0, seam=False)
    cushion[0].location.z = -1.2
    return parts+cushion+[slab('driver', circle(3.1, 96), -.7, -.6, weave('#39393b', threads=8, coord='Object'), 0, b0=0)]


def fork(a, mat):
    """Half a hoop over the cup with a pivot at each end; x along the cup's axis, z up, the cup's centre at the origin."""
    t = np.linspace(-.06, math.pi+.06, 96)
    hoop = np.c_[0*t, (a+.42)*np.cos(t), (a+.55)*np.sin(t)]
    wide = np.interp(t, [0, .5, math.pi/2, math.pi-.5, math.pi], [.62, .7, 1., .7, .62])
    parts = [sweep('fork', hoop, superellipse(.15, .55, 5, 36), mat, np.c_[np.ones(96), wide], up=(1, 0, 0), smooth=50)]
    for k in (-1, 1):
        parts.append(place(lathe('pivot', fillet([(0, -.4), (.36, -.4), (.36, .26, .06), (.2, .3), (0, .3)], 5), mat, 48), (0, k*(a+.3), 0), (-90*k, 0, 0)))
    return parts


def studio_wired(paint='#484a4f', mesh_c='#6b6e73', pad='#56575a', steel='#c9cacc'):
    frame = plastic(paint, .42, .002, scale=90)
    mesh = perforated(mesh_c, .24, .082, .5, .6)
    rod, dark, velour = metal(steel, .22), plastic('#0e0e0f', .6), felt(pad)
    a, x, z = 4.35, 6.5, 4.6
    for side in (-1, 1):
        group(open_cup(a, mesh, frame, velour, dark)).matrix_local = cup_pose(side, x, z, 6, 6)
        group(fork(a, frame)).matrix_local = Matrix.Translation((side*(x+1.0), 0, z)) @ Matrix.Rotation(R(side*-6), 4, 'Y') @ Matrix.Rotation(R(side*6), 4, 'Z')
    top = z+a+.55
    arch, s = head_arch(x+1.45, top+.7, 9.4)
    for y in (-.62, .62):
        keep = arch[(s > .02) & (s < math.pi-.02)]
        tube('rod', keep+[0, y, 0], .15, rod, 20)
    for side in (-1, 1):
        block = slab('block', rrect(2.1, .9, .35, 8), -.95, .95, frame, .14)
        place(block, (side*(x+1.45), 0, top+.72), (0, 0, 90))
        place(word(BRAND, .34, metal('#9b9da0', .3), (0, 0, 0)), (side*(x+1.45+.452), 0, top+.75), (90, 0, side*90))
    # the strap hangs below the rods and carries the weight
    strap, t = band_part(*head_arch(x+1.0, top+.4, 8.3), .34)
    hide = leather('#434346', 11, .008, .5, .1, dark='#1c1c1c')
    swell = np.sin(np.pi*t)**.5
    sweep('strap', strap, superellipse(1., 1., 3.2, 56), hide, np.c_[.14+.16*swell, .75+.85*swell], up=(0, 1, 0), smooth=80)
    normal = outward(strap)
    for edge in (-1, 1):
        line = strap+normal*(.135+.152*swell)[:, None]+np.c_[0*t, edge*(.75+.85*swell)*.72, 0*t]
        stitches(line[6:-6], normal[6:-6]+[0, edge*.15, 0], Mat('thread', '#77787b', .8).m, .4, .24, .03)
    for side in (-1, 1):
        place(slab('clip', rrect(1.7, .8, .2, 6), -.3, .3, frame, .1), tuple(strap[3 if side > 0 else -4]+[side*.15, 0, 0]), (0, side*12, 90))
    wired_cable(x, z, a, dark)


def wired_cable(x, z, a, dark):
    """The cable leaves the left cup below, runs over the table in a loose loop and ends in a plug."""
    low = z-a
    start = (-x-.9, -.5, low+.35)
    way = spline([start, (-x-1.3, -1.5, .5), (-x-1.8, -3.2, .19), (-x+.5, -6.6, .19), (-1.5, -6.2, .19), (1.0, -3.2, .19), (-1.6, -1.6, .19),
                  (-3.6, -3.6, .19), (-1.8, -6.9, .55), (1.6, -7.9, .25), (4.2, -7.2, .3)], 240)
    jacket = rubber('#37383b', .55)
    tube('cable', way, .17, jacket, 16)
    place(lathe('socket', fillet([(0, 0), (.3, 0, .05), (.34, .8, .05), (.2, 1.0), (0, 1.0)], 4), dark, 40), (-x-.86, -.38, low+.95), (158, 12, 0))
    end = way[-1]-way[-6]
    group(plug(), tuple(way[-1]+[0, 0, .1]), (0, 0, math.degrees(math.atan2(end[1], end[0]))))


# ------------------------------------------------------------------ earbuds
def pebble(r, h, flat=.35, n=40):
    """Profile of a river stone, from the middle of its underside to the top, flattened below."""
    t = np.linspace(-math.pi/2, math.pi/2, n)
    c, s = np.cos(t), np.sin(t)
    z = h/2*(1+np.sign(s)*abs(s)**(2/2.35))
    p = np.c_[r*abs(c)**(2/2.35), z]
    p[:, 1] = np.maximum(p[:, 1], flat*.3)-flat*.3
    p[0, 0] = p[-1, 0] = 0
    return p


def radius_at(outer, z):
    """Radius of a stone's profile at a height in its upper or lower half."""
    middle = len(outer)//2
    half = outer[:middle+1] if z < outer[:, 1].max()/2 else outer[middle-1:][::-1]
    return np.interp(z, half[:, 1], half[:, 0])


def stone_base(outer, z1, mat, wall=.2):
    """The stone up to a height, with the rim of its wall."""
    r = radius_at(outer, z1)
    rim = fillet([tuple(outer[outer[:, 1] < z1][-1]), (r, z1, .03), (r-wall, z1, .03), (r-wall, z1-.5)], 3)
    return lathe('base', np.vstack([outer[outer[:, 1] < z1][:-1], rim]), mat, 192, 50)


def stone_lid(outer, z0, mat, lining, wall=.2):
    """The stone above a height, its rim, and the hollow inside."""
    r, top = radius_at(outer, z0), outer[:, 1].max()
    above = outer[outer[:, 1] > z0]
    rim = fillet([(r-wall, z0+.1), (r-wall, z0, .03), (r, z0, .03), tuple(above[0])], 3)
    hollow = np.c_[above[:, 0]*(r-wall)/r, z0+(above[:, 1]-z0)*.82]
    hollow = np.vstack([[(r-wall, z0+.02)], hollow])
    hollow[-1] = (0, z0+(top-z0)*.82)
    return [lathe('lid', np.vstack([rim, above[1:]]), mat, 192, 50), lathe('hollow', hollow, lining, 160, 50)]


def bud(body, accent, tip, side=1, seated=False):
    """One earbud: the outer face up (+z), the nozzle and its silicone tip below and inwards (hidden when seated in the case)."""
    th = np.linspace(0, math.pi, 33)
    form = np.c_[np.sin(th)**.8*.98, np.cos(th)*.66]
    form[0, 0] = form[-1, 0] = 0
    main = place(lathe('bud', form, body, 96, 180), scale=(1.08, .92, 1))
    face = place(lathe('ring', fillet([(.50, .55), (.50, .655, .02), (.56, .65, .02), (.58, .5)], 4), accent, 96), scale=(1.08, .92, 1))
    slot = slab('mic', rrect(.09, .32, .044, 6), .6, .668, plastic('#2a2a2a', .6), 0, b0=0)
    if seated:
        return [main, face, slot]
    nozzle = lathe('nozzle', fillet([(0, 0), (.36, 0), (.33, .75, .03), (0, .75)], 4), body, 64)
    cap = lathe('tip', fillet([(.30, .35), (.36, .30), (.62, .34, .06), (.64, .5, .12), (.56, .8, .2), (.36, 1.06, .12), (.24, 1.08, .04), (.21, .98), (.20, .6)], 6), tip, 96)
    mesh = disc('net', .22, .9, .93, metal('#6d6e70', .4), .0)
    ear = group([nozzle, cap, mesh], (-.34*side, 0, -.42), (0, 205*side, 0))
    return [main, face, slot, ear]


def earbuds(shell='#e9e4da', inner='#c9c1b2', accent='#cdb88f', tip='#f3f1ec', pose='open'):
    outer = pebble(2.9, 2.6)
    top = outer[:, 1].max()
    split = 1.42
    skin, lining, trim = soft_touch(shell, .4), plastic(inner, .5, .0006), metal(accent, .28)
    gum = Mat('silicone', tip, .38, Subsurface_Weight=.25)
    gum.set('Subsurface Radius', (.12, .1, .08))
    stone_base(outer, split, skin)
    lid = stone_lid(outer, split+.035, skin, lining)+[word(BRAND, .42, metal(accent, .3), (0, 0, top+.002))]
    hinge_y = 2.62
    for part in lid:
        part.location += Vector((0, -hinge_y, -split))
    group(lid, (0, hinge_y, split), (0, 0, 0) if pose == 'closed' else (-104, 0, 0))
    place(lathe('hinge', fillet([(0, -.7), (.14, -.7, .04), (.14, .7, .04), (0, .7)], 4), trim, 32), (0, hinge_y+.1, split-.02), (0, 90, 0))
    place(slab('led', rrect(.34, .1, .05, 6), 0, .02, emission('#bfe9c9', 1.2), 0, b0=0), (0, -2.80, .92), (82, 0, 0))
    if pose == 'open':
        deck = lathe('deck', fillet([(0, split-.5), (2.7, split-.5), (2.7, split-.12, .06), (0, split-.12)], 4), lining, 160)
        for side in (-1, 1):
            place(lathe('well', [(0, -1), (1.0, -.8), (1.12, 0), (1.12, 1), (0, 1)], None, 96), (side*1.22, -.1, split-.2))
        for cutter in [o for o in bpy.context.scene.objects if o.name.startswith('well')]:
            cutter.scale = (1.02, 1.32, 1)
            boolean(deck, cutter, smooth=35)
        lathe('floor', [(0, split-.95), (2.6, split-.95)], plastic(inner, .6), 96)
        for side in (-1, 1):
            group(bud(skin, trim, gum.m, side, seated=True), (side*1.22, -.1, split-.06), (0, 0, 90), (1.02,)*3)
    else:
        group(bud(skin, trim, gum.m, 1), (-2.1, -3.9, .95), (80, 0, 20), (1.05,)*3)
        group(bud(skin, trim, gum.m, -1), (1.9, -4.2, .88), (232, 0, -34), (1.05,)*3)


# ------------------------------------------------------------------ bookshelf speakers
def woofer(r=6.5):
    """130 mm woven cone with its rubber surround and frame, face on z = 0 looking up."""
    frame, gum = metal('#6c6d70', .38, blast=.0006), rubber('#333335', .5)
    parts = [lathe('frame', fillet([(r-.95, -.4), (r-.95, .16, .05), (r-.75, .34, .12), (r, .34, .1), (r+.15, .0)], 6), frame, 200)]
    roll = np.linspace(math.pi, 0, 20)
    surround = np.c_[r-1.62+.62*np.cos(roll), .02+.44*np.sin(roll)]
    parts.append(lathe('surround', np.vstack([[(r-2.45, -.1)], surround, [(r-.9, -.1)]]), gum, 200, 180))
    depth = np.linspace(0, 1, 30)
    cone = np.c_[r-2.3-(r-3.9)*depth, -.05-1.75*depth**.85]
    parts.append(lathe('cone', cone, weave('#a39d92', '#837d73', 3.0, .05, 'Object', .55, .1, .3), 200, 180))
    cap = np.linspace(0, math.pi/2*.85, 16)
    parts.append(lathe('dust cap', np.c_[2.0*np.sin(cap), -2.3+1.25*np.cos(cap)][::-1], plastic('#434344', .36), 120, 180))
    for i in range(6):
        a = math.pi/6+i*math.pi/3
        parts.append(group(screw(.22), ((r-.34)*math.cos(a), (r-.34)*math.sin(a), .31)))
    return parts


def tweeter(r=3.5):
    """25 mm silk dome in a shallow horn."""
    plate = lathe('horn', fillet([(1.42, -.35), (1.6, -.3, .1), (2.7, .18, .5), (r-.3, .22, .1), (r, .12, .06), (r, -.1)], 8), metal('#6c6d70', .4, blast=.0006), 180)
    cap = np.linspace(0, math.pi/2, 18)
    silk = Mat('silk', '#3c3c40', .5, Sheen_Weight=.2)
    silk.bump(silk.noise(silk.coord(), 60, 2), .003)
    dome = lathe('dome', np.c_[1.25*np.sin(cap), -.38+.62*np.cos(cap)][::-1], silk.m, 120, 180)
    roll = np.linspace(math.pi, 0, 12)
    edge = lathe('edge', np.c_[1.38+.13*np.cos(roll), -.37+.13*np.sin(roll)], rubber('#333335', .45), 120, 180)
    screws = [group(screw(.18), ((r-.42)*math.cos(a), (r-.42)*math.sin(a), .17)) for a in np.radians((45, 135, 225, 315))]
    return [plate, dome, edge]+screws


def bookshelf_speaker(veneer, baffle):
    """One cabinet, standing on the floor, its face at −Y."""
    W, D, H = 17., 24., 29.
    shell = slab('cabinet', rrect(W, H, .7, 8), -D/2, D/2, veneer, .12, 4)
    face = slab('baffle', rrect(W-.8, H-.8, .4, 8), D/2-.4, D/2+.15, baffle, .12, 4)
    slot, woofer_y, tweeter_y = rrect(8.6, 1.7, .84, 12)+[0, -11.6], -2.9, 8.6
    for part in (face, shell):
        for hole in (slot, circle(5.6, 96)+[0, woofer_y], circle(1.5, 96)+[0, tweeter_y]):
            boolean(part, slab('hole', hole, D/2-5.5, D/2+2, None, 0, b0=0), smooth=30)
    lip = sweep('port lip', np.c_[slot, np.full(len(slot), D/2+.13)], circle(.11, 16), baffle, 1., up=(0, 0, 1), closed=True, smooth=180)
    lining = offset2d(slot, .02)
    throat = grid('throat', [np.c_[lining, np.full(len(lining), z)] for z in (D/2-5, D/2+.1)], plastic('#232322', .6), cap0=True)
    parts = [shell, face, lip, throat]
    parts.append(group(woofer(), (0, woofer_y, D/2+.15)))
    parts.append(group(tweeter(), (0, tweeter_y, D/2+.15)))
    parts.append(word(BRAND, .62, metal('#a7a39c', .35), (0, 13.2, D/2+.152)))
    terminal = slab('terminals', rrect(7, 5, .5, 6), 0, .25, plastic('#1b1b1c', .4), .08)
    posts = [place(lathe('post', fillet([(0, 0), (.75, 0), (.75, 1.6, .12), (0, 1.6)], 5), m, 48), (sx*1.4, 0, .2)) for sx, m in ((-1, metal('#b8483c', .3)), (1, metal('#2c2d2f', .3)))]
    parts.append(group([terminal]+posts, (0, -6, -D/2), (0, 180, 0)))
    cabinet = group(parts, (0, 0, H/2+.35), UPRIGHT)
    feet = [place(disc('foot', .9, 0, .4, rubber('#202020'), .06), (sx*6.3, sy*9.5, 0)) for sx in (-1, 1) for sy in (-1, 1)]
    return group([cabinet]+feet)


def bookshelf_pair(wood_='oak', baffle='#4b4b4c', apart=11.6, turn=9):
    # the veneer's grain runs from front to back in the cabinet's own axes (z), over the top and down both sides
    for side in (-1, 1):
        veneer = WOODS[wood_]('Y', centre=(7.+2*side, 11.), rings=1.1, wave=2.2, rough=.45)
        place(bookshelf_speaker(veneer, plastic(baffle, .5, .0012, scale=70)), (side*apart, 0, 0), (0, 0, side*-turn))


# ------------------------------------------------------------------ portable speaker
def cord(path, r, color, color2):
    """A braided cord."""
    return tube('cord', path, r, weave(color, color2, 12, .02, rough=.8), 24)


def portable_speaker(cloth='#838870', cloth2='#70755e', cap='#63675a', cord_c='#d6cab0', cord_2='#b5a88b', tag='#e6dfcd'):
    r, h = 3.9, 18.2
    gum = rubber(cap, .58)
    turned('cover', fillet([(r-.14, 1.5), (r-.02, 1.62, .1), (r-.02, h-1.72, .1), (r-.14, h-1.6)], 5), weave(cloth, cloth2, 6.5, .032), 320)
    lathe('lower cap', fillet([(0, 0), (2.9, 0, .2), (r-.5, .12, .4), (r, .8, .5), (r, 1.55, .1), (r-.2, 1.6)], 8), gum, 220)
    lathe('upper cap', fillet([(r-.2, h-1.7), (r, h-1.65, .1), (r, h-.75, .5), (r-.55, h-.06, .4), (r-1.0, h, .2), (2.5, h-.06, .1), (2.3, h-.22, .2), (0, h-.24)], 8), gum, 220)
    signs(h-.24, cap)
    # the cord runs through an eyelet in the upper cap
    place(lathe('eyelet', fillet([(.24, 0), (.24, .14, .04), (.42, .14, .06), (.46, 0)], 4), metal('#8c8d8c', .3), 48), (r*.94, -r*.32, h-1.05), (0, 90, -19))
    ax, ay = math.cos(R(-19)), math.sin(R(-19))
    # distance from the cap, sideways offset and height of the loop's points; the bead holds both strands together
    way = [(-.2, 0, 1.05), (.45, -.08, 1.25), (.66, -.17, 2.4), (.8, -.5, 4.2), (.6, -.7, 7.2), (.38, -.1, 8.5),
           (.55, .55, 7.2), (.78, .5, 4.2), (.66, .17, 2.4), (.45, .08, 1.25), (-.2, .1, 1.05)]
    cord(spline([(ax*(r+d)-ay*off, ay*(r+d)+ax*off, h-down) for d, off, down in way], 180), .19, cord_c, cord_2)
    place(lathe('bead', fillet([(.1, -.42), (.44, -.36, .16), (.44, .36, .16), (.1, .42)], 6), gum, 48), (ax*(r+.66), ay*(r+.66), h-2.4))
    label = slab('label', rrect(2.3, .78, .1, 5), 0, .06, felt(tag), .02)
    bend(label, r)
    place(label, (0, 0, 3.1))
    word(BRAND, .5, Mat('print', cap, .8).m, (0, -r-.066, 3.1), UPRIGHT)


def bend(ob, r):
    """Wraps a flat part (x across, y up, z outwards) round a cylinder of radius r, facing −Y."""
    bm = bmesh.new()
    bm.from_mesh(ob.data)
    bmesh.ops.subdivide_edges(bm, edges=[e for e in bm.edges if abs(e.verts[0].co.x-e.verts[1].co.x) > .5], cuts=16, use_grid_fill=True)
    for v in bm.verts:
        x, y, z = v.co
        a, d = x/r, r+z
        v.co = (d*math.sin(a), -d*math.cos(a), y)
    bm.to_mesh(ob.data)
    bm.free()


def signs(z, color):
    """Plus, minus and play, raised on the cap."""
    gum = rubber(color, .42)
    place(slab('minus', rrect(.75, .17, .08, 4), 0, .07, gum, .03), (-1.25, 0, z-.01))
    for turn in (0, 90):
        place(slab('plus', rrect(.75, .17, .08, 4), 0, .07, gum, .03), (1.25, 0, z-.01), (0, 0, turn))
    triangle = fillet([(-.26, -.36, .08), (.42, 0, .08), (-.26, .36, .08)], 5, True)
    place(slab('play', triangle, 0, .07, gum, .03), (0, -.0, z-.01))
    place(disc('light', .07, 0, .03, emission('#d9f2dc', 1.0), .01, 24), (0, -1.25, z-.015))


# ------------------------------------------------------------------ turntable
def tonearm(steel, dark):
    """Arm along −y from its pivot at the origin (z = 0 at the plinth's top)."""
    bearing = metal('#bcbdbf', .2)
    parts = [disc('base', 2.7, 0, .5, dark, .1), lathe('column', fillet([(0, .4), (1.5, .4), (1.5, 1.4, .15), (1.15, 1.6), (1.15, 3.2, .1), (0, 3.2)], 5), bearing, 96)]
    z = 4.1
    parts.append(box('gimbal', (2.6, 1.1, 1.3), (0, 0, z-.05), bearing, .3, 5))
    parts.append(tube('arm', [(0, 5.0, z), (0, 0, z), (0, -19.2, z-.2)], .42, steel, 32))
    weight = lathe('weight', fillet([(0, -.1), (.9, -.1, .1), (1.25, .1, .1), (1.25, 2.0, .12), (.95, 2.2, .1), (0, 2.2)], 5), metal('#2f3033', .3), 96)
    parts.append(place(weight, (0, 2.4, z), (-90, 0, 0)))
    parts.append(place(lathe('scale', fillet([(.4, 0), (1.05, 0, .03), (1.05, .35, .03), (.4, .35)], 3), bearing, 96), (0, 1.95, z), (-90, 0, 0)))
    head = [box('shell', (1.75, 3.3, .28), (0, -1.5, .1), dark, .08), box('cartridge', (1.55, 2.0, 1.25), (0, -1.5, -.68), metal(BRASS, .35), .14, 4),
            box('stylus', (.5, .8, .5), (0, -2.55, -1.1), plastic('#1c1c1e', .4), .1), tube('lift', [(.8, -1.2, .12), (1.6, -1.3, .15), (2.2, -1.35, .5)], .1, steel, 12)]
    head += [place(disc('bolt', .16, .2, .34, bearing, .03, 24), (sx*.5, -1.5, 0)) for sx in (-1, 1)]
    parts.append(group(head, (0, -19.0, z-.25), (0, 0, -20)))
    # the rest on which the arm lies
    parts.append(tube('rest post', [(-.0, -9.5, 0), (0, -9.5, z-.95)], .22, steel, 20))
    cradle = np.array([(1.0*math.cos(a)*.72, -9.5, z-.05+.75*math.sin(a)) for a in np.linspace(math.pi*1.0, math.pi*2.0, 24)])
    parts.append(tube('rest', cradle, .12, dark, 14))
    return parts


def belt(c1, r1, c2, r2, z, mat):
    """A flat belt round two pulleys."""
    c1, c2 = np.array(c1), np.array(c2)
    gap = c2-c1
    base, spread = math.atan2(gap[1], gap[0]), math.acos((r1-r2)/np.linalg.norm(gap))
    big = np.linspace(base+spread, base-spread+2*math.pi, 120)
    small = np.linspace(base-spread, base+spread, 40)
    way = np.vstack([c1+r1*np.c_[np.cos(big), np.sin(big)], c2+r2*np.c_[np.cos(small), np.sin(small)]])
    way = resample(way, 240, True)
    return sweep('belt', np.c_[way, np.full(240, z)], superellipse(.05, .26, 6, 16), mat, 1., up=(0, 0, 1), closed=True, smooth=60)


def vinyl(r=14.7):
    """A record: fine grooves catch the light in a fan, an own label."""
    black = Mat('vinyl', '#0d0d0e', .22, Anisotropic=.85)
    tangent = black.n('Tangent', direction_type='RADIAL', axis='Z')
    black.l(tangent.outputs[0], black.p.inputs['Tangent'])
    where = black.n('VectorMath', operation='LENGTH')
    black.l(black.coord(scale=(1, 1, 0)), where.inputs[0])
    groove = black.n('TexNoise', noise_dimensions='1D', Scale=9., Detail=4, Roughness=.8)
    black.l(where.outputs['Value'], groove.inputs['W'])
    black.bump(groove.outputs[0], .02, .5)
    parts = [lathe('record', fillet([(0, 0), (r, 0, .04), (r+.05, .07), (r, .14, .04), (r-.4, .12, .1), (5.2, .12), (0, .12)], 4), black.m, 240),
             disc('label', 5.0, .1, .135, plastic('#c8742f', .6), .005, 160), lathe('hole', [(.0, .138), (.36, .138)], plastic('#101010', .5), 48)]
    parts.append(word('Side A', .62, Mat('ink', '#fbf3e4', .7).m, (0, 2.6, .137), thick=.001))
    parts.append(word('33⅓', .5, Mat('ink', '#fbf3e4', .7).m, (0, -2.7, .137), thick=.001))
    return parts


def turntable(wood_='walnut', record=False, alloy='#c9cacc'):
    board = WOODS[wood_]('X', centre=(26., -9.), rings=.75, wave=3.4, rough=.4, coat=.12)
    alu, steel, dark, brass = metal(alloy, .3), metal('#d4d5d6', .16), plastic('#1e1f21', .42), metal(BRASS, .24)
    low, top = 2.2, 5.8
    slab('plinth', rrect(43, 35, 1.1, 12), low, top, board, .22, 6)
    for sx in (-1, 1):
        for sy in (-1, 1):
            place(lathe('foot', fillet([(0, .35), (2.2, .35, .1), (2.5, 1.0, .2), (2.5, low, .1), (0, low)], 6), alu, 96), (sx*17.5, sy*13.6, 0))
            place(disc('cork foot', 2.1, 0, .4, cork(), .05), (sx*17.5, sy*13.6, 0))
    centre, r = (-4.6, .3), 14.9
    rim = metal(alloy, .2)
    platter = [disc('sub platter', 9, top-.1, top+.5, dark), lathe('platter', fillet([(0, top+.4), (r-.3, top+.4, .1), (r, top+.55, .1), (r, top+2.05, .12), (r-.35, top+2.15, .05), (r-.45, top+2.05), (0, top+2.05)], 6), rim, 300),
               disc('mat', r-.5, top+1.95, top+2.36, cork(), .08, 240),
               lathe('spindle', fillet([(0, top), (.355, top), (.355, top+3.1, .12), (0, top+3.2)], 6), steel, 48)]
    if record:
        platter.append(group(vinyl(), (0, 0, top+2.36), (0, 0, 24)))
    group(platter, (*centre, 0))
    motor = (-18.1, 14.1)
    place(lathe('mount', fillet([(0, 0), (2.3, 0), (2.3, .3, .15), (0, .3)], 6), rubber('#1c1c1c'), 96), (*motor, top))
    place(lathe('pulley', fillet([(0, .2), (1.25, .2, .06), (1.25, .7, .05), (1.05, .8), (1.05, 1.6), (1.25, 1.7, .05), (1.25, 2.2, .1), (0, 2.25)], 5), brass, 96), (*motor, top))
    belt(centre, r+.04, motor, 1.1, top+1.2, rubber('#161616', .5))
    group(knob('speed', 1.15, 1.1, brass, 48, .03, metal(BRASS, .2)), (-18.2, -14.0, top))
    place(disc('washer', 1.5, 0, .12, dark, .03), (-18.2, -14.0, top-.02))
    for a, label in ((118, '33'), (62, '45')):
        word(label, .75, Mat('ink', '#efe7d6', .6).m, (-18.2+2.6*math.cos(R(a)), -14.0+2.6*math.sin(R(a)), top+.004))
    group(tonearm(steel, dark), (16.4, 10.0, top))
    word(BRAND, 1.15, Mat('ink', '#efe7d6', .6).m, (15.2, -15.2, top+.004))
    for i, c in enumerate(('#b8483c', '#e9e5da')):
        place(lathe('phono', fillet([(.2, 0), (.55, 0), (.55, .9, .08), (.35, .9), (.3, .2)], 4), metal(BRASS, .3), 48), (8+2*i, 17.5, 4), (-90, 0, 0))


# ------------------------------------------------------------------ desk radio
def radio_display():
    """A small amber display: station, time, signal."""
    picture = Image.new('RGB', (1160, 440), (7, 8, 9))
    d = ImageDraw.Draw(picture)
    amber = (255, 196, 118)
    d.text((60, 52), 'DAB+', font=textures.font(64, 'Medium'), fill=amber)
    d.text((1100, 52), '07:20', font=textures.font(64, 'Medium'), fill=amber, anchor='ra')
    d.text((60, 165), 'Harbour FM', font=textures.font(150, 'SemiBold'), fill=amber)
    d.text((60, 350), 'Morning news', font=textures.font(58, 'Regular'), fill=(205, 150, 84))
    for i in range(5):
        d.rectangle((940+i*34, 400-i*16-18, 960+i*34, 400), fill=amber if i < 4 else (80, 60, 36))
    path = os.path.join(TEX, 'radio_display.png')
    picture.save(path)
    return path


def radio(body='#d9ccb4', fascia='#e9e1d0', grille='#cbbd9f', wood_=None, button='#f3eee2', ink='#4a4438', digit='#4a4438'):
    W, D, low, high = 22.4, 10.2, .5, 10.7
    H, mid = high-low, (high+low)/2
    shell = WOODS[wood_]('X', centre=(8., 14.), rings=.9, wave=1.6, coat=.15) if wood_ else Mat('lacquer', body, .34, Coat_Weight=.25, Coat_Roughness=.15).m
    brass, front, dark = metal(BRASS, .24), plastic(fascia, .5, .0008), plastic('#141414', .6)
    parts = [slab('cabinet', rrect(W, H, 1.5, 16), -D/2, D/2, shell, .25, 6)]
    parts.append(slab('shadow', rrect(W-.75, H-.75, 1.15, 16), D/2-.3, D/2+.012, dark, .0, b0=0))
    parts.append(slab('fascia', rrect(W-.85, H-.85, 1.1, 16), D/2-.3, D/2+.11, front, .09, 4))
    face = D/2+.11
    gx = -5.5
    parts.append(place(lathe('bezel', fillet([(4.02, 0), (4.05, .1, .04), (4.28, .1, .05), (4.33, 0)], 4), brass, 180), (gx, 0, face)))
    parts.append(place(lathe('behind', [(0, .003), (4.04, .003)], plastic('#0d0d0d', .8), 120), (gx, 0, face)))
    sheet = np.linspace(0, 1, 12)
    parts.append(place(lathe('grille', np.c_[4.04*sheet, .02+.10*(1-sheet**2)], perforated(grille, .26, .085, .42, .35), 160, 180), (gx, 0, face)))
    parts.append(slab('window', rrect(5.9, 2.5, .35, 8)+[2.75, 2.35], face-.05, face+.03, black_glass(), .025))
    lit = plane('display', 5.5, 2.1, image_mat(radio_display(), .1, emit=1.3, spec=.2))
    parts.append(place(lit, (2.75, 2.35, face+.034)))
    for i in range(6):
        x, y = .75+2.0*(i % 3), -.75-1.65*(i//3)
        parts.append(place(slab('seat', rrect(1.62, .98, .42, 8), 0, .01, dark, 0, b0=0), (x, y, face)))
        parts.append(place(slab('button', rrect(1.5, .86, .38, 8), 0, .24, plastic(button, .4), .1, 5), (x, y, face)))
        parts.append(word(str(i+1), .42, Mat('ink', digit, .7).m, (x, y, face+.242), thick=.001))
    for y, r, h, teeth in ((2.1, 1.72, 1.25, 90), (-2.3, 1.25, 1.05, 70)):
        parts.append(place(disc('seat', r+.16, 0, .04, dark, .01), (8.35, y, face)))
        parts.append(group(knob('knob', r, h, brass, teeth, .022, brushed_radial(BRASS, .26)), (8.35, y, face+.03)))
        parts.append(place(slab('mark', rrect(.1, .5, .05, 4), 0, .02, Mat('ink', '#3a2f1c', .6).m, 0, b0=0), (8.35, y+r*.55, face+h+.03)))
    parts.append(word(BRAND, .46, Mat('ink', ink, .7).m, (2.75, -4.0, face+.002), thick=.001))
    group(parts, (0, 0, mid), UPRIGHT)
    for sx in (-1, 1):
        for sy in (-1, 1):
            place(disc('foot', .8, 0, .55, rubber('#222222'), .08), (sx*8.6, sy*3.9, 0))
    # handle: a rod bent at both ends, held by two collars
    rod = fillet([(-7.6, high-.2), (-7.6, 12.35, 1.1), (7.6, 12.35, 1.1), (7.6, high-.2)], 14)
    rod = resample(rod, 160)
    tube('handle', np.c_[rod[:, 0], 0*rod[:, 0], rod[:, 1]], .26, brass, 28)
    for sx in (-1, 1):
        place(lathe('collar', fillet([(0, 0), (.55, 0), (.55, .22, .06), (.3, .3, .05), (0, .3)], 4), brass, 64), (sx*7.6, 0, high-.03))
    group([slab('back panel', rrect(8, 4, .4, 6), 0, .1, dark, .05), place(lathe('socket', fillet([(.2, 0), (.45, 0), (.45, .2, .05), (.2, .2)], 3), metal('#a8a9ab', .3), 40), (2, 0, .1))], (0, D/2, 3.6), (-90, 0, 0))


# ------------------------------------------------------------------ headphone stand
def headphone_stand(wood_='walnut', wool='#6b655c'):
    wood_mat = WOODS[wood_]('X', centre=(7.5, 10.), rings=1.0, wave=1.6, rough=.4, coat=.1)
    brass = metal(BRASS, .26, brushed=(60, 60, 2), aniso=.3)
    lathe('felt foot', fillet([(0, 0), (6.1, 0, .05), (6.2, .2), (0, .2)], 3), felt('#4c4842'), 160)
    lathe('foot', fillet([(0, .15), (6.15, .15, .15), (6.5, .7, .35), (6.4, 1.7, .5), (5.4, 2.35, 1.2), (2.2, 2.62, 2.), (0, 2.68)], 14), wood_mat, 260, 60)
    y = 2.6
    place(lathe('collar', fillet([(0, 0), (.95, 0), (.95, .35, .1), (.62, .5, .06), (.62, .8, .06), (0, .8)], 5), brass, 80), (0, y, 2.42))
    bent = fillet([(y, 2.4), (y, 24.6, 3.4), (-2.6, 24.6)], 24)
    bent = resample(bent, 160)
    tube('rod', np.c_[0*bent[:, 0], bent], .46, brass, 36)
    saddle(brass, felt(wool), 26.2)


def saddle(brass, wool, top, width=9.6, deep=5.6, r=7.2):
    """A bent plate with a felt pad on it; the arch spans left to right."""
    def arch(radius, spread):
        a = np.linspace(-spread, spread, 120)
        return np.c_[radius*np.sin(a), 0*a, top-r+radius*np.cos(a)]
    half = width/2/r
    bent_sheet('plate', arch(r-.5, half), deep, .2, brass, 1.3, (0, 1, 0))
    bent_sheet('pad', arch(r-.21, half*.98), deep-.2, .4, wool, 1.25, (0, 1, 0), .12)
    # the rod is screwed to the plate from below
    place(lathe('boss', fillet([(0, -1.1), (.75, -1.1, .1), (.75, 0), (0, 0)], 4), brass, 64), (0, -.9, top-.56))


# ------------------------------------------------------------------ the goods
INK = '#3a3d43'
GOODS = {
    'tarn-over-ear-headphones': dict(
        build=over_ear,
        colours={'Sand': {},
                 'Ink': dict(shell=INK, anodised='#5b6068', pad='#3d4046', thread='#7d828a', steel='#a4a6aa'),
                 'Moss': dict(shell='#7c8069', anodised='#989b80', pad='#6e725c', thread='#a6a88c', steel='#c2c1b8')},
        views=[dict(az=-30, elev=9, fill=.8), dict(az=58, elev=13, fill=.8), dict(az=-38, elev=12, fill=1.75, shift=(-.30, .42))]),
    'tarn-studio-wired-headphones': dict(
        build=studio_wired, colours={'Ink': {}},
        views=[dict(az=-32, elev=10, fill=.82), dict(az=52, elev=13, fill=.82), dict(az=46, elev=10, fill=1.9, shift=(.36, .36))]),
    'cobble-wireless-earbuds': dict(
        build=earbuds,
        colours={'Chalk': {}, 'Ink': dict(shell=INK, inner='#4d5158', accent='#a9adb3', tip='#55595f'),
                 'Clay': dict(shell='#b97a60', inner='#cf9d86', accent='#dcc0a0', tip='#dcb09a')},
        views=[dict(az=-16, elev=22, fill=.78), dict(az=-22, elev=22, fill=.8, args=dict(pose='closed')), dict(az=-16, elev=30, fill=1.6, shift=(0, .25))]),
    'fell-bookshelf-speakers-pair': dict(
        build=bookshelf_pair, colours={'Oak': {}, 'Walnut': dict(wood_='walnut')},
        views=[dict(az=-14, elev=10, fill=.84), dict(az=-48, elev=18, fill=.84), dict(az=-20, elev=12, fill=1.9, shift=(.44, -.12))]),
    'rill-portable-speaker': dict(
        build=portable_speaker,
        colours={'Moss': {}, 'Clay': dict(cloth='#c07f66', cloth2='#a86a52', cap='#96604b', cord_c='#ddcfba', cord_2='#bfae97'),
                 'Ink': dict(cloth='#53575e', cloth2='#43464d', cap='#3b3e43', cord_c='#9da1a7', cord_2='#777b82')},
        views=[dict(az=-8, elev=14, fill=.84), dict(az=-40, elev=32, fill=.82), dict(az=-14, elev=26, fill=1.9, shift=(-.05, -.50))]),
    'skerry-turntable': dict(
        build=turntable, colours={'Walnut': {}, 'Black Ash': dict(wood_='black_ash')},
        views=[dict(az=-16, elev=24, fill=.86), dict(az=24, elev=36, fill=.86, args=dict(record=True)), dict(az=-38, elev=22, fill=2.0, shift=(-.40, .02))]),
    'lintel-desk-radio': dict(
        build=radio,
        colours={'Sand': {}, 'Bottle Green': dict(body='#2f4f43', fascia='#3b5c4f', grille='#4d6e60', button='#e9e1cf', ink='#e4dcc8'),
                 'Walnut': dict(wood_='walnut', fascia='#e6dcc8', grille='#cbbd9f')},
        views=[dict(az=-12, elev=10, fill=.84), dict(az=-38, elev=20, fill=.82), dict(az=-16, elev=12, fill=1.75, shift=(-.40, .0))]),
    'gill-headphone-stand': dict(
        build=headphone_stand, colours={'Walnut': {}, 'Oak': dict(wood_='oak')},
        views=[dict(az=-34, elev=12, fill=.84), dict(az=-122, elev=18, fill=.84), dict(az=-40, elev=16, fill=2.1, shift=(0, -.62))]),
}
