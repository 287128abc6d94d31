//! Encoders for the formats that are served, the master and the placeholder. They write pixels only, so no
//! metadata of the original file, such as a location, is published.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jpeg_encoder::{ColorType, SamplingFactor};
use webp::WebPConfig;

use crate::pixels::Pixels;
use crate::{OutputFormat, PLACEHOLDER_BYTES};

const JPEG_QUALITY: u8 = 80;
const WEBP_QUALITY: f32 = 78.0;
/// High enough that sizes encoded from the master look like those from the original.
const MASTER_QUALITY: f32 = 95.0;

pub fn encode(pixels: &Pixels, format: OutputFormat) -> Result<Vec<u8>, String> {
    match format {
        #[cfg(feature = "avif")]
        OutputFormat::Avif => crate::avif::encode(pixels),
        #[cfg(not(feature = "avif"))]
        OutputFormat::Avif => Err("this build does not write AVIF".into()),
        OutputFormat::Webp => webp(pixels, WEBP_QUALITY),
        OutputFormat::Jpeg => jpeg(pixels),
    }
}

pub fn master(pixels: &Pixels) -> Result<Vec<u8>, String> {
    webp(pixels, MASTER_QUALITY)
}

/// A version of a few pixels, as a `data:` URL.
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
    let mut config = WebPConfig::new().map_err(|()| "libwebp has another version")?;
    config.quality = quality;
    let Pixels { width, height, alpha, bytes } = pixels;
    let encoder = match alpha {
        true => webp::Encoder::from_rgba(bytes, *width, *height),
        false => webp::Encoder::from_rgb(bytes, *width, *height),
    };
    let encoded = encoder.encode_advanced(&config).map_err(|why| format!("WebP: {why:?}"))?;
    Ok(encoded.to_vec())
}

/// Progressive, for slow connections.
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
