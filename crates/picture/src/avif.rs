//! The AVIF decoder and encoder: the container, the AV1 frames in it, and the conversion from YUV. Rotation
//! and mirroring, which the container describes and the AV1 decoder ignores, are applied here.

use avif_parse::AvifData;
use avif_serialize::Aviffy;
use avif_serialize::constants::MatrixCoefficients;
use moxcms::ColorProfile;
use re_rav1d::dav1d::{Decoder, Picture, PixelLayout, PlanarImageComponent, Settings, pixel};

use crate::av1;
use crate::input::{InputFormat, InvalidPicture, SizeLimit};
use crate::pixels::Pixels;

/// Of 255; lower is better quality. The same quality as our WebP, in a fifth fewer bytes.
const QUANTIZER: usize = 110;
const ALPHA_QUANTIZER: usize = 60;

pub fn decode(bytes: &[u8], limit: SizeLimit) -> Result<Pixels, InvalidPicture> {
    let broken = |why: avif_parse::Error| InputFormat::Avif.broken(why);
    let file = AvifData::from_reader(&mut &*bytes).map_err(broken)?;
    let header = file.primary_item_metadata().map_err(broken)?;
    limit.check(header.max_frame_width.get(), header.max_frame_height.get())?;
    let colour = frame(&file.primary_item, limit)?;
    let (width, height) = (colour.width(), colour.height());
    limit.check(width, height)?;
    let samples = Samples::of(&colour)?;
    let alpha = file.alpha_item.as_ref().map(|item| frame(item, limit)).transpose()?;
    if alpha.as_ref().is_some_and(|alpha| (alpha.width(), alpha.height()) != (width, height)) {
        return Err(InputFormat::Avif.broken("its transparency is of another size"));
    }
    let opacity = alpha.as_ref().map(Samples::of).transpose()?;
    let mut pixels = Pixels { width, height, alpha: opacity.is_some(), bytes: Vec::new() };
    pixels.bytes.reserve(width as usize * height as usize * pixels.channels());
    for y in 0..height as usize {
        for x in 0..width as usize {
            let rgb = samples.rgb(x, y);
            let opaque = opacity.as_ref().map(|samples| samples.luma(x, y).clamp(0.0, 1.0));
            let whole = opaque.filter(|opaque| file.premultiplied_alpha && *opaque > 0.0);
            let byte = |value: f32| (value / whole.unwrap_or(1.0) * 255.0).round() as u8;
            pixels.bytes.extend(rgb.map(byte));
            pixels.bytes.extend(opaque.map(|opaque| (opaque * 255.0).round() as u8));
        }
    }
    let pixels = pixels.check_length(InputFormat::Avif)?;
    let pixels = match colour.color_primaries() {
        pixel::ColorPrimaries::P3Display | pixel::ColorPrimaries::P3DCI => {
            pixels.into_srgb(&ColorProfile::new_display_p3())
        }
        pixel::ColorPrimaries::BT2020 => pixels.into_srgb(&ColorProfile::new_bt2020()),
        _ => pixels,
    };
    let (rotation, mirrored) = (property(bytes, b"irot"), property(bytes, b"imir"));
    let upright = pixels.upright([1, 8, 3, 6][usize::from(rotation.unwrap_or(0) & 3)]);
    Ok(upright.upright(mirrored.map_or(1, |axis| if axis & 1 == 0 { 4 } else { 2 })))
}

/// The byte in a property box of the container, which is near the start of the file.
fn property(bytes: &[u8], name: &[u8; 4]) -> Option<u8> {
    let box_of = [&[0, 0, 0, 9], name.as_slice()].concat();
    let start = &bytes[..bytes.len().min(4096)];
    let at = start.windows(8).position(|eight| eight == box_of)?;
    bytes.get(at + 8).copied()
}

fn frame(item: &[u8], limit: SizeLimit) -> Result<Picture, InvalidPicture> {
    let mut settings = Settings::new();
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_frame_size_limit(u32::try_from(limit.pixels).unwrap_or(u32::MAX));
    let wrong = |why| InputFormat::Avif.broken(why);
    let mut decoder = Decoder::with_settings(&settings).map_err(wrong)?;
    match decoder.send_data(item.to_vec(), None, None, None) {
        Err(why) if !why.is_again() => Err(wrong(why)),
        _ => decoder.get_picture().map_err(wrong),
    }
}

/// The planes of a decoded frame, with values from 0 to 1.
struct Samples {
    /// Bytes, and the length of their rows.
    planes: Vec<(re_rav1d::dav1d::Plane, usize)>,
    deep: bool,
    highest: f32,
    layout: PixelLayout,
    full: bool,
    matrix: Matrix,
}

enum Matrix {
    /// The weights of red and blue in luma.
    Weights(f32, f32),
    Identity,
}

