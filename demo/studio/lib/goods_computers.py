"""Computers: two laptops, a tablet, two keyboards, a mouse, a stand, a monitor (house brand Veldrun)."""
from studio import *
import tex_computers as screens
from goods_audio import BRAND, UPRIGHT, bent_sheet, black_glass, disc, knob, weave, word

SILVER, GRAPHITE = '#c9cbce', '#82858a'      # graphite renders darker than it reads here
MARIGOLD = '#e0a040'
U = 1.905                 # one key unit, 19.05 mm


# ------------------------------------------------------------------ keys
def printed(color, ink, mask, w, h, rough=.5, grain=.0012):
    """Plastic with a picture of legends laid on from above; object x and y run over w × h cm round the origin."""
    m = Mat('printed', color, rough)
    place_ = m.coord(scale=(1/w, 1/h, 1), loc=(.5, .5, 0))
    picture = m.n('TexImage', extension='CLIP')
    picture.image = bpy.data.images.load(mask, check_existing=True)
    picture.image.colorspace_settings.name = 'Non-Color'
    m.l(place_, picture.inputs[0])
    m.col(m.mix(picture.outputs[0], color, ink))
    m.bump(m.noise(m.coord(), 70, 2), grain)
    return m.m


def lay_out(rows, tops):
    """Rows of (label, width in units[, tone]) → keys as dicts; a label of None is a gap. tops: upper edge of each row in units."""
    keys = []
    for top, row in zip(tops, rows):
        x = 0.
        for label, w, *tone in row:
            if label is not None:
                keys.append(dict(x=x, top=top, w=w, h=1., label=label, tone=tone[0] if tone else 'alpha'))
            x += w
    return keys


def centred(keys, unit=U):
    """Key units → centimetres round the middle of the whole field."""
    wide = max(k['x']+k['w'] for k in keys)
    deep = max(k['top']+k['h'] for k in keys)
    for k in keys:
        k.update(cx=(k['x']+k['w']/2-wide/2)*unit, cy=(deep/2-k['top']-k['h']/2)*unit, cw=k['w']*unit, ch=k['h']*unit)
    return wide*unit, deep*unit


def key_outline(key, gap, r, unit=U):
    """Rounded rectangle, or the two-row Enter of the British layout."""
    w, h = key['cw']-gap, key['ch']-gap
    if not key.get('enter'):
        return rrect(w, h, r, 5)+[key['cx'], key['cy']]
    # the lower row is narrower by a quarter key on the left
    x0, x1, y0, y1, step = -w/2, w/2, -h/2, h/2, .25*unit
    return fillet([(x1, y0, r), (x1, y1, r), (x0, y1, r), (x0, gap/2, r), (x0+step, gap/2, r*.6), (x0+step, y0, r)], 5, True)+[key['cx'], key['cy']]


def keycap(key, mat, height, inset, r=.22, gap=.12, dish=.05, lean=0., tilt=0., low=0.):
    """A keycap with sloping sides and a dished top. lean: how far the top sits back; tilt: slope of its top."""
    middle = np.array((key['cx'], key['cy']))
    rings = []

    def ring(d, z, back):
        o = key_outline(key, gap+2*d, r)+[0, back]
        slope = tilt*(o[:, 1]-middle[1])
        return np.c_[o, z+slope*(z-low)/height]
    for d, k in ((0., 0.), (.02, .08), (inset*.55, .55), (inset*.86, .86), (inset, .965), (inset+.05, .995), (inset+.11, 1.)):
        rings.append(ring(d, low+height*k, lean*k))
    edge = rings[-1]
    centre = edge.mean(0)
    reach = (key['cw']-gap)/2-inset-.11
    for s in (.85, .65, .4, .15):
        o = centre+(edge-centre)*[s, s, 1]
        o[:, 2] = low+height+tilt*(o[:, 1]-middle[1])
        # a cylinder's dish across short keys, a shallow trough along the long ones
        across = np.clip(abs(o[:, 0]-centre[0])/reach, 0, 1) if key['cw'] < 3.2 else np.clip(abs(o[:, 1]-centre[1])/.6, 0, 1)
        o[:, 2] -= dish*(1-across**2)
        rings.append(o)
    return grid('key', np.array(rings), mat, cap0=True, cap1=True, smooth=50)


