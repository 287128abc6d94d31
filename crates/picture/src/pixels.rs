//! A bitmap in memory, with resizing, cropping and rotation: eight bits a channel in sRGB, with or without
//! alpha.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use resize::Pixel::{RGB8, RGBA8P};
use resize::Type::Lanczos3;
use rgb::FromSlice;

use crate::input::{InputFormat, InvalidPicture};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    /// Whether there is a fourth channel.
    pub alpha: bool,
    pub bytes: Vec<u8>,
}

impl Pixels {
    pub fn channels(&self) -> usize {
        if self.alpha { 4 } else { 3 }
    }

    /// For what a decoder returned: later code indexes pixels by the dimensions in the header.
    pub fn check_length(self, format: InputFormat) -> Result<Self, InvalidPicture> {
        let wanted = self.width as usize * self.height as usize * self.channels();
        if self.bytes.len() == wanted { Ok(self) } else { Err(format.broken("pixels are missing")) }
    }

    /// Converts from this colour profile. Colours outside sRGB are clipped.
    pub fn into_srgb(mut self, profile: &ColorProfile) -> Self {
        let layout = if self.alpha { Layout::Rgba } else { Layout::Rgb };
        if profile.color_space != DataColorSpace::Rgb {
            return self;
        }
        let srgb = ColorProfile::new_srgb();
        let options = TransformOptions::default();
        let Ok(transform) = profile.create_transform_8bit(layout, &srgb, layout, options) else {
            return self;
        };
        let row = self.width as usize * self.channels();
        let mut converted = vec![0; row];
        for line in self.bytes.chunks_exact_mut(row) {
            if transform.transform(line, &mut converted).is_ok() {
                line.copy_from_slice(&converted);
            }
        }
        self
    }

    /// Drops the alpha channel where all pixels are opaque.
    pub fn without_unused_alpha(self) -> Self {
        if !self.alpha || self.bytes.chunks_exact(4).any(|pixel| pixel[3] != 255) {
            return self;
        }
        let bytes = self.bytes.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        Self { alpha: false, bytes: bytes.collect(), ..self }
    }

    /// For formats without transparency.
    pub fn on_white(&self) -> Self {
        if !self.alpha {
            return self.clone();
        }
        let over = |colour: u8, alpha: u8| {
            let (colour, alpha) = (u32::from(colour), u32::from(alpha));
            ((colour * alpha + 255 * (255 - alpha) + 127) / 255) as u8
        };
        let bytes = self.bytes.chunks_exact(4).flat_map(|p| [0, 1, 2].map(|at| over(p[at], p[3])));
        Self { width: self.width, height: self.height, alpha: false, bytes: bytes.collect() }
    }

    /// Applies the EXIF orientation (1 to 8).
    pub fn upright(self, orientation: u16) -> Self {
        let (width, height) = (self.width as usize, self.height as usize);
        // Maps a pixel of the upright picture to this one.
        let from = |x: usize, y: usize| match orientation {
            2 => (width - 1 - x, y),
            3 => (width - 1 - x, height - 1 - y),
            4 => (x, height - 1 - y),
            5 => (y, x),
            6 => (y, height - 1 - x),
            7 => (width - 1 - y, height - 1 - x),
            8 => (width - 1 - y, x),
            _ => (x, y),
        };
        if !(2..=8).contains(&orientation) {
            return self;
        }
        let (new_width, new_height) =
            if orientation >= 5 { (height, width) } else { (width, height) };
        let channels = self.channels();
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for y in 0..new_height {
            for x in 0..new_width {
                let (x, y) = from(x, y);
                let at = (y * width + x) * channels;
                bytes.extend_from_slice(&self.bytes[at..at + channels]);
            }
        }
        Self { width: new_width as u32, height: new_height as u32, alpha: self.alpha, bytes }
    }

    /// Keeps the middle.
    pub fn cropped_to_square(self) -> Self {
        let (width, height) = (self.width as usize, self.height as usize);
        let (side, channels) = (width.min(height), self.channels());
        if width == height {
            return self;
        }
        let (left, top) = ((width - side) / 2, (height - side) / 2);
        let mut bytes = Vec::with_capacity(side * side * channels);
        for y in top..top + side {
            let start = (y * width + left) * channels;
            bytes.extend_from_slice(&self.bytes[start..start + side * channels]);
        }
        Self { width: side as u32, height: side as u32, alpha: self.alpha, bytes }
    }

    /// In proportion; never enlarges.
    pub fn resized_to_width(&self, width: u32) -> Result<Self, String> {
        if width >= self.width {
            return Ok(self.clone());
        }
        let height = (u64::from(self.height) * u64::from(width) + u64::from(self.width) / 2)
            / u64::from(self.width);
        self.resized(width, u32::try_from(height).unwrap_or(u32::MAX).max(1))
    }