impl Samples {
    fn of(picture: &Picture) -> Result<Self, InvalidPicture> {
        use pixel::{MatrixCoefficients as M, TransferCharacteristic as T};
        if let T::PerceptualQuantizer | T::HybridLogGamma = picture.transfer_characteristic() {
            return Err(InvalidPicture(
                "is an HDR AVIF; one in sRGB or Display P3 is required".into(),
            ));
        }
        let matrix = match picture.matrix_coefficients() {
            M::Identity => Matrix::Identity,
            M::BT709 => Matrix::Weights(0.2126, 0.0722),
            M::BT2020NonConstantLuminance => Matrix::Weights(0.2627, 0.0593),
            _ => Matrix::Weights(0.299, 0.114),
        };
        let layout = picture.pixel_layout();
        let components = match layout {
            PixelLayout::I400 => &[PlanarImageComponent::Y][..],
            _ => &[PlanarImageComponent::Y, PlanarImageComponent::U, PlanarImageComponent::V],
        };
        let plane = |component: &PlanarImageComponent| {
            (picture.plane(*component), picture.stride(*component) as usize)
        };
        let depth = picture.bit_depth();
        Ok(Self {
            planes: components.iter().map(plane).collect(),
            deep: depth > 8,
            highest: ((1u32 << depth) - 1) as f32,
            layout,
            full: picture.color_range() == pixel::YUVRange::Full,
            matrix,
        })
    }

    fn sample(&self, plane: usize, x: usize, y: usize) -> f32 {
        let Some((bytes, stride)) = self.planes.get(plane) else { return 0.0 };
        let value = if self.deep {
            let at = y * stride + 2 * x;
            bytes.get(at..at + 2).map_or(0, |two| u16::from_ne_bytes([two[0], two[1]]))
        } else {
            bytes.get(y * stride + x).copied().map_or(0, u16::from)
        };
        f32::from(value) / self.highest
    }

    fn luma(&self, x: usize, y: usize) -> f32 {
        let luma = self.sample(0, x, y);
        if self.full { luma } else { (luma * 255.0 - 16.0) / 219.0 }
    }

    fn rgb(&self, x: usize, y: usize) -> [f32; 3] {
        let luma = self.luma(x, y);
        if self.planes.len() < 3 {
            return [luma.clamp(0.0, 1.0); 3];
        }
        let (cx, cy) = match self.layout {
            PixelLayout::I420 => (x / 2, y / 2),
            PixelLayout::I422 => (x / 2, y),
            _ => (x, y),
        };
        let (u, v) = (self.sample(1, cx, cy), self.sample(2, cx, cy));
        let rgb = match self.matrix {
            Matrix::Identity => [v, luma, u],
            Matrix::Weights(red, blue) => {
                let span = if self.full { 1.0 } else { 224.0 / 255.0 };
                // Zero chroma is 128 of 255, not a half.
                let neutral = ((self.highest + 1.0) / 2.0) / self.highest;
                let (u, v) = ((u - neutral) / span, (v - neutral) / span);
                let r = luma + 2.0 * (1.0 - red) * v;
                let b = luma + 2.0 * (1.0 - blue) * u;
                [r, (luma - red * r - blue * b) / (1.0 - red - blue), b]
            }
        };
        rgb.map(|value| value.clamp(0.0, 1.0))
    }
}

pub fn encode(pixels: &Pixels) -> Result<Vec<u8>, String> {
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let [y, u, v] = to_planes(pixels);
    let half = width.div_ceil(2);
    let frame = |planes: &[av1::Plane], quantizer| {
        av1::still(width, height, planes, quantizer).map_err(|why| format!("AVIF: {why}"))
    };
    let colour = frame(&[(&y[..], width), (&u[..], half), (&v[..], half)], QUANTIZER)?;
    let alpha = match pixels.alpha {
        true => {
            let alpha: Vec<u8> = pixels.bytes.iter().skip(3).step_by(4).copied().collect();
            Some(frame(&[(&alpha[..], width)], ALPHA_QUANTIZER)?)
        }
        false => None,
    };
    Ok(Aviffy::new()
        .set_matrix_coefficients(MatrixCoefficients::Bt601)
        .set_full_color_range(true)
        .set_chroma_subsampling((true, true))
        .to_vec(&colour, alpha.as_deref(), pixels.width, pixels.height, 8))
}

/// YUV 4:2:0 by BT.601 in full range, as in JPEG.
fn to_planes(pixels: &Pixels) -> [Vec<u8>; 3] {
    let (width, height, channels) =
        (pixels.width as usize, pixels.height as usize, pixels.channels());
    let at = |x: usize, y: usize| {
        let at = (y * width + x) * channels;
        [pixels.bytes[at], pixels.bytes[at + 1], pixels.bytes[at + 2]].map(i32::from)
    };
    let byte = |scaled: i32| ((scaled + (1 << 15)) >> 16).clamp(0, 255) as u8;
    let luma = |[r, g, b]: [i32; 3]| byte(19595 * r + 38470 * g + 7471 * b);
    let y = (0..height).flat_map(|y| (0..width).map(move |x| luma(at(x, y)))).collect();
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut u = Vec::with_capacity(half_width * half_height);
    let mut v = Vec::with_capacity(half_width * half_height);
    for y in 0..half_height {
        for x in 0..half_width {
            // At an odd edge the last pixel is used twice.
            let (right, below) = ((2 * x + 1).min(width - 1), (2 * y + 1).min(height - 1));
            let four = [at(2 * x, 2 * y), at(right, 2 * y), at(2 * x, below), at(right, below)];
            let [r, g, b] = [0, 1, 2].map(|c| four.iter().map(|pixel| pixel[c]).sum::<i32>());
            u.push(byte((-11059 * r - 21709 * g + 32768 * b) / 4 + (128 << 16)));
            v.push(byte((32768 * r - 27439 * g - 5329 * b) / 4 + (128 << 16)));
        }
    }
    [y, u, v]
}
