//! The settings of the picture store.

use std::path::Path;

use platform::Clock;

use crate::PictureStore;
use crate::store::{Disk, S3};

#[derive(Clone, Debug, Default, clap::Args)]
#[group(id = "media")]
pub struct MediaSettings {
    /// An S3-compatible store for pictures, instead of the data directory: https://s3.example
    #[arg(long, env = "HAAT_MEDIA_S3_ENDPOINT", value_name = "URL", help_heading = "Pictures")]
    pub media_s3_endpoint: Option<String>,
    /// The name of the bucket
    #[arg(long, env = "HAAT_MEDIA_S3_BUCKET", value_name = "NAME", help_heading = "Pictures")]
    pub media_s3_bucket: Option<String>,
    /// The region of the bucket
    #[arg(
        long,
        env = "HAAT_MEDIA_S3_REGION",
        value_name = "NAME",
        default_value = "us-east-1",
        help_heading = "Pictures"
    )]
    pub media_s3_region: String,
    /// The id of the access key
    #[arg(long, env = "HAAT_MEDIA_S3_KEY", value_name = "ID", help_heading = "Pictures")]
    pub media_s3_key: Option<String>,
    /// The secret of the access key
    #[arg(
        long,
        env = "HAAT_MEDIA_S3_SECRET",
        value_name = "TEXT",
        hide_env_values = true,
        help_heading = "Pictures"
    )]
    pub media_s3_secret: Option<String>,
}

impl MediaSettings {
    pub fn store(&self, data_dir: &Path, clock: &Clock) -> Result<PictureStore, String> {
        let Some(endpoint) = &self.media_s3_endpoint else {
            return Ok(Disk::new(data_dir.join("media")).into());
        };
        let wanted = |name: &str, value: &Option<String>| {
            value.clone().ok_or_else(|| format!("{name} is missing: media_s3_endpoint requires it"))
        };
        let s3 = S3::new(
            clock.clone(),
            endpoint,
            &wanted("media_s3_bucket", &self.media_s3_bucket)?,
            &self.media_s3_region,
            &wanted("media_s3_key", &self.media_s3_key)?,
            &wanted("media_s3_secret", &self.media_s3_secret)?,
        );
        let s3 = s3.ok_or("media_s3_endpoint: a URL like https://s3.example is required")?;
        Ok(s3.into())
    }
}
