//! Picture files for tests, valid and hostile, generated here.

use jpeg_encoder::{ColorType, Encoder};

/// A picture whose corners show its rotation: red, green, blue and white.
pub fn photo(width: u32, height: u32) -> Vec<u8> {
    let colour = |x: u32, y: u32| match (4 * x / width, 4 * y / height) {
        (0, 0) => [220, 30, 30],
        (3, 0) => [30, 180, 30],
        (0, 3) => [30, 30, 220],
        (3, 3) => [250, 250, 250],
        _ => [200, 180, 160],
    };
    (0..height).flat_map(|y| (0..width).flat_map(move |x| colour(x, y))).collect()
}

pub fn jpeg(width: u32, height: u32, progressive: bool, exif: Option<&[u8]>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 92);
    encoder.set_progressive(progressive);
    if let Some(exif) = exif {
        encoder.add_exif_metadata(exif).unwrap();
    }
    let pixels = photo(width, height);
    encoder.encode(&pixels, width as u16, height as u16, ColorType::Rgb).unwrap();
    file
}

/// EXIF with an orientation entry.
pub fn exif(orientation: u8) -> Vec<u8> {
    let mut tiff = b"II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    tiff.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    tiff.extend(b"GPS-OF-MY-HOUSE");
    tiff
}

pub fn png(width: u32, height: u32, colour: png::ColorType, pixels: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.add_text_chunk("Comment".into(), "GPS-OF-MY-HOUSE".into()).unwrap();
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    file
}

pub fn png_photo(width: u32, height: u32) -> Vec<u8> {
    png(width, height, png::ColorType::Rgb, &photo(width, height))
}

pub fn webp(width: u32, height: u32) -> Vec<u8> {
    webp::Encoder::from_rgb(&photo(width, height), width, height).encode(90.0).to_vec()
}

/// Encoded by the shop's own encoder. Empty in a build without AVIF.
pub fn avif(width: u32, height: u32) -> Vec<u8> {
    if !media::AVIF {
        return Vec::new();
    }
    let master = media::import_picture(&png_photo(width, height)).unwrap().1;
    picture::Master::open(&master).unwrap().encode(width, media::OutputFormat::Avif).unwrap()
}

/// A WebP's width, height and RGB pixels.
pub fn read_webp(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut decoder = image_webp::WebPDecoder::new(std::io::Cursor::new(file)).unwrap();
    let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.read_image(&mut pixels).unwrap();
    if decoder.has_alpha() {
        pixels = pixels.chunks(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
    }
    let (width, height) = decoder.dimensions();
    (width, height, pixels)
}

/// Any picture's pixels, decoded by the shop.
pub fn read(file: &[u8]) -> (u32, u32, Vec<u8>) {
    read_webp(&media::import_picture(file).unwrap().1)
}

/// The mean difference per channel, 0 to 255.
pub fn mean_difference(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    let sum: u64 = one.iter().zip(other).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.len() as f64
}

/// The colour near a corner.
pub fn corner((width, height, pixels): &(u32, u32, Vec<u8>), right: bool, bottom: bool) -> [u8; 3] {
    let x = if right { width - width / 8 } else { width / 8 };
    let y = if bottom { height - height / 8 } else { height / 8 };
    let at = ((y * width + x) * 3) as usize;
    [pixels[at], pixels[at + 1], pixels[at + 2]]
}

pub fn near(one: [u8; 3], other: [u8; 3]) -> bool {
    one.iter().zip(other).all(|(a, b)| a.abs_diff(b) < 24)
}

pub fn contains(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|part| part == text.as_bytes())
}
