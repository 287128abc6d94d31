//! The picture store on S3: objects at `endpoint/bucket/name`, with requests signed by AWS Signature
//! Version 4, implemented here.

use std::time::Duration;

use aws_lc_rs::{digest, hmac};
use axum::body::Bytes;
use axum::http::StatusCode;
use platform::http_client::{HttpClient, HttpClientError};
use platform::{Clock, Error, Result};

use crate::MAX_PICTURE_BYTES;

const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Clone)]
pub struct S3 {
    client: HttpClient,
    clock: Clock,
    /// `https://host` without a trailing slash.
    endpoint: String,
    bucket: String,
    region: String,
    key: String,
    secret: String,
}

impl S3 {
    pub fn new(
        clock: Clock,
        endpoint: &str,
        bucket: &str,
        region: &str,
        key: &str,
        secret: &str,
    ) -> Self {
        Self {
            client: HttpClient::new().with_timeout(TIMEOUT),
            clock,
            endpoint: endpoint.trim_end_matches('/').to_owned(),
            bucket: bucket.to_owned(),
            region: region.to_owned(),
            key: key.to_owned(),
            secret: secret.to_owned(),
        }
    }

    pub fn location(&self) -> String {
        format!("{}/{}", self.endpoint, self.bucket)
    }

    pub async fn get(&self, name: &str) -> Result<Option<Bytes>> {
        let (url, headers) = self.signed("GET", name, b"");
        match self.client.get_bytes(&url, &headers, MAX_PICTURE_BYTES).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(HttpClientError::Refused { status: StatusCode::NOT_FOUND, .. }) => Ok(None),
            Err(why) => Err(Error::from(why)),
        }
    }

    pub async fn put(&self, name: &str, content_type: &'static str, bytes: Bytes) -> Result<()> {
        let (url, mut headers) = self.signed("PUT", name, &bytes);
        headers.push(("content-type", content_type.to_owned()));
        Ok(self.client.put_bytes(&url, &headers, bytes).await?)
    }

    pub async fn delete(&self, name: &str) -> Result<()> {
        let (url, headers) = self.signed("DELETE", name, b"");
        match self.client.delete(&url, &headers).await {
            Err(HttpClientError::Refused { status: StatusCode::NOT_FOUND, .. }) => Ok(()),
            deleted => Ok(deleted?),
        }
    }

    /// The URL and the headers of a signed request. Names need no escaping: they consist of letters,
    /// digits, `/` and `.`.
    fn signed(
        &self,
        method: &str,
        name: &str,
        body: &[u8],
    ) -> (String, Vec<(&'static str, String)>) {
        let Self { endpoint, bucket, region, key, secret, .. } = self;
        let time = compact_time(&self.clock.now().to_string());
        let day = &time[..time.len().min(8)];
        let host = endpoint.split_once("://").map_or(endpoint.as_str(), |(_, host)| host);
        let (host, path) = match host.split_once('/') {
            Some((host, folder)) => (host, format!("/{folder}/{bucket}/{name}")),
            None => (host, format!("/{bucket}/{name}")),
        };
        let content = hex(digest::digest(&digest::SHA256, body).as_ref());
        let signed = "host;x-amz-content-sha256;x-amz-date";
        let request = format!(
            "{method}\n{path}\n\nhost:{host}\nx-amz-content-sha256:{content}\n\
             x-amz-date:{time}\n\n{signed}\n{content}"
        );
        let scope = format!("{day}/{region}/s3/aws4_request");
        let request = hex(digest::digest(&digest::SHA256, request.as_bytes()).as_ref());
        let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{request}");
        let mut signing = format!("AWS4{secret}").into_bytes();
        for part in [day, region, "s3", "aws4_request", &text] {
            let key = hmac::Key::new(hmac::HMAC_SHA256, &signing);
            signing = hmac::sign(&key, part.as_bytes()).as_ref().to_vec();
        }
        let authorization = format!(
            "AWS4-HMAC-SHA256 Credential={key}/{scope}, SignedHeaders={signed}, Signature={}",
            hex(&signing)
        );
        let headers = vec![
            ("authorization", authorization),
            ("x-amz-content-sha256", content),
            ("x-amz-date", time),
        ];
        (format!("{endpoint}/{bucket}/{name}"), headers)
    }
}

/// `2026-11-15T09:30:00.250Z` as `20261115T093000Z`.
fn compact_time(time: &str) -> String {
    let seconds = time.split(['.', 'Z']).next().unwrap_or_default();
    seconds.replace(['-', ':'], "") + "Z"
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::Timestamp;

    /// The signature was computed by another program, which reproduces Amazon's published example.
    #[test]
    fn a_signature_covers_time_and_content() {
        let clock = Clock::fixed_at(Timestamp::parse("2026-11-15T09:30:00.250Z").unwrap());
        let s3 = S3::new(clock, "http://127.0.0.1:9000/", "shop", "eu-1", "key", "secret");
        let (url, headers) = s3.signed("GET", "masters/ab/abc.webp", b"");
        assert_eq!(url, "http://127.0.0.1:9000/shop/masters/ab/abc.webp");
        assert_eq!(headers[2].1, "20261115T093000Z");
        assert_eq!(
            headers[0].1,
            "AWS4-HMAC-SHA256 Credential=key/20261115/eu-1/s3/aws4_request, \
             SignedHeaders=host;x-amz-content-sha256;x-amz-date, \
             Signature=a071a62defc74c1690c0e2a078a794b30da0458919bc8b7f654991a1ae2bbfb7"
        );
        let (_, other) = s3.signed("PUT", "masters/ab/abc.webp", b"x");
        assert_ne!(headers[0].1, other[0].1);
    }
}
