"""Wrist watches and clocks of the house brand Caldreth.

A watch is built flat: the dial in the XY plane, twelve o'clock towards +Y, the glass towards +Z;
stand() then puts it up on its strap with the dial to the camera."""
from studio import *
from tex_watches import Print

BRAND = 'CALDRETH'
TEN_PAST_TEN = (304.5, 54)                      # hour and minute hand, degrees clockwise


# ------------------------------------------------------------------ general shapes
def copies(name, verts, faces, matrices, mat, smooth=180):
    """One mesh out of many placed copies of a small one (stitches, ticks, knurls)."""
    verts = np.c_[np.asarray(verts, float), np.ones(len(verts))]
    all_verts, all_faces = [], []
    for i, m in enumerate(matrices):
        all_verts.append((verts @ np.array(m).T)[:, :3])
        all_faces += [tuple(k + i * len(verts) for k in f) for f in faces]
    return mesh_obj(name, np.vstack(all_verts), all_faces, mat, smooth)


def capsule(length, r, seg=8):
    """Vertices and faces of a short thread along X."""
    stations = [(-.5, .25), (-.42, .8), (-.25, 1), (.25, 1), (.42, .8), (.5, .25)]
    t = np.linspace(0, 2 * np.pi, seg, endpoint=False)
    verts = [(x * length, k * r * math.cos(a), k * r * math.sin(a)) for x, k in stations for a in t]
    faces = [(i * seg + j, i * seg + (j + 1) % seg, (i + 1) * seg + (j + 1) % seg, (i + 1) * seg + j)
             for i in range(len(stations) - 1) for j in range(seg)]
    return verts, faces


def basis(x, z, at):
    """Matrix at a place, with the given x and z directions."""
    return Matrix.Translation(at) @ Matrix((x, np.cross(z, x), z)).transposed().to_4x4()


def knurled(name, r, profile, mat, teeth=36, depth=.06, cap=True):
    """A turned knob (or, without caps, a ring) with a toothed rim. profile: (share of r, z, share of the tooth depth)."""
    t = np.linspace(0, 2 * np.pi, teeth * 8, endpoint=False)
    wave = np.clip(1.6 * np.sin(t * teeth), -1, 1) / 2 - .5
    rings = [[(k * r * (1 + depth * tooth * w) * math.cos(a), k * r * (1 + depth * tooth * w) * math.sin(a), z)
              for a, w in zip(t, wave)] for k, z, tooth in profile]
    return grid(name, np.array(rings), mat, cap0=cap, cap1=cap, smooth=35)


def clear_glass(reflect=.3):
    """Thin glass over a dial: Schlick reflection that is the same from both sides and casts no shadow
    (the studio's cover_glass turns opaque to oblique light where a normal points inwards)."""
    m = Mat('clear')
    clear, gloss, mixed = m.n('BsdfTransparent'), m.n('BsdfGlossy', Roughness=0.), m.n('MixShader')
    facing = m.n('LayerWeight', Blend=.5).outputs['Facing']
    schlick = m.math('ADD', .04, m.math('MULTIPLY', m.math('POWER', facing, 5.), .96))
    seen = m.math('SUBTRACT', 1., m.n('LightPath').outputs['Is Shadow Ray'])
    m.l(m.math('MULTIPLY', m.math('MULTIPLY', schlick, reflect), seen), mixed.inputs[0])
    m.l(clear.outputs[0], mixed.inputs[1])
    m.l(gloss.outputs[0], mixed.inputs[2])
    m.l(mixed.outputs[0], m.out.inputs[0])
    return m.m


def dome_glass(r, z, rise, edge=.04, reflect=.5):
    """A thin crystal: a short upright edge and a parabolic dome."""
    rr = np.linspace(r - edge * .5, 0, 40)
    dome = np.c_[rr, z + edge + rise * (1 - (rr / r) ** 2)]
    return lathe('crystal', np.vstack([[(r, z), (r, z + edge * .6)], dome]), clear_glass(reflect), 192, 60)


def printed(art, z):
    """The print of a dial as a plane that lets the dial show through."""
    size = 2 * art.radius
    ob = plane('print', size, size, image_mat(art.save(), .5, alpha=True), (0, 0, z))
    ob.visible_shadow = False
    return ob


def lowest(ob):
    """Height of the lowest vertex under a group."""
    bpy.context.view_layer.update()
    inside = [o for o in ob.children_recursive if o.type == 'MESH']
    return min((o.matrix_world @ Vector(c)).z for o in inside for c in some_vertices(o))


def some_vertices(ob):
    v = np.empty(len(ob.data.vertices) * 3)
    ob.data.vertices.foreach_get('co', v)
    return v.reshape(-1, 3)[::3]


def stand(before, tilt):
    """Put up what was built since `before`, leaning back by tilt degrees, on the ground."""
    g = group([o for o in root().children if o not in before])
    g.rotation_euler = (R(90 - tilt), 0, 0)
    g.location.z -= lowest(g)
    return g


# ------------------------------------------------------------------ hands and markers
def hand(name, length, width, mat, z, angle, tail=.25, thick=.024, lume=None):
    """A faceted hand. width(u) is the half width at u = y / length, from -tail / length to 1."""
    y = np.r_[-tail, np.linspace(-tail * .97, length * .985, 46), length]
    w = np.array([max(width(v / length), .006) for v in y])
    ridge = lambda s, h0, h1: np.stack([np.stack([k * w * s, y, np.full(len(y), h)], -1)
                                        for k, h in ((-1, 0), (-1, h0), (0, h1), (1, h0), (1, 0))], 1)
    obs = [grid(name, ridge(1, thick * .45, thick), mat, cap0=True, cap1=True, smooth=12)]
    if lume:                                    # a painted strip let into the hand
        keep = (y > length * .2) & (y < length * .9)
        strip = np.stack([np.stack([k * w[keep] * .55, y[keep], np.full(keep.sum(), thick * h)], -1)
                          for k, h in ((-1, .8), (0, 1.25), (1, .8))], 1)
        obs.append(grid(name + '_lume', strip, lume, cv=False, smooth=180))
    return group(obs, (0, 0, z), (0, 0, -angle))