def british(extra, top_row, bottom, shift=1.75):
    """The British alphabet block of 15 units, with `extra` keys after rows 1 to 4."""
    digits = [('¬\n`', 1), ('!\n1', 1), ('"\n2', 1), ('£\n3', 1), ('$\n4', 1), ('%\n5', 1), ('^\n6', 1), ('&\n7', 1), ('*\n8', 1), ('(\n9', 1), (')\n0', 1), ('_\n-', 1), ('+\n=', 1)]
    one = digits+[('back', 2, 'mod')]
    two = [('tab', 1.5, 'mod')]+[(c, 1) for c in 'QWERTYUIOP']+[('{\n[', 1), ('}\n]', 1), (None, 1.5)]
    three = [('caps', 1.75, 'mod')]+[(c, 1) for c in 'ASDFGHJKL']+[(':\n;', 1), ('@\n\'', 1), ('~\n#', 1), (None, 1.25)]
    four = [('shift', 1.25, 'mod'), ('|\n\\', 1)]+[(c, 1) for c in 'ZXCVBNM']+[('<\n,', 1), ('>\n.', 1), ('?\n/', 1), ('shift', shift, 'mod')]
    rows = [top_row]+[row+more for row, more in zip((one, two, three, four), extra)]+[bottom]
    return rows


def add_enter(keys, top, tone='accent'):
    keys.append(dict(x=13.5, top=top, w=1.5, h=2., label='enter', tone=tone, enter=True))


def keys_75():
    """84 keys: 15 in the top row beside the knob."""
    top = [('esc', 1, 'accent')]+[(f'F{i}', 1, 'mod' if i in (5, 6, 7, 8) else 'alpha') for i in range(1, 13)]+[('prt', 1, 'mod'), ('del', 1, 'mod')]
    bottom = [('ctrl', 1.25, 'mod'), ('super', 1.25, 'mod'), ('alt', 1.25, 'mod'), ('', 6.25), ('alt', 1, 'mod'), ('fn', 1, 'mod'), ('ctrl', 1, 'mod'), ('←', 1, 'mod'), ('↓', 1, 'mod'), ('→', 1, 'mod')]
    extra = [[('home', 1, 'mod')], [('pg up', 1, 'mod')], [('pg dn', 1, 'mod')], [('↑', 1, 'mod'), ('end', 1, 'mod')]]
    keys = lay_out(british(extra, top, bottom, 1.75), (0, 1.15, 2.15, 3.15, 4.15, 5.15))
    add_enter(keys, 2.15)
    return keys


def keys_tkl():
    """88 keys with a cursor block a quarter unit apart."""
    g = (None, .25)
    top = [('esc', 1, 'mod'), (None, 1)]
    for i in range(1, 13):
        top += [(f'F{i}', 1, 'mod' if 5 <= i <= 8 else 'alpha')]+([(None, .5)] if i in (4, 8) else [])
    top += [g, ('prt', 1, 'mod'), ('scr', 1, 'mod'), ('pse', 1, 'mod')]
    bottom = [('ctrl', 1.25, 'mod'), ('super', 1.25, 'mod'), ('alt', 1.25, 'mod'), ('', 6.25), ('alt', 1.25, 'mod'), ('fn', 1.25, 'mod'), ('menu', 1.25, 'mod'), ('ctrl', 1.25, 'mod'), g, ('←', 1, 'mod'), ('↓', 1, 'mod'), ('→', 1, 'mod')]
    extra = [[g, ('ins', 1, 'mod'), ('home', 1, 'mod'), ('pg up', 1, 'mod')], [g, ('del', 1, 'mod'), ('end', 1, 'mod'), ('pg dn', 1, 'mod')], [], [(None, 1.25), ('↑', 1, 'mod')]]
    keys = lay_out(british(extra, top, bottom, 2.75), (0, 1.2, 2.2, 3.2, 4.2, 5.2))
    add_enter(keys, 2.2)
    return keys


# ------------------------------------------------------------------ keyboards
def wedge(ob, deep, front, back):
    """Shears a part drawn with a height of `back` so that its top falls to `front` at the front edge."""
    for v in ob.data.vertices:
        v.co.z *= (front+(back-front)*(v.co.y+deep/2)/deep)/back
    return shade(ob, 30)


def keyboard_case(W, D, front, back, pockets, metal_, well, r=1.0, edge=.16, depth=.45):
    """A metal case with pockets for blocks of keys; pockets: (x, y, w, h)."""
    case = slab('case', rrect(W, D, r, 10), .18, back, metal_, edge, 5, b0=.3)
    for x, y, w, h in pockets:
        boolean(case, slab('pocket', rrect(w, h, .22, 5)+[x, y], back-depth, back+1, None, 0, b0=0), smooth=30)
    wedge(case, D, front, back)
    floor = slab('well', rrect(W-1, D-1, .5, 5), .3, back-depth+.01, well, 0, b0=0)
    wedge(floor, D, front, back)
    for sx in (-1, 1):
        for sy in (-1, 1):
            place(slab('foot', rrect(2.2, .8, .38, 6), 0, .3, rubber('#222222'), .06), (sx*(W/2-2.4), sy*(D/2-1.2), 0))


