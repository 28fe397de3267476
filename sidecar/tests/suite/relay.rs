//! A proxy that passes everything on and may change answers on the way back.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

type Change = dyn Fn(&str, Vec<u8>) -> Vec<u8> + Send + Sync;

/// Passes on until it is dropped; each connection takes one request.
pub(crate) struct Relay {
    pub(crate) address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Relay {
    /// Changes each whole answer, head and all, knowing the request's target.
    pub(crate) fn to(
        server: SocketAddr,
        change: impl Fn(&str, Vec<u8>) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, change): (_, Arc<Change>) = (Arc::new(AtomicBool::new(false)), Arc::new(change));
        let stopped = stop.clone();
        let thread = thread::spawn(move || {
            let mut connections = Vec::new();
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let (change, stream) = (change.clone(), stream.unwrap());
                connections.push(thread::spawn(move || pass_on(&stream, server, &*change)));
            }
            connections.into_iter().for_each(|connection| connection.join().unwrap());
        });
        Self { address, stop, thread: Some(thread) }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the relay panicked");
    }
}

fn pass_on(mut client: &TcpStream, server: SocketAddr, change: &Change) {
    let mut reader = BufReader::new(client);
    let mut head = Vec::new();
    let mut length = 0;
    loop {
        let start = head.len();
        if reader.read_until(b'\n', &mut head).unwrap() == 0 {
            return;
        }
        let line = String::from_utf8_lossy(&head[start..]).to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim_end().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let head = String::from_utf8(head).unwrap();
    let target = head.split(' ').nth(1).unwrap().to_owned();
    let mut server = TcpStream::connect(server).unwrap();
    server.write_all(head.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes()).unwrap();
    server.write_all(&body).unwrap();
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).unwrap();
    // A client that has read enough may be gone.
    let _ = client.write_all(&change(&target, answer));
}