def leaf(w, stem=.03):
    return lambda u: stem if u < 0 else stem + (w - stem) * math.sin(math.pi * min(u, 1) ** .85) ** 1.25 * (u < 1)


def taper(w0, w1):
    return lambda u: w0 + (w1 - w0) * max(u, 0)


def sword(w):
    return lambda u: float(np.interp(u, [-.3, .12, .16, .8, 1], [w * .5, w * .5, w, w * 1.1, .006]))


def needle(name, length, mat, z, angle, tail=.5, w=.014, counter=.05):
    """A thin second hand with a round counterweight."""
    o = np.array([(-w, -tail), (w, -tail), (w * .5, length), (-w * .5, length)])
    obs = [slab(name, o, 0, .014, mat, .003, 2)]
    if counter:
        obs.append(place(lathe('counter', fillet([(0, 0), (counter, 0), (counter, .018, .006), (0, .02)], 3), mat, 40), (0, -tail * .8, 0)))
    return group(obs, (0, 0, z), (0, 0, -angle))


def baton(size, r, angle, z, mat, shift=0.):
    """An applied marker: size (width, length, height), its outer end at radius r."""
    a = R(angle)
    m = r - size[1] / 2
    return box('marker', size, (m * math.sin(a) + shift * math.cos(a), m * math.cos(a) - shift * math.sin(a), z + size[2] / 2),
               mat, size[0] * .2, 2, rot=(0, 0, -angle))


def pinion(r, z0, z1, mat):
    return lathe('pinion', fillet([(0, z0), (r, z0), (r, z1, r * .35), (0, z1 + .008)], 4), mat, 48)


# ------------------------------------------------------------------ case
def case(r, back, shoulder, top, lip, side, bevel, dial_z, rehaut):
    """Round case: brushed middle, a polished bevel up to the lip that holds the glass, a sloping inner ring."""
    lathe('middle', fillet([(0, back), (r * .80, back, .04), (r * .94, back + .13, .08), (r, back + .2, .05),
                            (r, shoulder, .02), (lip, shoulder + .004)], 6), side, 224, 35)
    lathe('bezel', fillet([(lip - .03, shoulder), (r - .012, shoulder, .012), (r - .012, shoulder + .04, .02),
                           (lip + .07, top, .03), (lip, top, .02), (lip, shoulder)], 6), bevel, 224, 30)
    lathe('rehaut', [(lip + .004, top - .03), (lip - .06, dial_z)], rehaut, 224)


def lug_section(w, h):
    """Section of a lug: rounded, with a wide chamfer on its upper outer edge (between points 17 and 18 of 30)."""
    c = min(w, h) * .38
    return fillet([(-w / 2, -h / 2, .02), (w / 2, -h / 2, .03), (w / 2, h / 2 - c, .008), (w / 2 - c, h / 2, .008),
                   (-w / 2, h / 2, .02)], 5, True)


def lugs(gap, dial_r, y1, shoulder, drop, w, h, top, chamfer):
    """Four curved horns, gap apart, from the edge of the dial to y1, falling by drop below the case's shoulder."""
    y0 = math.sqrt(dial_r ** 2 - gap ** 2 / 4) + .05
    z0 = shoulder - h / 2 - .01
    t = np.linspace(0, 1, 26)
    for sx in (-1, 1):
        for sy in (-1, 1):
            rings = []
            for u in t:
                end = math.sqrt(max(1 - max((u - .86) / .14, 0) ** 2, .02))
                s = lug_section(w * (1 - .22 * u) * (.55 + .45 * end), h * (1 - .34 * u) * end)
                rings.append([(gap / 2 + w / 2 + x - .11 * w * u, y0 + (y1 - y0) * u, z0 - drop * u ** 1.9 + z) for x, z in s])
            P = np.array(rings) * (sx, sy, 1)
            ob = grid('lug', P, top, cap0=True, cap1=True, smooth=35)
            ob.data.materials.append(chamfer)
            n = P.shape[1]
            for i in range(len(t) - 1):
                ob.data.polygons[i * n + 17].material_index = 1


def crown(r, length, mat, case_r, z, angle=90, teeth=30):
    ob = knurled('crown', r, [(.3, 0, 0), (.72, 0, 0), (.78, .03, 0), (.94, .045, 0), (1, .075, 1), (1, length - .09, 1),
                              (.93, length - .04, .3), (.8, length - .01, 0), (.4, length + .008, 0)], mat, teeth)
    return radial(ob, case_r, z, angle)


def pusher(mat, case_r, z, angle):
    """A pump pusher: a slim neck and a mushroom head."""
    ob = lathe('pusher', fillet([(0, -.15), (.12, -.15), (.12, .07, .01), (.2, .08, .02), (.2, .2, .04), (0, .215)], 5), mat, 64)
    return radial(ob, case_r, z, angle)


def radial(ob, r, z, angle):
    """Turn a part made along Z so that it points out of the case at a clock angle."""
    a = R(angle)
    ob.matrix_local = Matrix.Translation((r * math.sin(a), r * math.cos(a), z)) @ Matrix.Rotation(-a, 4, 'Z') @ Matrix.Rotation(R(-90), 4, 'X')
    return ob


# ------------------------------------------------------------------ straps
def half_loop(k=1., start=1.62, z=-.16, n=90):
    """Centre line of half a strap from the case at twelve to the middle of the wrist's back."""
    return spline(np.array([(0, start / k, z / k), (0, 2.2, -.34), (0, 2.86, -1.3), (0, 2.72, -3.1), (0, 1.55, -4.35), (0, 0, -4.72)]) * k, n)


