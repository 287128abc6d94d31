//! The picture store on S3: objects at `endpoint/bucket/name`, requested by URLs that rusty-s3 signs.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use md5::{Digest, Md5};
use platform::http_client::{HttpClient, HttpClientError};
use platform::{Clock, Error, Result};
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};

use crate::MAX_PICTURE_BYTES;

const TIMEOUT: Duration = Duration::from_secs(20);
/// Also the difference that the store's clock may have from ours.
const SIGNATURE_LIFETIME: Duration = Duration::from_secs(15 * 60);

#[derive(Clone)]
pub struct S3 {
    client: HttpClient,
    clock: Clock,
    bucket: Bucket,
    credentials: Credentials,
}

impl S3 {
    /// None where the endpoint is not the URL of a server.
    pub fn new(
        clock: Clock,
        endpoint: &str,
        bucket: &str,
        region: &str,
        key: &str,
        secret: &str,
    ) -> Option<Self> {
        // The bucket is added to the endpoint's last folder, which a slash must end.
        let endpoint = format!("{}/", endpoint.trim_end_matches('/')).parse().ok()?;
        let (bucket, region) = (bucket.to_owned(), region.to_owned());
        let bucket = Bucket::new(endpoint, UrlStyle::Path, bucket, region).ok()?;
        let client = HttpClient::new().with_timeout(TIMEOUT);
        Some(Self { client, clock, bucket, credentials: Credentials::new(key, secret) })
    }

    pub fn location(&self) -> String {
        self.bucket.base_url().as_str().trim_end_matches('/').to_owned()
    }

    pub async fn get(&self, name: &str) -> Result<Option<Bytes>> {
        let url = self.sign(&self.bucket.get_object(Some(&self.credentials), name));
        match self.client.get_bytes(&url, MAX_PICTURE_BYTES).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(HttpClientError::Refused { status: StatusCode::NOT_FOUND, .. }) => Ok(None),
            Err(why) => Err(Error::from(why)),
        }
    }

    pub async fn put(&self, name: &str, content_type: &'static str, bytes: Bytes) -> Result<()> {
        // rusty-s3 does not sign the body, but headers: the store compares this one with the body.
        let content_md5 = BASE64_STANDARD.encode(Md5::digest(&bytes));
        let mut put = self.bucket.put_object(Some(&self.credentials), name);
        put.headers_mut().insert("content-md5", content_md5.as_str());
        put.headers_mut().insert("content-type", content_type);
        let headers = [("content-md5", content_md5.as_str()), ("content-type", content_type)];
        Ok(self.client.put_bytes(&self.sign(&put), &headers, bytes).await?)
    }

    pub async fn delete(&self, name: &str) -> Result<()> {
        let url = self.sign(&self.bucket.delete_object(Some(&self.credentials), name));
        match self.client.delete(&url).await {
            Err(HttpClientError::Refused { status: StatusCode::NOT_FOUND, .. }) => Ok(()),
            deleted => Ok(deleted?),
        }
    }

    fn sign<'a>(&self, action: &impl S3Action<'a>) -> String {
        let now = jiff::Timestamp::from_millisecond(self.clock.now().0).unwrap_or_default();
        action.sign_with_time(SIGNATURE_LIFETIME, &now).into()
    }
}