def put_keys(keys, mats, front, back, D, shift=(0, 0), **cap):
    """The caps lie in the plane of the case's top."""
    parts = [keycap(k, mats[k['tone']], **{**cap, **k.get('cap', {})}) for k in keys]
    angle = math.atan2(back-front, D)
    return group(parts, (shift[0], shift[1], (front+back)/2+shift[1]*math.tan(angle)), (math.degrees(angle), 0, 0))


def mechanical_75(case='#d5cfc3', alpha='#e3d9c6', mod='#bba98a', accent='#b5674a', ink='#5b4f3d', mod_ink='#4d4231', accent_ink='#f3e7d6', knob_c='#d9c296', cord=('#cbbd9f', '#ab9b7a')):
    W, D, front, back = 32.2, 13.4, 1.75, 2.6
    keys = keys_75()
    w, h = centred(keys)
    mask = screens.legends('legends_75', [(k['cx'], k['cy']+.10, k['cw'], k['ch'], k['label']) for k in keys], w, h, big=.46, small=.26)
    mats = {tone: printed(c, i, mask, w, h, .52) for tone, c, i in (('alpha', alpha, ink), ('mod', mod, mod_ink), ('accent', accent, accent_ink))}
    shell = metal(case, .36, blast=.0006)
    # rows lean as sculpted caps do: the far rows towards the typist, the near ones away
    for k in keys:
        row = int(round(k['top']))
        k['cap'] = dict(tilt=(-.10, -.08, -.04, .0, .05, .05)[min(row, 5)], height=(.86, .84, .74, .70, .72, .72)[min(row, 5)])
    main = h-1.15*U
    pockets = [(0, (main-h)/2, w+.12, main+.12), (-U/2, h/2-U/2, w-U+.12, U+.12)]
    keyboard_case(W, D, front, back, pockets, shell, plastic('#2a2a2a', .6))
    put_keys(keys, mats, front, back, D, inset=.27, dish=.07, lean=.05, low=-.12)
    angle = math.atan2(back-front, D)
    brass = metal(knob_c, .24)
    dial = group(knob('knob', .86, 1.15, brass, 64, .03, brushed_radial(knob_c, .26)), (w/2-U/2+.05, h/2-U/2, -.02))
    group([dial], (0, 0, (front+back)/2), (math.degrees(angle), 0, 0))
    braided_cable(D, cord)


def braided_cable(D, colours):
    """Leaves the middle of the back edge and curves away to the side."""
    way = spline([(-3, D/2+.6, 1.25), (-3, D/2+2.4, 1.0), (-2.0, D/2+4.6, .26), (2.5, D/2+5.8, .22), (8.5, D/2+4.6, .22), (12.5, D/2+2.6, .22), (16.8, D/2+2.2, .22)], 200)
    tube('cable', way, .21, weave(*colours, 11, .02, rough=.8), 24)['noframe'] = True      # may leave the picture
    place(lathe('boot', fillet([(0, 0), (.42, 0, .06), (.42, 1.5, .08), (.26, 1.9, .05), (0, 1.9)], 5), metal('#b9b3a6', .32), 48), (-3, D/2-.4, 1.28), (-90, 0, 0))


def low_profile(case=SILVER, alpha='#d6d7da', mod='#9fa2a8', accent='#e0a040', ink='#3f4247', mod_ink='#2b2d31'):
    W, D, front, back = 35.8, 12.4, 1.15, 1.75
    keys = keys_tkl()
    w, h = centred(keys)
    mask = screens.legends('legends_tkl', [(k['cx'], k['cy'], k['cw'], k['ch'], k['label']) for k in keys], w, h, big=.54, small=.30)
    mats = {tone: printed(c, i, mask, w, h, .48) for tone, c, i in (('alpha', alpha, ink), ('mod', mod, mod_ink), ('accent', accent, '#3b2a10'))}
    body, nav = 15*U, 3*U
    x0, x1 = -w/2+body/2, w/2-nav/2
    deep = 5*U
    pockets = [(x0, -h/2+deep/2, body+.1, deep+.1), (x1, -h/2+4*U, nav+.1, 2*U+.1), (x1, -h/2+U/2, nav+.1, U+.1), (x1, -h/2+1.5*U, U+.1, U+.2)]
    pockets += [(-w/2+U/2, h/2-U/2, U+.1, U+.1), (x1, h/2-U/2, nav+.1, U+.1)]
    pockets += [(-w/2+(2+i*4.5+2)*U, h/2-U/2, 4*U+.1, U+.1) for i in range(3)]
    keyboard_case(W, D, front, back, pockets, metal(case, .34, blast=.0006), plastic('#35373a', .6), r=.9, edge=.14, depth=.3)
    put_keys(keys, mats, front, back, D, height=.36, inset=.07, dish=.022, low=-.08, r=.26, gap=.2)
    word(BRAND, .42, metal('#6d7075', .4), (x1, -h/2+2.5*U, (front+back)/2-.17), (math.degrees(math.atan2(back-front, D)), 0, 0), .002)


