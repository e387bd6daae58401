//! A server on a loopback address that answers the requests of a coding agent, and keeps the bodies of those for a
//! model. Headers are not kept, and nothing is forwarded.

mod http;
mod replies;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// At once; each may hold a body.
const CONNECTIONS: usize = 4;
const PAUSE: Duration = Duration::from_millis(5);

pub struct Loopback {
    listener: TcpListener,
    address: SocketAddr,
    deadline: Instant,
    open: Arc<AtomicUsize>,
    sender: Sender<Arrival>,
    arrivals: Receiver<Arrival>,
}

/// What a client sent.
#[derive(Debug)]
pub enum Arrival {
    Request(ModelRequest),
    /// Why something was refused.
    Refused(String),
}

/// The body of a request for a model.
#[derive(Debug)]
pub struct ModelRequest {
    pub body: Vec<u8>,
    /// `NAME/VERSION` of the program that sent it.
    pub product: Option<String>,
}

impl Loopback {
    /// Listens on a free port. After the deadline, every client is left alone.
    pub fn listen(deadline: Instant) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (sender, arrivals) = mpsc::channel();
        Ok(Self { listener, address, deadline, open: Arc::default(), sender, arrivals })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers whoever is waiting, and returns whether any connection is open. Without one, all has arrived.
    pub fn accept(&self) -> io::Result<bool> {
        while self.open.load(Ordering::Acquire) < CONNECTIONS {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    self.open.fetch_add(1, Ordering::AcqRel);
                    let (open, sender) = (Arc::clone(&self.open), self.sender.clone());
                    let (address, deadline) = (self.address, self.deadline);
                    thread::spawn(move || {
                        let arrival = http::answer(stream, address, deadline);
                        // Without a receiver, nobody needs it.
                        let _ = arrival.map(|arrival| sender.send(arrival));
                        open.fetch_sub(1, Ordering::AcqRel);
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // The client is gone.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.open.load(Ordering::Acquire) > 0)
    }

    /// What arrived, if anything did within a moment.
    pub fn next(&self) -> Option<Arrival> {
        self.arrivals.recv_timeout(PAUSE).ok()
    }
}