def lengths(P):
    return np.r_[0, np.cumsum(np.linalg.norm(np.diff(P, axis=0), axis=1))]


def outward(P):
    """Unit normals in the YZ plane that point away from the wrist."""
    T = frames(P, up=(1, 0, 0))[0]
    N = np.c_[np.zeros(len(P)), T[:, 2], -T[:, 1]]
    side = np.sign(((P - (0, 0, P[:, 2].min() / 2)) * N).sum(1))
    return N * np.where(side == 0, 1, side)[:, None]


def band(name, P, half, thick, mat, corner=5):
    """A strip of half width and half thickness (arrays) along P."""
    return sweep(name, P, superellipse(1, 1, corner, 64), mat, np.c_[thick, half], up=(1, 0, 0), smooth=60)


def stitch_rows(P, half, thick, mat, inset=.15, pitch=.19, first=.25, last=.95):
    """Two rows of saddle stitches on the outside of a strap."""
    L, T, N = lengths(P), frames(P, up=(1, 0, 0))[0], outward(P)
    spots = []
    for d in np.arange(first, L[-1] * last, pitch):
        i = min(int(np.searchsorted(L, d)), len(P) - 1)
        for sx in (-1, 1):
            at = P[i] + N[i] * thick[i] * .97 + (sx * (half[i] - inset), 0, 0)
            slant = Matrix.Rotation(R(5 * sx), 4, 'Z')
            spots.append(basis(T[i], N[i], at) @ slant)
    copies('stitches', *capsule(pitch * .66, .022), spots, mat)


def long_loop(k=1., thick=.13, past=2.6, **kw):
    """The strap's longer part: half the loop, then over the shorter part, lifted by its thickness."""
    H = half_loop(k, **kw)
    back = H[::-1][1:] * (1, -1, 1)
    back = back[lengths(back) < past]
    P = resample(np.vstack([H, back]), 150)
    lift = np.clip((lengths(P) - lengths(H)[-1] + .9) / 1.2, 0, 1)
    return P + outward(P) * (lift * lift * (3 - 2 * lift) * 2 * thick)[:, None]


def leather_strap(width, mat, k=1., thick=.12, thread=None, steel=None, start=1.62, z=-.16, pad=.05):
    """Two-piece strap with buckle and keeper; padded near the case, thinner and narrower at the buckle."""
    for sy, P in ((1, long_loop(k, thick, start=start, z=z)), (-1, half_loop(k, start=start, z=z) * (1, -1, 1))):
        t = lengths(P) / lengths(half_loop(k, start=start, z=z))[-1]
        half = width / 2 * (1 - .17 * np.clip(t, 0, 1))
        if sy > 0:                              # rounded tip of the long part
            half = half * np.sqrt(np.clip(1 - np.clip((t - t[-1] + .1) / .1, 0, .995) ** 2, 0, 1))
        th = thick * (1 - .25 * np.clip(t, 0, 1)) + pad * np.exp(-((t - .12) / .12) ** 2)
        band('strap', P, half, th, mat)
        if thread:
            stitch_rows(P, half, th, Mat('thread', thread, .75).m)
    buckle(width * .415, k, thick, steel)
    keeper(width * .415, k, thick, mat, 1.0)
    keeper(width * .415, k, thick, mat, 2.1)


def buckle(half, k, thick, mat):
    loop = rrect(2 * half + .42, .95, .22, 8)
    z = -4.72 * k - thick * 1.2
    tube('buckle', np.c_[loop[:, 0], loop[:, 1] - .15, np.full(len(loop), z)], .085, mat, 16, closed=True)


def keeper(half, k, thick, mat, at):
    """A loop of strap material round both layers, at cm past the middle of the back."""
    H = half_loop(k)[::-1] * (1, -1, 1)
    i = int(np.searchsorted(lengths(H), at))
    T, N = frames(H, up=(1, 0, 0))[0][i], outward(H)[i]
    path = np.array([H[i] + N * thick + T * s for s in (-.26, -.24, -.2, .2, .24, .26)])
    k1 = np.array([.9, .97, 1, 1, .97, .9])
    sweep('keeper', path, superellipse(1, 1, 6, 64), mat, np.c_[k1 * thick * 2.25, k1 * (half + .09)], up=(1, 0, 0), smooth=60)


def steel_bracelet(width, brushed, polished, k=1., start=1.9, z=-.2, pitch=.44, thick=.28):
    """Three-piece links that taper to a folding clasp."""
    H = half_loop(k, start=start, z=z)
    P = resample(np.vstack([H, (H[::-1] * (1, -1, 1))[1:]]), 600)
    L, T, N = lengths(P), frames(P, up=(1, 0, 0))[0], outward(P)
    count = int(round(L[-1] / pitch))
    step = L[-1] / count
    clasp = 2.6                                 # half its length
    links = {}

    def link(w, long, mat):
        key = round(w, 2), mat.name
        if key not in links:
            links[key] = convex_link(w, long, thick, mat)
            return links[key]
        return instance(links[key])

    for n in range(2 * count):
        d = n * step / 2
        if abs(d - L[-1] / 2) < clasp or min(d, L[-1] - d) < .55:
            continue
        i = int(np.searchsorted(L, d))
        half = width / 2 * (1 - .2 * min(1, 2 * min(d, L[-1] - d) / L[-1]))
        half = round(half / .02) * .02          # few different meshes
        sides = (0,) if n % 2 else (-1, 1)
        for s in sides:
            w = half * (.84 if s == 0 else .56)
            ob = link(w, step * .965, polished if s == 0 else brushed)
            ob.matrix_local = basis(T[i], N[i], P[i] + (s * (half - w / 2), 0, 0))
    for on in (L < .42, L > L[-1] - .42):       # solid end pieces between the lugs
        band('end_piece', P[on], np.full(on.sum(), width / 2 - .01), np.full(on.sum(), thick * .55), brushed, 9)
    clasp_at(P, N, L, clasp, width, thick, brushed)