# ------------------------------------------------------------------ laptops
def laptop_rows(numpad):
    """A flat British keyboard; widths in units of one letter key, every row equally long."""
    pad = {1: [('num', 1), ('/', 1), ('*', 1)], 2: [('7', 1), ('8', 1), ('9', 1)], 3: [('4', 1), ('5', 1), ('6', 1)], 4: [('1', 1), ('2', 1), ('3', 1)], 5: [('0', 1), ('.', 1), ('+', 1)]}
    top = [('esc', 1.25)]+[(f'F{i}', 1) for i in range(1, 13)]+[('', 1.75, 'power')]
    bottom = [('ctrl', 1.25), ('fn', 1), ('super', 1), ('alt', 1), ('', 5.75), ('alt', 1), ('ctrl', 1), ('←', 1), ('↓\n↑', 1), ('→', 1)]
    rows = british([[], [], [], []], top, bottom, 2.75)
    if numpad:
        rows = [row+[(None, .2)]+pad.get(i, [('ins', 1), ('del', 1), ('end', 1)]) for i, row in enumerate(rows)]
    keys = lay_out(rows, (0, .72, 1.72, 2.72, 3.72, 4.72))
    for k in keys:
        if k['top'] == 0:
            k['h'] = .72
    add_enter(keys, 1.72, 'alpha')
    return keys


def chiclets(wide, y, T, numpad, color, ink):
    """The keys of a laptop standing in their well; returns the field's width and depth."""
    keys = laptop_rows(numpad)
    units = max(k['x']+k['w'] for k in keys)
    unit = wide/units
    tall = 1.85/unit                      # keys are a little lower than they are wide
    for k in keys:
        k.update(top=k['top']*tall, h=k['h']*tall)
    w, h = centred(keys, unit)
    mask = screens.legends(f'legends_laptop_{numpad}', [(k['cx'], k['cy'], k['cw'], k['ch'], k['label']) for k in keys], w, h, 110, .44, .25, corner=True)
    mats = dict(alpha=printed(color, ink, mask, w, h, .5, .0006), power=printed(MARIGOLD, ink, mask, w, h, .5))
    mats['mod'] = mats['alpha']
    parts = [slab('key', key_outline(k, .24, .15, unit), -.1, .05, mats[k['tone']], .035, 3, b0=0) for k in keys]
    group(parts, (0, y, T))
    return w, h


def port(kind, x, y, z, side):
    """A socket in the side wall."""
    dark = plastic('#131314', .4)
    long, high = dict(usbc=(.9, .32), usba=(1.32, .55), hdmi=(1.5, .5), sd=(2.5, .26), jack=(.38, .38))[kind]
    o = circle(.19, 32) if kind == 'jack' else rrect(long, high, min(high/2-.01, .15 if kind != 'usbc' else .2), 6)
    place(slab('port', o, -.3, .012, dark, 0, b0=0), (side*x, y, z), (90, 0, side*90))
    if kind in ('usbc', 'usba'):
        place(slab('tongue', rrect(long*.72, high*.26, .04, 3), -.2, .02, metal('#8f9194', .35), 0, b0=0), (side*x, y, z+(high*.14 if kind == 'usba' else 0)), (90, 0, side*90))


