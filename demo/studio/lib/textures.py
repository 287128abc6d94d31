"""Original procedural bitmaps (screens, legends, dials) drawn with numpy + Pillow."""
import os, math, numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageFilter
TEX = os.environ.get("TEX", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tex")); FD = os.environ.get("INTER", "/usr/share/fonts/opentype/inter/")
os.makedirs(TEX, exist_ok=True)
def font(sz, w='Medium'): return ImageFont.truetype(FD + f"Inter-{w}.otf", int(sz))
def hexc(c): c = c.lstrip('#'); return np.array([int(c[i:i+2], 16) for i in (0, 2, 4)], float)

def dunes(name, w, h, sky=('#f7c9a5', '#f08a7b', '#7a4a86'), layers=('#e8776a', '#b84e6d', '#7a3b73', '#472a5e', '#241a43'), seed=3, sun=True):
    """Layered-ridge wallpaper."""
    p = f"{TEX}/{name}.png"; rng = np.random.default_rng(seed); y = np.linspace(0, 1, h)[:, None]; x = np.linspace(0, 1, w)[None]
    c = [hexc(s) for s in sky][::-1]
    t = np.clip(y/.62, 0, 1); k = np.clip(t*2, 0, 1)[..., None]; k2 = np.clip(t*2-1, 0, 1)[..., None]
    img = (c[0]*(1-k)+c[1]*k)*(1-k2) + c[2]*k2; img = np.broadcast_to(img, (h, w, 3)).copy()
    if sun:
        d = np.hypot((x-.68)*w/h, y-.40); img += (np.clip(1-d/.55, 0, 1)**2)[..., None]*np.array([60, 45, 25])
        m = np.clip((.085-d)*h/2.5, 0, 1)[..., None]; img = img*(1-m) + hexc('#fff0d8')*m
    for i, l in enumerate(layers):
        base = .50 + .105*i; r = np.zeros((1, w))
        for o in range(1, 6): r += (.075/(o**1.15))*np.sin(2*np.pi*(x*o*rng.uniform(.5, 1.1) + rng.random()))*(.6+.4*(i % 2))
        edge = base + r*.8; m = np.clip((y-edge)*h/1.6, 0, 1)[..., None]
        depth = np.clip((y-edge)/.35, 0, 1)[..., None]; col = hexc(l)*(1-.28*depth) + 34*np.exp(-depth*14)
        img = img*(1-m) + col*m
    Image.fromarray(np.clip(img, 0, 255).astype('uint8')).save(p); return p

def flow(name, w, h, cols=('#0b1030', '#1f3fd0', '#6a5cff', '#ff7a9c', '#ffd2a6'), seed=1):
    """Soft silk-like gradient wallpaper."""
    p = f"{TEX}/{name}.png"; rng = np.random.default_rng(seed); y, x = np.mgrid[0:h, 0:w]; y = y/h; x = x/w*(w/h)
    f = x*.6 + y*.9
    for o in range(1, 5):
        a = rng.uniform(0, 2*np.pi); f += .22/o*np.sin(2*np.pi*o*.6*(x*math.cos(a)+y*math.sin(a)) + 2.2*f + rng.random()*6)
    s = (np.sin(f*3.1)+1)/2; s = s**1.2; C = np.array([hexc(c) for c in cols]); t = s*(len(cols)-1); i = np.clip(t.astype(int), 0, len(cols)-2); q = (t-i)[..., None]; q = q*q*(3-2*q)
    img = C[i]*(1-q)+C[i+1]*q; g = np.gradient(s); sh = (g[0]-g[1])*h*.06; img *= (1+np.clip(sh, -.25, .25))[..., None]
    Image.fromarray(np.clip(img, 0, 255).astype('uint8')).filter(ImageFilter.GaussianBlur(1)).save(p); return p

def desktop(name, wall, w=2400, h=1550, dark=True):
    p = f"{TEX}/{name}.png"; im = Image.open(wall).convert('RGB').resize((w, h)); ov = Image.new('RGBA', (w, h), (0, 0, 0, 0)); d = ImageDraw.Draw(ov)
    d.rectangle((0, 0, w, 44), fill=(20, 16, 30, 70)); f = font(23, 'SemiBold'); g = font(23, 'Medium')
    d.ellipse((30, 14, 46, 30), fill=(255, 255, 255, 230)); xx = 74
    for i, s in enumerate(("Studio", "File", "Edit", "View", "Window", "Help")):
        d.text((xx, 9), s, font=f if i == 0 else g, fill=(255, 255, 255, 235)); xx += d.textlength(s, font=f)+34
    d.text((w-250, 9), "Tue 14 May   9:41", font=g, fill=(255, 255, 255, 235))
    n = 9; s = 92; gap = 22; W = n*s+(n+1)*gap; x0 = (w-W)//2; y0 = h-s-2*gap-22
    d.rounded_rectangle((x0, y0, x0+W, y0+s+2*gap), 40, fill=(255, 255, 255, 78))
    cols = ['#ff6b5e', '#ffb347', '#f7d154', '#5ac98b', '#45b7d8', '#4a7dff', '#8b6cff', '#e86fb3', '#e9e9ef']
    for i, c in enumerate(cols):
        x = x0+gap+i*(s+gap); cc = hexc(c)
        for k in range(s):
            q = cc*(1.12-.3*k/s); 
        tile = np.zeros((s, s, 4), 'uint8'); gr = np.linspace(1.12, .84, s)[:, None]; tile[..., :3] = np.clip(gr[..., None]*cc, 0, 255); 
        mk = Image.new('L', (s*4, s*4), 0); ImageDraw.Draw(mk).rounded_rectangle((0, 0, s*4-1, s*4-1), 88, fill=255); tile[..., 3] = np.array(mk.resize((s, s)))
        t = Image.fromarray(tile); q = ImageDraw.Draw(t); m = s/2; wh = (255, 255, 255, 235) if i < 8 else (70, 70, 80, 255)
        if i % 3 == 0: q.ellipse((m-20, m-20, m+20, m+20), outline=wh, width=7)
        elif i % 3 == 1: q.rounded_rectangle((m-22, m-16, m+22, m+16), 8, outline=wh, width=7)
        else: q.polygon([(m-14, m-20), (m+22, m), (m-14, m+20)], fill=wh)
        ov.alpha_composite(t, (x, y0+gap))
    im = Image.alpha_composite(im.convert('RGBA'), ov).convert('RGB'); im.save(p); return p

def keyboard_legends(name, keys, W, H, ppc=110, color=(235, 235, 238, 235)):
    """keys: (x, y, w, h, label) in cm, origin at centre, y up."""
    p = f"{TEX}/{name}.png"; im = Image.new('RGBA', (int(W*ppc), int(H*ppc)), (color[0], color[1], color[2], 0)); d = ImageDraw.Draw(im)
    for x, y, w, h, s in keys:
        if not s: continue
        px, py = (x+W/2)*ppc, (H/2-y)*ppc; f = font(ppc*(.46 if len(s) == 1 else .24), 'Regular' if len(s) == 1 else 'Medium')
        if len(s) > 1 and w > 2.0:
            left = x < 0; d.text((px-w*ppc*.42 if left else px+w*ppc*.42, py+h*ppc*.36), s, font=f, fill=color, anchor='ls' if left else 'rs')
        else: d.text((px, py), s, font=f, fill=color, anchor='mm')
    im.save(p); return p

def dial_track(name, px=1600, col=(235, 235, 230, 255), brand="Caldreth", sub="AUTOMATIC", rim=.955, numerals=False):
    p = f"{TEX}/{name}.png"; im = Image.new('RGBA', (px, px), (*col[:3], 0)); d = ImageDraw.Draw(im); c = px/2
    for i in range(240):
        a = i*2*math.pi/240; r1 = c*rim; big = i % 4 == 0; r0 = r1 - c*(.045 if big else .025); w = 5 if big else 2
        d.line([c+r0*math.sin(a), c-r0*math.cos(a), c+r1*math.sin(a), c-r1*math.cos(a)], fill=col, width=w)
    if brand: d.text((c, c*.60), brand, font=font(px*.042, 'SemiBold'), fill=col, anchor='mm')
    if sub: d.text((c, c*1.42), sub, font=font(px*.021, 'Medium'), fill=col, anchor='mm')
    im.save(p); return p

def dots(name, w, h, pitch, r, ppc=160, col=(18, 18, 20)):
    p = f"{TEX}/{name}.png"; W, H = int(w*ppc), int(h*ppc); im = Image.new('L', (W*2, H*2), 0); d = ImageDraw.Draw(im); row = 0; y = pitch/2
    while y < h:
        x = pitch/2 + (pitch/2 if row % 2 else 0)
        while x < w: d.ellipse([(x-r)*ppc*2, (y-r)*ppc*2, (x+r)*ppc*2, (y+r)*ppc*2], fill=255); x += pitch
        y += pitch*.866; row += 1
    a = im.resize((W, H), Image.LANCZOS); o = Image.new('RGBA', (W, H), (*col, 255)); o.putalpha(a); o.save(p); return p