def convex_link(w, long, thick, mat):
    """A link lying along X: its top slightly cushioned, every edge rounded."""
    ob = box('link', (long, w, thick), (0, 0, 0), mat, .045, 4)
    for v in ob.data.vertices:
        v.co.z += .03 * math.cos(v.co.x / long * 2.4) if v.co.z > 0 else 0
    return ob


def clasp_at(P, N, L, half_length, width, thick, mat):
    on = abs(L - L[-1] / 2) < half_length
    path = P[on] + N[on] * .06
    t = np.linspace(-1, 1, len(path))
    end = np.sqrt(np.clip(1 - np.clip((abs(t) - .97) / .03, 0, .99) ** 2, 0, 1))
    band('clasp', path, width * .415 * end + .02, (thick * .62) * end, mat, 8)


def canvas_strap(width, cloth, lining, thread, k=1., start=1.5, z=-.42, steel=None):
    """One flat strip of canvas with a leather lining on the wrist's side."""
    for sy, P in ((1, long_loop(k, .1, start=start, z=z)), (-1, half_loop(k, start=start, z=z) * (1, -1, 1))):
        t = lengths(P) / lengths(half_loop(k, start=start, z=z))[-1]
        half = np.full(len(P), width / 2)
        if sy > 0:
            half = half * np.sqrt(np.clip(1 - np.clip((t - t[-1] + .1) / .1, 0, .995) ** 2, 0, 1))
        N = outward(P)
        band('canvas', P + N * .035, half, np.full(len(P), .06), cloth, 7)
        band('lining', P - N * .045, half * .985, np.full(len(P), .03), lining, 7)
        stitch_rows(P + N * .035, half, np.full(len(P), .06), thread, .11, .15, .3)
    buckle(width * .5, k, .1, steel)
    keeper(width * .5, k, .1, cloth, 1.0)
    keeper(width * .5, k, .1, cloth, 2.1)


# ------------------------------------------------------------------ finishes
def steel(colour='#b4b6b9'):
    """Circular brushing, lengthwise brushing and polish of one metal."""
    return metal(colour, .3, brushed=(4, 4, 90)), metal(colour, .32, brushed=(90, 4, 4)), metal(colour, .1)


def lacquer(colour, rough=.32):
    return plastic(colour, rough, coat=.35)


def disc(r, z, mat, name='dial'):
    return lathe(name, [(0, z), (r, z)], mat, 192)


def dial_finish(colour, sunray):
    return brushed_radial(colour, .34) if sunray else lacquer(colour)


# ------------------------------------------------------------------ wrist watches
def lode_automatic(dial='#efe7d6', sunray=False, ink='#2b2a28', markers='#a98e5f', strap='#8a5430', thread='#e0cda9', second='#2f4a6b'):
    before = set(root().children)
    side, top, polish = steel()
    bright = metal(markers, .16)
    r, rd, zd = 1.95, 1.66, .12
    case(r, -.5, .18, .36, 1.70, side, polish, zd, dial_finish(dial, sunray))
    lugs(2.02, 1.72, 2.34, .18, .5, .33, .46, top, polish)
    disc(rd, zd, dial_finish(dial, sunray))
    art = Print(f'lode_{dial[1:]}', rd, ink)
    art.ticks(240, 1.555, 1.585, .006, 4)
    art.ticks(60, 1.53, 1.585, .011)
    art.word(BRAND, 0, .62, .115, 'SemiBold', .035)
    art.word('AUTOMATIC', 0, -.62, .064, 'Medium', .022)
    art.word('24 JEWELS', 0, -.73, .05, 'Regular', .016)
    printed(art, zd + .003)
    for i in range(12):
        for shift in ((-.062, .062) if i == 0 else (0,)):
            baton((.075, .3 if i % 3 == 0 else .23, .06), 1.47, i * 30, zd, bright, shift)
    hour, minute = TEN_PAST_TEN
    hand('hour', .95, leaf(.105), bright, zd + .075, hour, .24)
    hand('minute', 1.42, leaf(.085), bright, zd + .115, minute, .28)
    needle('second', 1.5, metal(second, .25), zd + .155, 213)
    pinion(.06, zd, zd + .18, polish)
    dome_glass(1.70, .33, .09)
    crown(.3, .36, polish, r - .03, -.1)
    leather_strap(2.0, leather(strap, 9, .008, .46, .3, coord='UV'), thread=thread, steel=polish)
    stand(before, 12)


def sunk_register(x, r, z, floor, rim):
    """A small dial below the surface z, with a polished chamfer round it."""
    place(lathe('register', [(0, 0), (r, 0)], floor, 128), (x, 0, z - .022))
    place(lathe('register_rim', [(r, -.022), (r + .012, .002), (r + .03, .003), (r + .034, 0)], rim, 128), (x, 0, z))