def laptop(W, D, T, picture, body, key_color, key_ink, ports, numpad=False, angle=112, pad=(12.4, 7.6)):
    alloy = metal(body, .35, blast=.0005)
    dark, gum = plastic('#1a1b1c', .45), rubber('#26272a')
    base = slab('base', rrect(W, D, 1.0, 14), .14, T, alloy, .07, 5, b0=.42)
    ky, field = D/2-2.75-5.2, W-3.0
    w, h = chiclets(field, ky, T, numpad, key_color, key_ink)
    boolean(base, slab('cut', rrect(w+.1, h+.1, .3, 6)+[0, ky], T-.12, T+.5, None, 0, b0=0), smooth=30)
    slab('well', rrect(w+.05, h+.05, .3, 6)+[0, ky], T-.15, T-.11, plastic('#2b2c2e', .5), 0, b0=0)
    # speakers: two rows of milled slots between keys and hinge
    first = slab('slot', rrect(.26, .13, .06, 4), -.02, .004, plastic('#0d0d0d', .7), 0, b0=0)
    for i in range(24):
        for row in range(2):
            for side in (-1, 1):
                instance(first, (side*(W/2-2.2-i*.405), D/2-1.75-row*.32, T))
    bpy.data.objects.remove(first)
    front = -D/2+pad[1]/2+(ky-h/2+D/2-pad[1])/2
    boolean(base, slab('cut', rrect(*pad, .4, 8)+[0, front], T-.05, T+.5, None, 0, b0=0), smooth=30)
    slab('touchpad', rrect(pad[0]-.06, pad[1]-.06, .38, 8)+[0, front], T-.1, T-.012, metal(body, .28), .012, 2)
    boolean(base, place(lathe('scoop', [(0, -2.2), (.55, -1.9), (.62, 0), (.55, 1.9), (0, 2.2)], None, 48), (0, -D/2, T+.28), (0, 90, 0)), smooth=30)
    for sx in (-1, 1):
        for sy in (-1, 1):
            place(disc('foot', .8, 0, .2, gum, .05), (sx*(W/2-2.6), sy*(D/2-2.2), 0))
    for kind, side, y in ports:
        port(kind, W/2, y, T*.56, side)
    place(lathe('hinge', fillet([(0, -W*.36), (.42, -W*.36, .08), (.42, W*.36, .08), (0, W*.36)], 4), metal(body, .4), 48), (0, D/2-.46, T-.14), (0, 90, 0))
    lid(W, D-.3, T, picture, alloy, body, angle, D)


def lid(W, D, T, picture, alloy, body, angle, depth):
    """Drawn lying on its face, the hinge along y = 0; then opened."""
    mid = D/2
    parts = [slab('lid', rrect(W, D, 1.0, 14)+[0, mid], 0, .48, alloy, .16, 6, b0=.05),
             slab('bezel', rrect(W-.3, D-.3, .88, 14)+[0, mid], -.02, .1, plastic('#161718', .42), 0, b0=.015)]
    sw, sh = W-1.3, (W-1.3)/1.6
    lift = (D-.95-sh/2)                    # a narrow border above, a wider one below
    screen = plane('screen', sw, sh, image_mat(picture, .4, emit=1.0, spec=.15), outline=rrect(sw, sh, .18, 6))
    parts.append(place(screen, (0, lift, -.023), (0, 180, 0)))
    parts.append(place(disc('lens', .1, -.03, 0, black_glass(), .005, 24), (0, D-.5, 0)))
    parts.append(place(disc('lens ring', .17, -.025, 0, plastic('#2a2b2d', .3), .005, 24), (0, D-.5, 0)))
    parts.append(word(BRAND, 1.4, metal('#7d8085' if body == SILVER else '#e3e4e6', .16), (0, mid, .481), (0, 0, 180)))
    leaf = group(parts, (0, 0, 0), (0, 0, 180))
    group([leaf], (0, depth/2-.3, T+.03), (-angle, 0, 0))


PORTS_14 = [('usbc', -1, 6.6), ('usbc', -1, 5.0), ('hdmi', -1, 3.0), ('usba', 1, 6.4), ('jack', 1, 4.7)]
PORTS_16 = [('usbc', -1, 8.0), ('usbc', -1, 6.4), ('hdmi', -1, 4.3), ('usbc', 1, 8.0), ('sd', 1, 5.6), ('jack', 1, 3.2)]


def harrow_14(body=SILVER, keys='#aeb0b5', ink='#26282b', **kw):
    laptop(31.4, 22.2, 1.07, screens.desk('desk_14', 2240, 1400), body, keys, ink, PORTS_14, **kw)


def harrow_16(body='#85888d', keys='#4b4d51', ink='#e6e6e6', **kw):
    laptop(35.8, 25.2, 1.25, screens.grading('grading_16'), body, keys, ink, PORTS_16, numpad=True, pad=(14.6, 9.2), **kw)


