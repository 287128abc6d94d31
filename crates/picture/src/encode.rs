//! Writing pictures: the three kinds that are served, the master, and the placeholder. Nothing but
//! pixels is written, so nothing else that came with a file can leave again.

use av1::{Plane, Planes};
use avif_serialize::Aviffy;
use avif_serialize::constants::MatrixCoefficients as Matrix;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jpeg_encoder::{ColorType, SamplingFactor};
use webp::WebPConfig;

use crate::pixels::Pixels;
use crate::{Kind, PLACEHOLDER_BYTES};

const JPEG_QUALITY: u8 = 80;
const WEBP_QUALITY: f32 = 78.0;
/// High enough that what is made from it cannot be told from what would be made from the original.
const MASTER_QUALITY: f32 = 95.0;
/// Of 255, small is good: as good as WebP's, in a fifth fewer bytes.
const AVIF_QUANTIZER: usize = 110;
const ALPHA_QUANTIZER: usize = 60;

pub fn encode(pixels: &Pixels, kind: Kind) -> Result<Vec<u8>, String> {
    match kind {
        Kind::Avif => avif(pixels),
        Kind::Webp => webp(pixels, WEBP_QUALITY),
        Kind::Jpeg => jpeg(pixels),
    }
}

/// What is kept of a picture that was taken in.
pub fn master(pixels: &Pixels) -> Result<Vec<u8>, String> {
    webp(pixels, MASTER_QUALITY)
}

/// A picture of a few pixels to be shown blurred, as an address that holds it whole.
pub fn placeholder(pixels: &Pixels) -> Result<String, String> {
    let mut smallest = String::new();
    for (side, quality) in [(16, 40.0), (12, 30.0), (8, 20.0), (4, 0.0)] {
        let longest = pixels.width.max(pixels.height);
        let scaled = |length: u32| (length * side / longest).clamp(1, side);
        let tiny = pixels.resized(scaled(pixels.width), scaled(pixels.height))?;
        smallest = format!("data:image/webp;base64,{}", STANDARD.encode(webp(&tiny, quality)?));
        if smallest.len() <= PLACEHOLDER_BYTES {
            break;
        }
    }
    Ok(smallest)
}

fn webp(pixels: &Pixels, quality: f32) -> Result<Vec<u8>, String> {
    let mut config = WebPConfig::new().map_err(|()| "libwebp is not what it should be")?;
    config.quality = quality;
    let Pixels { width, height, alpha, bytes } = pixels;
    let encoder = match alpha {
        true => webp::Encoder::from_rgba(bytes, *width, *height),
        false => webp::Encoder::from_rgb(bytes, *width, *height),
    };
    let encoded = encoder.encode_advanced(&config).map_err(|why| format!("WebP: {why:?}"))?;
    Ok(encoded.to_vec())
}

/// Progressive, so that a slow line shows the whole at once.
fn jpeg(pixels: &Pixels) -> Result<Vec<u8>, String> {
    let Pixels { width, height, bytes, .. } = pixels.on_white();
    let side = |length: u32| u16::try_from(length).map_err(|why| why.to_string());
    let mut encoded = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut encoded, JPEG_QUALITY);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    encoder.set_sampling_factor(SamplingFactor::R_4_2_0);
    encoder
        .encode(&bytes, side(width)?, side(height)?, ColorType::Rgb)
        .map_err(|why| format!("JPEG: {why}"))?;
    Ok(encoded)
}

fn avif(pixels: &Pixels) -> Result<Vec<u8>, String> {
    let (width, height) = (pixels.width as usize, pixels.height as usize);
    let [y, u, v] = planes(pixels);
    let half = width.div_ceil(2);
    let plane = |bytes, stride| Plane { bytes, stride };
    let colour = Planes::Colour([plane(&y, width), plane(&u, half), plane(&v, half)]);
    let frame = |planes: &Planes, quantizer| {
        av1::still(width, height, planes, quantizer).map_err(|why| format!("AVIF: {why}"))
    };
    let colour = frame(&colour, AVIF_QUANTIZER)?;
    let alpha = match pixels.alpha {
        true => {
            let alpha: Vec<u8> = pixels.bytes.iter().skip(3).step_by(4).copied().collect();
            Some(frame(&Planes::One(plane(&alpha, width)), ALPHA_QUANTIZER)?)
        }
        false => None,
    };
    Ok(Aviffy::new()
        .set_matrix_coefficients(Matrix::Bt601)
        .set_full_color_range(true)
        .set_chroma_subsampling((true, true))
        .to_vec(&colour, alpha.as_deref(), pixels.width, pixels.height, 8))
}

/// Brightness for each pixel, colour for each four, by BT.601 in full range as JPEG has it.
fn planes(pixels: &Pixels) -> [Vec<u8>; 3] {
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
            // At an odd edge the last pixel counts twice.
            let (right, below) = ((2 * x + 1).min(width - 1), (2 * y + 1).min(height - 1));
            let four = [at(2 * x, 2 * y), at(right, 2 * y), at(2 * x, below), at(right, below)];
            let [r, g, b] = [0, 1, 2].map(|c| four.iter().map(|pixel| pixel[c]).sum::<i32>());
            u.push(byte((-11059 * r - 21709 * g + 32768 * b) / 4 + (128 << 16)));
            v.push(byte((32768 * r - 27439 * g - 5329 * b) / 4 + (128 << 16)));
        }
    }
    [y, u, v]
}