def lode_chronograph(dial='#565759', register='#47484a', ink='#e9e6dd', markers='#d6d4cc', strap='#2a2523', thread='#8b8177', sweep_colour='#d2622f'):
    before = set(root().children)
    side, top, polish = steel()
    bright = metal(markers, .16)
    r, rd, zd, rr, rx = 2.0, 1.68, .2, .5, .82
    case(r, -.58, .26, .44, 1.72, side, polish, zd, brushed_radial(dial, .4))
    lugs(2.02, 1.74, 2.4, .26, .56, .34, .5, top, polish)
    face = slab('dial', circle(rd, 192), zd - .05, zd, brushed_radial(dial, .34), 0)
    for x in (-rx, rx):
        boolean(face, place(slab('cut', circle(rr, 128), -.2, .2, None, 0), (x, 0, zd)), smooth=30)
    for x in (-rx, rx):
        sunk_register(x, rr, zd, brushed_radial(register, .42), polish)
    art = Print(f'chrono_{dial[1:]}', rd, ink)
    art.ticks(300, 1.585, 1.62, .005, 5)
    art.ticks(60, 1.55, 1.62, .011)
    art.numerals(['60', '05', '10', '15', '20', '25', '30', '35', '40', '45', '50', '55'], 1.475, .085, 'Medium')
    art.word(BRAND, 0, .66, .105, 'SemiBold', .032)
    art.word('CHRONOGRAPH', 0, -.7, .06, 'Medium', .02)
    printed(art, zd + .003)
    small = Print(f'chrono_small_{dial[1:]}', rr, ink, 1000)
    small.ticks(60, .42, .455, .006)
    small.ticks(12, .39, .455, .012)
    small.numerals(['60', '15', '30', '45'], .3, .11, 'Medium')
    for x in (-rx, rx):
        p = printed(small, zd - .019)
        p.location.x = x
    for i in range(12):
        if i % 3 != 0:
            baton((.08, .2, .06), 1.36, i * 30, zd, bright)
    for shift in (-.065, .065):
        baton((.075, .24, .06), 1.36, 0, zd, bright, shift)
    baton((.08, .16, .06), 1.36, 180, zd, bright)
    for x, a in ((-rx, 130), (rx, 0)):
        h = hand('small', .36, taper(.026, .01), bright, zd, a, .1, .014)
        h.location.x = x
        place(pinion(.04, -.02, .03, polish), (x, 0, zd))
    hour, minute = TEN_PAST_TEN
    hand('hour', .9, taper(.075, .045), bright, zd + .075, hour, .22)
    hand('minute', 1.4, taper(.065, .032), bright, zd + .115, minute, .26)
    needle('chrono', 1.55, metal(sweep_colour, .3), zd + .155, 0, .45, .013, .06)
    pinion(.07, zd, zd + .18, polish)
    dome_glass(1.72, .41, .1)
    crown(.3, .34, polish, r - .03, -.1)
    for a in (62, 118):
        pusher(polish, r, -.1, a)
    leather_strap(2.0, leather(strap, 9, .008, .46, .2, coord='UV'), thread=thread, steel=polish)
    stand(before, 12)


def vesper(metal_colour='#d9b87c', dial='#f6efe0', strap='#4a2226'):
    before = set(root().children)
    gold = metal(metal_colour, .12)
    satin = metal(metal_colour, .26, brushed=(2, 2, 40))
    r, rd, zd, k = 1.7, 1.5, .12, .9
    lathe('middle', fillet([(0, -.3), (1.3, -.3, .06), (1.6, -.16, .2), (r, .02, .12), (r - .02, .14, .05), (1.6, .27, .06),
                            (1.53, .27, .02), (1.53, .1)], 8), gold, 224, 40)
    lathe('rehaut', [(1.535, .25), (1.49, zd)], satin, 192)
    lugs(1.62, 1.53, 1.98, .1, .34, .2, .24, gold, gold)
    disc(rd, zd, brushed_radial(dial, .45))
    art = Print(f'vesper_{dial[1:]}', rd, '#3a2f22')
    art.word(BRAND, 0, .62, .075, 'SemiBold', .026)
    printed(art, zd + .003)
    for i in range(12):
        for shift in ((-.035, .035) if i == 0 else (0,)):
            baton((.034, .34 if i % 3 == 0 else .24, .035), 1.38, i * 30, zd, gold, shift)
    hour, minute = TEN_PAST_TEN
    hand('hour', .82, taper(.04, .028), gold, zd + .05, hour, .2, .018)
    hand('minute', 1.24, taper(.036, .02), gold, zd + .08, minute, .24, .018)
    pinion(.045, zd, zd + .11, gold)
    dome_glass(1.53, .235, 0.)
    crown(.17, .2, gold, r - .03, -.02, teeth=24)
    leather_strap(1.6, leather(strap, 16, .003, .36, .12, coord='UV'), k, .095, None, gold, 1.45, -.14, .02)
    stand(before, 12)


def coin_bezel(r, z0, z1, lip, insert, mat, art):
    """A diver's turning bezel: coin edge, sloping ceramic ring with printing, polished lip."""
    knurled('coin_edge', r, [(.9, z0, 0), (.985, z0, 0), (1, z0 + .03, 1), (1, z1 - .07, 1), (.985, z1 - .02, .2), (.96, z1, 0), (.85, z1, 0)],
            mat, 90, .028, False)
    outer, inner, fall = r * .95, lip + .05, .055
    lathe('insert', fillet([(outer, z1 - .02), (outer, z1 + .012, .01), (inner, z1 + fall, .01), (inner, z1)], 3), insert, 224)
    lathe('lip', fillet([(inner + .004, z1), (inner + .004, z1 + fall + .02, .015), (lip, z1 + fall + .02, .015), (lip, z1 - .2)], 4), mat, 224)
    ring = np.linspace(0, 2 * np.pi, 224, endpoint=False)
    P = np.array([[(q * math.cos(a), q * math.sin(a), z) for a in ring] for q, z in ((outer - .01, z1 + .0155), (inner + .008, z1 + fall + .003))])
    uv = P.reshape(-1, 3)[:, :2] / (2 * outer) + .5
    faces = [(j, (j + 1) % 224, 224 + (j + 1) % 224, 224 + j) for j in range(224)]
    ob = mesh_obj('bezel_print', P.reshape(-1, 3), faces, image_mat(art.save(), .4, alpha=True), 180, uv)
    ob.visible_shadow = False


def lume_marker(outline, z, rim, fill):
    """A luminous plot: polished surround and a slightly raised filling."""
    slab('plot', outline, z, z + .05, rim, .012, 2, b0=0)
    slab('fill', offset2d(outline, .026), z + .03, z + .06, fill, .01, 2, b0=0)