# ------------------------------------------------------------------ tablet
def one_tablet(body, picture):
    """Lying on its back edge upwards in y, screen towards +z, the middle at the origin."""
    W, H, T = 17.9, 24.8, .66
    alloy, gleam = metal(body, .34, blast=.0006), metal(body, .16)
    o = rrect(W, H, 1.25, 18)
    parts = [slab('body', o, -T/2, T/2-.06, alloy, .05, 4, b0=.2), slab('glass', offset2d(o, .07), T/2-.09, T/2, black_glass(), .04, 4, b0=0)]
    sw, sh = W-1.5, (W-1.5)*2360/1640
    parts.append(plane('screen', sw, sh, image_mat(picture, .06, emit=1.0, spec=.25), (0, 0, T/2+.002), outline=rrect(sw, sh, .35, 10)))
    parts.append(place(disc('lens', .11, 0, .006, Mat('lens', '#10131c', .05).m, .002, 32), (0, H/2-.38, T/2)))
    for y in (H/2-2.6, H/2-5.4, H/2-7.2):
        parts.append(box('button', (.07, 1.4, .26), (W/2+.01, y, -.05), gleam, .03))
    dark = plastic('#121214', .5)
    parts.append(place(slab('usb', rrect(.9, .3, .14, 6), -.2, .006, dark, 0, b0=0), (0, -H/2, -.02), (90, 0, 0)))
    for i in range(8):
        for side in (-1, 1):
            parts.append(place(slab('hole', circle(.075, 16), -.1, .006, dark, 0, b0=0), (side*(2.2+.36*i), -H/2, -.02), (90, 0, 0)))
    # back: one round camera in a turned ring, and the name
    parts.append(place(lathe('ring', fillet([(.62, 0), (.62, .13, .03), (.86, .13, .05), (.9, 0)], 4), gleam, 96), (W/2-2.0, H/2-2.0, -T/2), (180, 0, 0)))
    parts.append(place(disc('camera', .63, 0, .1, black_glass(), .02), (W/2-2.0, H/2-2.0, -T/2), (180, 0, 0)))
    parts.append(place(lathe('iris', fillet([(.14, .1), (.17, .112, .01), (.3, .112, .01), (.33, .1)], 3), metal('#30343c', .2), 64), (W/2-2.0, H/2-2.0, -T/2), (180, 0, 0)))
    parts.append(place(disc('flash', .16, 0, .015, plastic('#f1ead8', .3), .005, 32), (W/2-3.5, H/2-2.0, -T/2), (180, 0, 0)))
    parts.append(word(BRAND, 1.0, gleam, (0, 0, -T/2-.002), (0, 180, 0), .002))
    return parts, H


def tablet(body=SILVER, pair=True):
    picture = screens.reading('reading_11')
    parts, H = one_tablet(body, picture)
    place(group(parts), (3.4, -2.2, H/2), (90, 0, -10))
    if pair:
        parts, H = one_tablet(body, picture)
        place(group(parts), (-4.6, 2.6, H/2), (90, 0, 180-16))


# ------------------------------------------------------------------ mouse
def mouse_point(theta, phi):
    """A dome, the same on both sides, highest behind the middle; phi from 0 (rim) to 90° (top)."""
    c, s = np.cos(phi), np.sin(phi)
    x = 3.1*np.sign(np.cos(theta))*abs(np.cos(theta))**(2/2.5)
    y = 5.4*np.sign(np.sin(theta))*abs(np.sin(theta))**(2/2.3)
    z = 3.45*s**(2/2.35)
    reach = c**(2/2.5)
    return np.stack(np.broadcast_arrays(x*reach*(1-.03*np.cos(y)), y*reach+.75*s**1.6, z+.12), -1)


def mouse_shell(name, phi0, phi1, mat, grow=1.):
    theta = np.linspace(0, 2*np.pi, 160, endpoint=False)
    P = np.array([mouse_point(theta, phi) for phi in np.linspace(phi0, phi1, 60)])
    P = (P-[0, 0, .12])*grow+[0, 0, .12]
    return grid(name, P, mat, cap0=True, cap1=True, smooth=180)


def mouse(top='#ddd8ce', side='#aea79a', wheel='#d9c296', dark='#2b2b2c'):
    skin, flank, inside = soft_touch(top, .42), soft_touch(side, .55), plastic(dark, .6)
    split = R(14)
    mouse_shell('core', .02, math.pi/2*.985, inside, .975)
    mouse_shell('flank', .0, split, flank)
    upper = mouse_shell('upper', split+R(1.2), math.pi/2-.012, skin)
    cuts = [box('seam', (.055, 5.6, 6), (0, -3.05, 3.), None, 0), slab_cut(), place(slab('slot', rrect(.78, 2.3, .38, 8), .8, 6, None, 0, b0=0), (0, -2.75, 0))]
    for cutter in cuts:
        boolean(upper, cutter, smooth=35)
    z = mouse_point(np.array([-math.pi/2]), R(52))[0]
    turned_wheel(wheel, (0, -2.75, z[2]-.76))
    place(slab('usb', rrect(.95, .34, .16, 6), 0, .05, plastic('#121212', .5), 0, b0=0), (0, -5.36, .62), (88, 0, 0))
    for y in (-3.6, 3.8):
        place(slab('glide', rrect(3.2, .8, .38, 6), 0, .14, plastic('#e9e9e9', .5), .04), (0, y, 0))
    place(word(BRAND, .52, Mat('mark', side, .5).m, (0, 0, 0)), (0, 3.62, 2.86), (-38, 0, 180))
    place(disc('light', .08, 0, .03, emission('#d8f0dc', 1.), .01, 20), (0, -.95, mouse_point(np.array([-math.pi/2]), R(79))[0][2]-.02))