    /// Lanczos, which keeps fine details; alpha is premultiplied meanwhile.
    pub fn resized(&self, width: u32, height: u32) -> Result<Self, String> {
        let (from, to) =
            ((self.width as usize, self.height as usize), (width as usize, height as usize));
        let mut bytes = vec![0; to.0 * to.1 * self.channels()];
        let done = match self.alpha {
            true => resize::new(from.0, from.1, to.0, to.1, RGBA8P, Lanczos3)
                .and_then(|mut to| to.resize(self.bytes.as_rgba(), bytes.as_rgba_mut())),
            false => resize::new(from.0, from.1, to.0, to.1, RGB8, Lanczos3)
                .and_then(|mut to| to.resize(self.bytes.as_rgb(), bytes.as_rgb_mut())),
        };
        done.map_err(|why| why.to_string())?;
        Ok(Self { width, height, alpha: self.alpha, bytes })
    }

    /// As `#rrggbb`.
    pub fn dominant_colour(&self) -> Result<String, String> {
        let small = self.on_white().resized(self.width.min(48), self.height.min(48))?;
        // Colours with the same upper three bits are one bucket; the result is the mean of the largest.
        let mut buckets = vec![([0u32; 3], 0u32); 512];
        for pixel in small.bytes.chunks_exact(3) {
            let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(usize::from);
            let (sums, count) = &mut buckets[(r >> 5) << 6 | (g >> 5) << 3 | b >> 5];
            for (sum, value) in sums.iter_mut().zip([r, g, b]) {
                *sum += value as u32;
            }
            *count += 1;
        }
        let most = buckets.iter().max_by_key(|(_, count)| *count);
        let (sums, count) = most.copied().unwrap_or(([0; 3], 1));
        let [r, g, b] = sums.map(|sum| sum / count.max(1));
        Ok(format!("#{r:02x}{g:02x}{b:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(width: u32, height: u32) -> Pixels {
        let bytes = (0..width * height).flat_map(|at| [at as u8, 0, 0]).collect();
        Pixels { width, height, alpha: false, bytes }
    }

    #[test]
    fn every_exif_orientation_is_applied() {
        // 0 1 2
        // 3 4 5
        let reds = |orientation| -> Vec<u8> {
            pixels(3, 2).upright(orientation).bytes.chunks(3).map(|pixel| pixel[0]).collect()
        };
        assert_eq!(reds(1), [0, 1, 2, 3, 4, 5]);
        assert_eq!(reds(2), [2, 1, 0, 5, 4, 3]);
        assert_eq!(reds(3), [5, 4, 3, 2, 1, 0]);
        assert_eq!(reds(4), [3, 4, 5, 0, 1, 2]);
        assert_eq!(reds(5), [0, 3, 1, 4, 2, 5]);
        assert_eq!(reds(6), [3, 0, 4, 1, 5, 2]);
        assert_eq!(reds(7), [5, 2, 4, 1, 3, 0]);
        assert_eq!(reds(8), [2, 5, 1, 4, 0, 3]);
        assert_eq!(reds(0), reds(1));
        assert_eq!(pixels(3, 2).upright(6).width, 2);
    }

    #[test]
    fn resizing_keeps_the_proportions_and_never_enlarges() {
        let small = pixels(300, 200).resized_to_width(150).unwrap();
        assert_eq!((small.width, small.height), (150, 100));
        assert_eq!(pixels(300, 200).resized_to_width(301).unwrap().width, 300);
        assert_eq!(pixels(200, 1).resized_to_width(10).unwrap().height, 1);
    }

    #[test]
    fn cropping_keeps_the_middle() {
        let reds = |pixels: Pixels| -> Vec<u8> {
            pixels.cropped_to_square().bytes.chunks(3).map(|pixel| pixel[0]).collect()
        };
        // 0 1 2 3
        // 4 5 6 7
        assert_eq!(reds(pixels(4, 2)), [1, 2, 5, 6]);
        assert_eq!(reds(pixels(1, 4)), [1]);
        assert_eq!(reds(pixels(2, 2)), [0, 1, 2, 3]);
    }

    #[test]
    fn the_dominant_colour_is_the_most_frequent() {
        let mut bytes = [200, 180, 160].repeat(90);
        bytes.extend([10, 10, 10].repeat(10));
        let colour =
            Pixels { width: 10, height: 10, alpha: false, bytes }.dominant_colour().unwrap();
        assert_eq!(colour, "#c8b4a0");
    }

    #[test]
    fn transparent_pixels_become_white() {
        let clear = Pixels { width: 1, height: 1, alpha: true, bytes: vec![0, 0, 0, 0] };
        assert_eq!(clear.on_white().bytes, [255, 255, 255]);
        let opaque = Pixels { width: 1, height: 1, alpha: true, bytes: vec![1, 2, 3, 255] };
        assert_eq!(opaque.without_unused_alpha().bytes, [1, 2, 3]);
    }
}
