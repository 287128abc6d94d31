//! A load balancer for processes that are killed and restarted: an address that stays, whose connections go to
//! whichever process is alive.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::net::{TcpListener, TcpStream};

use crate::BenchResult;

/// The addresses of the living processes. Cheap to clone.
#[derive(Clone, Default)]
pub struct Upstreams(Arc<Mutex<BTreeMap<usize, String>>>);

impl Upstreams {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn set(&self, process: usize, address: &str) {
        self.lock().insert(process, address.to_owned());
    }

    pub fn remove(&self, process: usize) {
        self.lock().remove(&process);
    }

    fn get(&self, turn: usize) -> Option<String> {
        let alive = self.lock();
        alive.values().nth(turn % alive.len().max(1)).cloned()
    }
}

/// Forwards connections in turn, as long as the runtime runs. Where no process is alive, they are closed. Answers the
/// origin, such as `http://127.0.0.1:1234`.
pub async fn start(upstreams: &Upstreams) -> BenchResult<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let upstreams = upstreams.clone();
    tokio::spawn(async move {
        for turn in 0.. {
            let Ok((client, _)) = listener.accept().await else { continue };
            if let Some(address) = upstreams.get(turn) {
                tokio::spawn(forward(client, address));
            }
        }
    });
    Ok(origin)
}

async fn forward(mut client: TcpStream, address: String) -> std::io::Result<()> {
    let mut server = TcpStream::connect(address).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    tokio::io::copy_bidirectional(&mut client, &mut server).await?;
    Ok(())
}