def slab_cut():
    """The curved seam behind the two main buttons."""
    x = np.linspace(-3.6, 3.6, 40)
    y = -.25+.055*x**2
    ring = np.r_[np.c_[x, y+.028], np.c_[x, y-.028][::-1]][::-1]
    return slab('bow', ring, .9, 6, None, 0, b0=0)


def turned_wheel(color, at):
    """A metal wheel with fine ribs, its axle from left to right."""
    n = 44
    t = np.linspace(0, 2*np.pi, n*8, endpoint=False)
    rib = 1-.035*(.5-.5*np.cos(t*n))**2
    rows = [(.0, -.27), (.88, -.27), (.95, -.22), (1., -.13), (1., .13), (.95, .22), (.88, .27), (0., .27)]
    P = np.array([[(.98*k*(q if k > .94 else .97)*math.cos(a), .98*k*(q if k > .94 else .97)*math.sin(a), z) for a, q in zip(t, rib)] for k, z in rows])
    place(grid('wheel', P, metal(color, .24), smooth=35), at, (0, 90, 0))


# ------------------------------------------------------------------ laptop stand
# side view of the sheet: foot, riser, rest, lip; the third number is the radius of the bend
STAND = [(-8.7, .42), (10.8, .42, 1.5), (8.6, 15.3, 1.7), (-10.9, 10.1, 1.0), (-11.4, 11.9)]


def laptop_stand(color=SILVER, pads='#3a3c3f'):
    alloy, gum = metal(color, .33, blast=.0007), rubber(pads, .6)
    side_view = fillet(STAND, 14)
    plate = bent_sheet('sheet', np.c_[0*side_view[:, 0], side_view], 24.6, .5, alloy)
    (_, _), (_, _, _), (back_y, back_z, _), (front_y, front_z, _), _ = STAND
    rise = math.atan2(back_z-front_z, back_y-front_y)
    slope = math.degrees(rise)

    def on_rest(t, lift):
        """A point of the rest, t from its front (0) to its back (1), raised at right angles to it."""
        return front_y+t*(back_y-front_y)-lift*math.sin(rise), front_z+t*(back_z-front_z)+lift*math.cos(rise)
    # a window in the riser for cables, another in the rest for air
    boolean(plate, place(slab('window', rrect(11., 4.4, 2.19, 20), -3, 3, None, 0, b0=0), (0, 9.8, 7.4), UPRIGHT), smooth=30)
    boolean(plate, place(slab('air', rrect(13., 6.2, 1.6, 16), -3, 3, None, 0, b0=0), (0, *on_rest(.53, 0)), (slope, 0, 0)), smooth=30)
    bevel(plate, .06, 3, 50)
    apply(plate, 30)
    for side in (-1, 1):
        place(slab('pad', rrect(1.5, 13.5, .7, 10), 0, .16, gum, .06), (side*10., *on_rest(.5, .25)), (slope, 0, 0))
    place(slab('lip pad', rrect(17, .8, .38, 8), 0, .12, gum, .05), (0, front_y-.02, front_z+1.1), (-105.5, 0, 0))
    for sx in (-1, 1):
        for y in (-7.2, 9.0):
            place(slab('foot', rrect(3.2, 1.3, .6, 8), 0, .2, gum, .05), (sx*9.8, y, 0))
    word(BRAND, .7, metal('#f4f4f4' if color == SILVER else '#c5c7ca', .15), (8.2, -7.3, .672), thick=.002)