def turned_outline(o, r, angle):
    a = R(-angle)
    o = np.asarray(o) + (0, r)
    return np.c_[o[:, 0] * math.cos(a) - o[:, 1] * math.sin(a), o[:, 0] * math.sin(a) + o[:, 1] * math.cos(a)]


def harbour(dial='#1b2f4d', insert='#16263f', hand_colour='#d9dadb'):
    before = set(root().children)
    side, top, polish = steel('#adb0b4')
    fill = plastic('#e6ecdf', .5)
    bright = metal(hand_colour, .14)
    r, rd, zd = 2.05, 1.52, .17
    lathe('middle', fillet([(0, -.6), (1.66, -.6, .04), (1.94, -.42, .08), (r, -.3, .06), (r, .14, .05), (1.98, .17), (1.5, .17)], 6), side, 224, 35)
    lugs(2.22, 1.62, 2.42, .15, .5, .37, .52, top, polish)
    art = Print(f'harbour_bezel_{insert[1:]}', r * .95, '#e8e8e2')
    art.turned(['', '10', '20', '30', '40', '50'], 1.765, .2, 'SemiBold')
    art.ticks(60, 1.72, 1.80, .014, 5)
    for a in (30, 90, 150, 210, 270, 330):
        art.draw.line([art.at(1.69, a), art.at(1.84, a)], art.ink(), round(.035 * art.scale))
    art.draw.polygon([art.at(1.85, -4.5), art.at(1.85, 4.5), art.at(1.67, 0)], fill=art.ink())
    coin_bezel(2.04, .18, .45, 1.56, Mat('ceramic', insert, .14, Coat_Weight=.5, Coat_Roughness=.05).m, polish, art)
    lathe('rehaut', [(1.565, .42), (1.50, zd)], brushed_radial(dial, .45), 192)
    disc(rd, zd, brushed_radial(dial, .38))
    face = Print(f'harbour_{dial[1:]}', rd, '#eceae2')
    face.ticks(60, 1.40, 1.47, .012)
    face.word(BRAND, 0, .52, .105, 'SemiBold', .03)
    face.word('AUTOMATIC', 0, -.5, .06, 'Medium', .02)
    face.word('200 m', 0, -.62, .07, 'SemiBold', .012, '#e8a33a')
    printed(face, zd + .003)
    for i in range(12):
        if i == 0:
            o = np.array([(0, -.17), (.17, .13), (-.17, .13)])
            o = resample(o, 60, True)
        elif i % 3 == 0:
            o = rrect(.15, .34, .03, 6)
        else:
            o = circle(.115, 40)
        lume_marker(turned_outline(o, 1.19, i * 30), zd, bright, fill)
    hour, minute = TEN_PAST_TEN
    hand('hour', .8, sword(.1), bright, zd + .085, hour, .22, .026, fill)
    hand('minute', 1.2, sword(.085), bright, zd + .125, minute, .26, .026, fill)
    needle('second', 1.32, metal('#e8a33a', .35), zd + .165, 213, .4, .014, .055)
    pinion(.065, zd, zd + .19, polish)
    dome_glass(1.56, .465, 0.)
    crown(.33, .36, polish, r - .02, -.1, 120, 34)
    steel_bracelet(2.2, metal('#adb0b4', .3, brushed=(4, 90, 4)), metal('#b9bcc0', .2, brushed=(4, 90, 4), name='centre'), 1.02, 1.75, -.2)
    stand(before, 12)


def croft(cloth='#67624a', dial='#23241f', ink='#ece6d2', lining='#7b5133', thread='#9a9478', hands='#d9d4c4'):
    before = set(root().children)
    blast = metal('#9b9c9b', .42, blast=.0012)
    r, rd, zd = 1.8, 1.54, .1
    case(r, -.46, .16, .33, 1.58, blast, blast, zd, lacquer(dial, .5))
    lugs(1.84, 1.6, 2.2, .16, .5, .28, .42, blast, blast)
    disc(rd, zd, plastic(dial, .55))
    art = Print(f'croft_{dial[1:]}', rd, ink)
    art.ticks(60, 1.42, 1.48, .012, 5)
    art.ticks(12, 1.40, 1.48, .034)
    art.numerals(['12'] + [str(i) for i in range(1, 12)], 1.17, .3, 'SemiBold')
    art.numerals(['24'] + [str(i) for i in range(13, 24)], .83, .105, 'Medium')
    art.word(BRAND, 0, .46, .072, 'SemiBold', .024)
    printed(art, zd + .003)
    pale, frame = plastic('#ece6d2', .5), plastic(hands, .4)
    hour, minute = TEN_PAST_TEN
    hand('hour', .84, sword(.075), frame, zd + .06, hour, .2, .022, pale)
    hand('minute', 1.22, sword(.062), frame, zd + .095, minute, .24, .022, pale)
    needle('second', 1.3, plastic('#c8372d', .35), zd + .13, 213, .36, .012, .045)
    pinion(.055, zd, zd + .15, frame)
    dome_glass(1.58, .3, .03)
    crown(.26, .3, blast, r - .03, -.08, teeth=26)
    canvas_strap(1.8, fabric(cloth, 15, .014, None, True, .25), leather(lining, 10, .006, .55, .2, coord='UV'),
                 Mat('thread', thread, .8).m, .95, 1.45, -.3, blast)
    stand(before, 12)


# ------------------------------------------------------------------ clocks
def wall(height):
    """A painted wall behind a hanging thing, out of the framing."""
    ob = plane('wall', 12 * height, 2 * height, plastic('#f6f4f0', .8), (0, .02, height), (90, 0, 0))
    ob['noframe'] = 1
    return ob


def hang(before, height):
    """Hang what was built since `before` on a wall, its back to the wall, its centre at the given height."""
    g = group([o for o in root().children if o not in before], (0, 0, height), (90, 0, 0))
    wall(height)
    return g


