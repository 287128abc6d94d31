//! The measured processes: the shop, and a bare axum server.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::get;

use crate::BenchResult;
use crate::load::{self, HttpResponse};

fn haat() -> BenchResult<PathBuf> {
    let here = std::env::current_exe()?;
    Ok(here.with_file_name("haat"))
}

/// Runs a command, and answers what it prints.
pub fn run(data: &Path, args: &[&str]) -> BenchResult<String> {
    let output = Command::new(haat()?)
        .args(args)
        .arg("--data-dir")
        .arg(data)
        .args(["--log", "warn"])
        .stderr(Stdio::inherit())
        .output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(format!("haat {args:?}: {}", output.status).into()),
    }
}

pub struct ShopProcess {
    pub address: String,
    child: Child,
}

impl ShopProcess {
    pub fn open(data: &Path, args: &[&str]) -> BenchResult<Self> {
        let mut command = Command::new(haat()?);
        // All load comes from one IP address.
        command.args(["serve", "--sign-ups-per-hour", "1000000"]);
        command.args(["--listen", "127.0.0.1:0", "--log", "warn", "--data-dir"]);
        let mut child = command.arg(data).args(args).stdout(Stdio::piped()).spawn()?;
        let address = read_address(&mut child)?;
        Ok(Self { address, child })
    }

    pub fn memory_mib(&self) -> BenchResult<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib: f64 = line.unwrap_or_default().trim().trim_end_matches(" kB").parse()?;
        Ok(kib / 1024.0)
    }

    /// Waits until the process uses almost no CPU.
    pub fn wait_until_idle(&self) -> BenchResult {
        let mut before = self.cpu_ticks()?;
        loop {
            std::thread::sleep(Duration::from_secs(2));
            let now = self.cpu_ticks()?;
            if now - before < 10 {
                return Ok(());
            }
            before = now;
        }
    }

    /// Its CPU time, in hundredths of a second.
    fn cpu_ticks(&self) -> BenchResult<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        Ok(fields.skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?)
    }

    pub fn renders(&self) -> BenchResult<(f64, f64)> {
        let seconds = self.metric("haat_render_cpu_seconds_total ")?;
        Ok((self.metric("haat_renders_total ")?, seconds))
    }

    pub fn metric(&self, name: &str) -> BenchResult<f64> {
        let text = String::from_utf8(load::get(&self.address, "/metrics")?.body)?;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        Ok(line.ok_or("a metric is missing")?.trim().parse()?)
    }
}

/// The address that a server prints when it is open.
pub fn read_address(child: &mut Child) -> BenchResult<String> {
    let mut line = String::new();
    let stdout = child.stdout.take().ok_or("no standard output")?;
    BufReader::new(stdout).read_line(&mut line)?;
    let (_, address) = line.trim().rsplit_once("http://").ok_or("it ended before it was open")?;
    Ok(address.to_owned())
}

/// A bare axum server in its own process.
pub struct BareServer {
    pub address: String,
    child: Child,
    _file: tempfile::NamedTempFile,
}

impl BareServer {
    /// Serves a response of the shop, from `memory` or from the disk.
    pub fn start(response: &HttpResponse, from: &str) -> BenchResult<Self> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), &response.body)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare").arg(from).arg(file.path());
        command.args([&response.content_type, &response.encoding]);
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let address = read_address(&mut child)?;
        Ok(Self { address, child, _file: file })
    }
}

/// Serves one file at every path.
pub fn bare([from, file, content_type, encoding]: [&str; 4]) -> BenchResult {
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

impl Drop for ShopProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for BareServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