# ------------------------------------------------------------------ monitor
def monitor(color=SILVER):
    W, H, T = 61.3, 36.2, 1.1
    alloy, dark = metal(color, .34, blast=.0006), plastic('#161718', .42)
    centre = 54.2-H/2
    parts = [slab('back', rrect(W, H, .8, 12), -T, 0, alloy, .06, 4, b0=.35), slab('bezel', rrect(W-.24, H-.24, .7, 12), -.1, .035, dark, .03, 3, b0=0)]
    sw = W-1.3
    sh = sw*9/16
    parts.append(plane('screen', sw, sh, image_mat(screens.sheet('sheet_27'), .45, emit=1.0, spec=.12), (0, (H-sh)/2-.62, .038)))
    parts.append(slab('electronics', rrect(34, 20, 3.5, 16)+[0, -3], -T-2.0, -T+.1, alloy, 0, b0=1.0))
    parts.append(word(BRAND, .72, metal('#9ea1a6', .3), (0, -H/2+.72, .037), thick=.002))
    parts.append(word(BRAND, 2.2, metal('#f1f2f3', .12), (0, 12.2, -T-.002), (0, 180, 0), .004))
    for i, wide in enumerate((1.5, .9, 1.3, 1.3)):
        parts.append(place(slab('port', rrect(wide, .5, .15, 5), 0, .03, dark, 0, b0=0), (-12+2.4*i, -8.6, -T-2.005), (0, 180, 0)))
    parts.append(place(disc('plate', 5.2, 0, .5, metal(color, .3), .1), (0, -3, -T-1.9), (0, 180, 0)))
    group(parts, (0, -1.0, centre), (87, 0, 0))
    # column and foot
    y = 5.2
    place(slab('column', rrect(6.4, 1.9, .94, 14), .6, 42.5, alloy, .3, 6, b0=0), (0, y, 0))
    boolean(bpy.data.objects['column'], place(slab('hole', circle(1.6, 64), -4, 4, None, 0, b0=0), (0, y, 10.5), UPRIGHT), smooth=30)
    box('arm', (5.0, 3.6, 4.2), (0, y-2.0, centre-3), metal(color, .38), .5, 5)
    lathe('foot', fillet([(0, .12), (9.2, .12, .1), (9.5, .35, .15), (9.5, .62, .14), (9.2, .8, .2), (0, .8)], 6), alloy, 240)
    lathe('felt', [(0, 0), (8.8, 0), (8.9, .15), (0, .15)], rubber('#2a2a2a'), 120)


# ------------------------------------------------------------------ the goods
GOODS = {
    'harrow-14-laptop': dict(
        build=harrow_14, colours={'Silver': {}, 'Graphite': dict(body=GRAPHITE, keys='#45474b', ink='#ececec')},
        views=[dict(az=-24, elev=20, fill=.84), dict(az=152, elev=18, fill=.84), dict(az=-34, elev=30, fill=1.7, shift=(-.10, .36))]),
    'harrow-16-studio-laptop': dict(
        build=harrow_16, colours={'Graphite': {}},
        views=[dict(az=22, elev=17, fill=.86), dict(az=-148, elev=20, fill=.84), dict(az=36, elev=26, fill=1.8, shift=(-.30, .22))]),
    'fallow-11-tablet': dict(
        build=tablet, colours={'Silver': {}, 'Graphite': dict(body=GRAPHITE), 'Sage': dict(body='#b4bdae')},
        views=[dict(az=0, elev=6, fill=.84), dict(az=196, elev=10, fill=.84, args=dict(pair=False)), dict(az=200, elev=8, fill=2.3, shift=(.5, -.78), args=dict(pair=False))]),
    'tern-75-mechanical-keyboard': dict(
        build=mechanical_75,
        colours={'Sand': {}, 'Ink': dict(case='#5a5d63', alpha='#4a4d53', mod='#383a3f', accent='#7c8f86', ink='#e3e3e1', mod_ink='#c9cac9', accent_ink='#1f2523', knob_c='#b9bcc1', cord=('#5a5d63', '#44474c'))},
        views=[dict(az=-26, elev=33, fill=.88), dict(az=34, elev=22, fill=.88), dict(az=-30, elev=26, fill=2.2, shift=(-.62, -.02))]),
    'tern-low-profile-wireless-keyboard': dict(
        build=low_profile, colours={'Silver': {}, 'Graphite': dict(case=GRAPHITE, alpha='#4b4d51', mod='#3a3c3f', ink='#ececec', mod_ink='#d2d3d5')},
        views=[dict(az=24, elev=33, fill=.88), dict(az=-34, elev=22, fill=.88), dict(az=26, elev=22, fill=2.2, shift=(.55, -.02))]),
    'wren-wireless-mouse': dict(
        build=mouse, colours={'Chalk': {}, 'Ink': dict(top='#484b51', side='#33353a', wheel='#b9bcc1'), 'Clay': dict(top='#bd8068', side='#96604b', wheel='#dcc0a0')},
        views=[dict(az=-32, elev=24, fill=.76), dict(az=-118, elev=16, fill=.78), dict(az=-24, elev=34, fill=1.6, shift=(.15, -.12))]),
    'ledge-laptop-stand': dict(
        build=laptop_stand, colours={'Silver': {}, 'Graphite': dict(color=GRAPHITE, pads='#2c2d2f')},
        views=[dict(az=-32, elev=18, fill=.82), dict(az=-128, elev=20, fill=.82), dict(az=-40, elev=26, fill=1.8, shift=(.30, -.10))]),
    'sill-27-monitor': dict(
        build=monitor, colours={'Silver': {}},
        views=[dict(az=-16, elev=8, fill=.86), dict(az=152, elev=14, fill=.84), dict(az=-28, elev=14, fill=1.9, shift=(.0, .52))]),
}