def powder(colour, rough=.46):
    """Powder coat: fine orange peel, half matt."""
    return plastic(colour, rough, .0025, scale=34, name='powder')


def noon(case_colour='#ece7dc', dial='#f3efe6', ink='#23231f'):
    before = set(root().children)
    coat = powder(case_colour)
    lathe('case', fillet([(0, 0), (12.8, 0, .3), (14.2, .9, 1.2), (15, 2.6, 1.6), (15, 3.5, .5), (14.6, 4.0, .32), (14.2, 4.0, .2), (13.9, 3.2)], 10), coat, 256, 40)
    disc(14.0, 2.9, plastic(dial, .55))
    art = Print(f'noon_{dial[1:]}', 14, ink)
    art.ticks(60, 12.55, 13.15, .07, 5)
    art.ticks(12, 12.0, 13.15, .17)
    printed(art, 2.91)
    black = plastic(ink, .38)
    hour, minute = TEN_PAST_TEN
    hand('hour', 7.6, taper(.46, .2), black, 3.1, hour, 1.7, .12)
    hand('minute', 11.4, taper(.4, .13), black, 3.3, minute, 2.0, .12)
    pinion(.5, 2.9, 3.5, black)
    dome_glass(14.1, 3.3, .85, .12, .8)
    hang(before, 70)


def curved_pad(r, width, length, rise, mat):
    """A soft pad on the top (+Y) of a cylinder that lies along Z: rounded outline, cushioned middle."""
    o = superellipse(width / 2, length / 2, 4, 120)
    rings = []
    for k, h in ((1, -.06), (1, .3), (.985, .6), (.96, .82), (.92, .95), (.86, 1), (.7, 1), (.5, 1), (.3, 1), (.12, 1), (.02, 1)):
        s = o * k
        rr = r + rise * h
        rings.append(np.c_[rr * np.sin(s[:, 0] / r), rr * np.cos(s[:, 0] / r), s[:, 1]])
    return grid('pad', np.array(rings), mat, cap1=True, smooth=180)


def murmur(body='#cdb99a', dial='#f4eee2', ink='#35312b', pad='#a88f6c'):
    before = set(root().children)
    soft = soft_touch(body, .5)
    lathe('body', fillet([(0, -2.6), (3.3, -2.6, 1.0), (4.4, -1.7, 1.4), (4.4, 2.3, .7), (4.05, 2.6, .22), (3.9, 2.6, .1), (3.78, 2.2)], 12), soft, 224, 40)
    disc(3.82, 2.2, plastic(dial, .5))
    art = Print(f'murmur_{dial[1:]}', 3.82, ink)
    art.ticks(60, 3.42, 3.56, .022, 5)
    art.ticks(12, 3.36, 3.56, .06)
    art.numerals(['12'] + [str(i) for i in range(1, 12)], 2.86, .56, 'Medium')
    art.word(BRAND.capitalize(), 0, 1.3, .25, 'Medium', .02)
    printed(art, 2.205)
    black = plastic(ink, .4)
    hour, minute = TEN_PAST_TEN
    hand('alarm', 1.5, taper(.085, .06), plastic('#f0a32f', .4), 2.25, 205, .4, .04)
    hand('hour', 1.9, taper(.125, .085), black, 2.31, hour, .5, .045)
    hand('minute', 2.95, taper(.11, .06), black, 2.37, minute, .6, .045)
    pinion(.17, 2.2, 2.45, black)
    dome_glass(3.88, 2.42, .06, .05)
    curved_pad(4.4, 3.0, 2.5, .13, soft_touch(pad, .5))
    radial(knurled('wheel', .8, [(.5, -.3, 0), (.9, -.3, 0), (1, -.1, 1), (1, .16, 1), (.95, .24, .3), (.8, .28, 0), (.3, .28, 0)], soft_touch(pad, .5), 40),
           4.38, 0, 90)
    g = stand(before, 13)
    g.location.z += .42
    foot = [np.c_[rrect(w, d, 1.1, 10) + (0, .5), np.full(44, z)] for w, d, z in ((4.1, 3.9, 0), (4.3, 4.1, .06), (4.3, 4.1, .2), (3.9, 3.7, .7), (3.6, 3.5, 1.1))]
    grid('foot', np.array(foot), soft, cap0=True, cap1=True, smooth=60)


def plank(light, dark, rough=.4, rings=2.1, centre=-22.):
    """Solid wood with the grain along X: growth rings round a far axis, wandering, with fine pores."""
    m = Mat('plank', light, rough)
    sep = m.n('SeparateXYZ')
    m.l(m.coord(), sep.inputs[0])
    y = m.math('ADD', sep.outputs[1], 9.)
    z = m.math('SUBTRACT', sep.outputs[2], centre)
    r = m.math('SQRT', m.math('ADD', m.math('MULTIPLY', y, y), m.math('MULTIPLY', z, z)))
    wander = m.math('MULTIPLY', m.noise(m.coord(scale=(.035, .1, .1)), 1., 2, .4), 7.)
    ring = m.math('FRACT', m.math('MULTIPLY', m.math('ADD', r, wander), rings))
    late = m.ramp(ring, [(0, .25), (.3, 0.), (.72, .45), (.9, .8), (1, .25)])
    pores = m.map(m.noise(m.coord(scale=(.9, 26, 26)), 1.4, 3, .6), .42, .72, 0, 1)
    tone = m.noise(m.coord(scale=(.12, .5, .5)), 1., 2)
    f = m.math('ADD', m.math('MULTIPLY', late, .38), m.math('ADD', m.math('MULTIPLY', pores, .42), m.map(tone, .3, .7, -.1, .25)))
    m.col(m.mix(f, light, dark))
    m.bump(pores, .006, .4, True)
    m.rgh(m.map(pores, 0, 1, rough - .05, rough + .14))
    return m.m


