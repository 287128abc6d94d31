//! The processes under measure: the shop, and the bare handler beside it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::get;

use crate::Outcome;
use crate::load::{self, Answer};

fn haat() -> Outcome<PathBuf> {
    let here = std::env::current_exe()?;
    Ok(here.with_file_name("haat"))
}

pub fn run(data: &Path, args: &[&str]) -> Outcome {
    let status = Command::new(haat()?)
        .args(args)
        .arg("--data-dir")
        .arg(data)
        .args(["--log", "warn"])
        .stdout(Stdio::null())
        .status()?;
    if status.success() { Ok(()) } else { Err(format!("haat {args:?}: {status}").into()) }
}

pub struct Shop {
    pub address: String,
    child: Child,
}

impl Shop {
    pub fn open(data: &Path, args: &[&str]) -> Outcome<Self> {
        let mut command = Command::new(haat()?);
        // All load comes from one address.
        command.args(["serve", "--sign-ups-per-hour", "1000000"]);
        command.args(["--listen", "127.0.0.1:0", "--log", "warn", "--data-dir"]);
        let mut child = command.arg(data).args(args).stdout(Stdio::piped()).spawn()?;
        let address = said_address(&mut child)?;
        Ok(Self { address, child })
    }

    pub fn memory_mib(&self) -> Outcome<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib: f64 = line.unwrap_or_default().trim().trim_end_matches(" kB").parse()?;
        Ok(kib / 1024.0)
    }

    /// Waits until it has nothing left to do by itself.
    pub fn settle(&self) -> Outcome {
        let mut before = self.ticks()?;
        loop {
            std::thread::sleep(Duration::from_secs(2));
            let now = self.ticks()?;
            if now - before < 10 {
                return Ok(());
            }
            before = now;
        }
    }

    /// The time that it has computed for, in hundredths of a second.
    fn ticks(&self) -> Outcome<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        Ok(fields.skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?)
    }

    /// How many renders there were, and the CPU seconds that they took.
    pub fn renders(&self) -> Outcome<(f64, f64)> {
        let seconds = self.metric("haat_render_cpu_seconds_total ")?;
        Ok((self.metric("haat_renders_total ")?, seconds))
    }

    pub fn metric(&self, name: &str) -> Outcome<f64> {
        let text = String::from_utf8(load::get(&self.address, "/metrics")?.body)?;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        Ok(line.ok_or("a metric is missing")?.trim().parse()?)
    }
}

fn said_address(child: &mut Child) -> Outcome<String> {
    let mut line = String::new();
    let stdout = child.stdout.take().ok_or("no standard output")?;
    BufReader::new(stdout).read_line(&mut line)?;
    let address = line.trim().rsplit("http://").next().unwrap_or_default();
    Ok(address.to_owned())
}

/// A bare axum handler in a process of its own.
pub struct Bare {
    pub address: String,
    child: Child,
    _file: tempfile::NamedTempFile,
}

impl Bare {
    /// Answers what the shop answered, from `memory` or from the disk.
    pub fn serving(answer: &Answer, from: &str) -> Outcome<Self> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), &answer.body)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare").arg(from).arg(file.path());
        command.args([&answer.content_type, &answer.encoding]);
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let address = said_address(&mut child)?;
        Ok(Self { address, child, _file: file })
    }
}

/// Serves one file at every address, and does nothing else.
pub fn bare([from, file, content_type, encoding]: [&str; 4]) -> Outcome {
    let body = Bytes::from(std::fs::read(file)?);
    let path = (from == "disk").then(|| Path::new(file).to_owned());
    let headers = [("content-type", content_type), ("content-encoding", encoding)];
    let headers = headers.map(|(name, value)| (name, value.to_owned()));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let handler = get(async move || {
            let body = match path.clone() {
                Some(path) => tokio::fs::read(path).await.map(Bytes::from).unwrap_or_default(),
                None => body.clone(),
            };
            (headers.clone(), body)
        });
        let routes = Router::new().fallback_service(handler);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        axum::serve(listener, routes).await?;
        Ok(())
    })
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