def arched(w, h, rise, r=.6, n=40):
    """Outline of a block whose top edge is an arc that rises by the given measure."""
    x = np.linspace(w / 2, -w / 2, n)
    R0 = (w * w / 4 + rise * rise) / (2 * rise)
    top = h - R0 + np.sqrt(R0 * R0 - x * x)
    corners = [(-w / 2, 0, r), (w / 2, 0, r)] + [(a, b, r if i in (0, n - 1) else 0) for i, (a, b) in enumerate(zip(x, top))]
    return resample(fillet(corners, 8, True), 240, True)


def hearth(light='#8a5d3c', dark='#3f2616', ink='#2a2622'):
    before = set(root().children)
    brass = metal('#d8b277', .2)
    wood_m = plank(light, dark)
    slab('block', arched(21, 18.6, 4.2), -7.0, 0, wood_m, .35, 6, smooth=40)
    cy = 9.3
    mark = set(root().children)
    lathe('ring', fillet([(7.15, -.2), (7.15, .3, .08), (6.9, .58, .18), (6.55, .58, .12), (6.3, .3, .06), (6.25, .0)], 6), brass, 224, 30)
    disc(6.35, .04, plastic('#f4efe2', .28, coat=.5))
    art = Print('hearth', 6.3, ink)
    art.ticks(60, 5.72, 5.86, .022, 5)
    art.ticks(12, 5.6, 5.86, .05)
    art.numerals(['12'] + [str(i) for i in range(1, 12)], 4.75, .98, 'Light')
    art.word(BRAND, 0, 1.9, .26, 'Medium', .09)
    printed(art, .045)
    black = plastic(ink, .35)
    hour, minute = TEN_PAST_TEN
    hand('hour', 3.1, leaf(.2, .07), black, .11, hour, .8, .05)
    hand('minute', 4.9, leaf(.17, .06), black, .18, minute, 1.0, .05)
    pinion(.22, .04, .27, brass)
    dome_glass(6.4, .3, .3, .05)
    group([o for o in root().children if o not in mark], (0, cy, 0))
    g = stand(before, 0)
    g.location = (0, -3.5, .4)
    cork = plastic('#b98b5e', .9, .02, scale=12)
    for x in (-8.8, 8.8):
        for y in (-2.2, 2.2):
            place(lathe('foot', fillet([(0, 0), (.8, 0, .08), (.8, .45), (0, .45)], 4), cork, 40), (x, y, 0))


WRIST = [dict(az=-14, elev=8, fill=.82), dict(az=23, elev=20, fill=.82), dict(az=-30, elev=14, fill=1.5, shift=(.06, 0))]

ON_WALL = dict(light=dict(key=1.2, fill=1.2, amb=1.5))

GOODS = {
    'lode-automatic-watch': dict(build=lode_automatic, samples=20, args={}, colours={
        'Ivory Dial': {},
        'Slate Dial': dict(dial='#5a5b5d', sunray=True, ink='#e9e6dd', markers='#d6d4cc', strap='#2a2523', thread='#77706a', second='#d9a441'),
    }, views=WRIST),
    'lode-chronograph': dict(build=lode_chronograph, samples=20, args={}, colours={
        'Slate Dial': {},
        'Salmon Dial': dict(dial='#dbb3a0', register='#cfa28d', ink='#2c2320', markers='#4a4038', strap='#6b3f28', thread='#d9c4a4', sweep_colour='#2b3440'),
    }, views=WRIST),
    'vesper-dress-watch': dict(build=vesper, samples=20, args={}, colours={
        'Gold': {}, 'Silver': dict(metal_colour='#bfc1c4', dial='#e9eaec', strap='#1f2023'),
    }, views=WRIST),
    'harbour-dive-watch': dict(build=harbour, samples=20, args={}, colours={
        'Navy': {}, 'Black': dict(dial='#17181a', insert='#101113'), 'Bottle Green': dict(dial='#0f3d30', insert='#0b2f25'),
    }, views=WRIST),
    'croft-field-watch': dict(build=croft, samples=20, args={}, colours={
        'Olive': {},
        'Sand': dict(cloth='#bda57c', dial='#e8dfc8', ink='#2b2a26', lining='#8a5a38', thread='#8f7a55', hands='#2b2a26'),
        'Black': dict(cloth='#26272a', dial='#17181a', lining='#2a211c', thread='#55565a'),
    }, views=WRIST),
    'noon-wall-clock': dict(build=noon, samples=20, args={}, colours={
        'Chalk': {}, 'Ink': dict(case_colour='#23262a', dial='#2a2d31', ink='#efeae0'), 'Clay': dict(case_colour='#b0694a', dial='#b9755a', ink='#f4ece0'),
    }, studio=ON_WALL, views=[dict(az=0, elev=6, fill=.78), dict(az=-30, elev=10, fill=.78), dict(az=-22, elev=8, fill=1.7, shift=(-.34, -.3))]),
    'murmur-alarm-clock': dict(build=murmur, samples=20, args={}, colours={
        'Sand': {}, 'Sage': dict(body='#93a08a', pad='#6f7d66'), 'Ink': dict(body='#2b2e33', pad='#3a3e44', dial='#24272b', ink='#efe9dc'),
    }, views=[dict(az=-10, elev=10, fill=.78), dict(az=26, elev=22, fill=.8), dict(az=-14, elev=22, fill=1.5, shift=(0, -.18))]),
    'hearth-mantel-clock': dict(build=hearth, samples=20, args={}, colours={
        'Walnut': {}, 'Oak': dict(light='#d3ab78', dark='#a67a48'),
    }, views=[dict(az=-10, elev=10, fill=.82), dict(az=25, elev=18, fill=.82), dict(az=-14, elev=12, fill=1.7, shift=(.12, -.1))]),
}
