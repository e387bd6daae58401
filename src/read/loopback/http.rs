//! One request of HTTP/1.1 on a connection, which is closed after the answer.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::replies::{self, Reply};
use super::{Arrival, ModelRequest};
use crate::read::limits;

const HEAD_BYTES: usize = 1 << 16;
const HEADERS: usize = 128;
const CHUNK_HEAD_BYTES: usize = 128;
/// How long a head may take, since programs also connect ahead of their requests.
const HEAD_TIME: Duration = Duration::from_secs(2);

/// Reads a request and answers it. `None` if it needs no attention, such as a list of models.
pub fn answer(stream: TcpStream, address: SocketAddr, deadline: Instant) -> Option<Arrival> {
    let mut connection = Connection { stream, deadline, read: Vec::new(), at: 0 };
    let (reply, arrival) = match connection.request(address) {
        Ok(answered) => answered,
        Err(Fault::Gone) => return None,
        Err(Fault::Refused(status, what)) => {
            (Reply::refusal(status, what), Some(Arrival::Refused(format!("a request {what}"))))
        }
    };
    // A client that does not wait for the answer has sent its request all the same.
    let _ = connection.write(&reply);
    arrival
}

/// Why a request has no answer.
enum Fault {
    /// The client is gone.
    Gone,
    /// With the status of the answer, and what is wrong with the request.
    Refused(u16, &'static str),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::Refused(408, "took too long"),
            _ => Self::Gone,
        }
    }
}

/// What a head says.
struct Head {
    method: String,
    path: String,
    length: Option<usize>,
    is_chunked: bool,
    is_json: bool,
    expects: bool,
    product: Option<String>,
}

impl Head {
    /// # Errors
    /// It is not the head of a request to this address.
    fn new(request: &httparse::Request<'_, '_>, address: SocketAddr) -> Result<Self, Fault> {
        let values = |name: &'static str| {
            let named = request.headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
            named.map(|header| String::from_utf8_lossy(header.value).trim().to_string())
        };
        let value = |name: &'static str| values(name).next();
        // A page of another host may have led a browser here.
        let hosts: Vec<String> = values("host").collect();
        let is_here = |host: &String| *host == address.to_string() || *host == format!("localhost:{}", address.port());
        if hosts.len() != 1 || !hosts.iter().all(is_here) {
            return Err(Fault::Refused(403, "was for another host"));
        }
        let is_encoded = value("content-encoding").is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity"));
        if is_encoded {
            return Err(Fault::Refused(415, "had a compressed body"));
        }
        let lengths: Vec<String> = values("content-length").collect();
        let length = match lengths.as_slice() {
            [] => None,
            [length] if length.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(length.parse().map_err(|_| TOO_LARGE)?)
            }
            _ => return Err(Fault::Refused(400, "had more than one length")),
        };
        let encodings: Vec<String> = values("transfer-encoding").collect();
        let is_chunked = match encodings.as_slice() {
            [] => false,
            [encoding] if encoding.eq_ignore_ascii_case("chunked") && length.is_none() => true,
            _ => return Err(Fault::Refused(400, "had a body of unknown length")),
        };
        if length.is_some_and(|length| length > limits::REQUEST_BYTES) {
            return Err(TOO_LARGE);
        }
        let kind = value("content-type").unwrap_or_default();
        Ok(Self {
            method: request.method.unwrap_or_default().to_string(),
            path: request.path.unwrap_or_default().to_string(),
            length,
            is_chunked,
            is_json: kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")),
            expects: value("expect").is_some_and(|expected| expected.eq_ignore_ascii_case("100-continue")),
            product: value("user-agent").and_then(|agent| Some(agent.split_whitespace().next()?.to_string())),
        })
    }
}

const TOO_LARGE: Fault = Fault::Refused(413, "was too large");
const MALFORMED: Fault = Fault::Refused(400, "was not HTTP");

struct Connection {
    stream: TcpStream,
    deadline: Instant,
    /// What was read, the first `at` bytes of which are used up.
    read: Vec<u8>,
    at: usize,
}

impl Connection {
    fn request(&mut self, address: SocketAddr) -> Result<(Reply, Option<Arrival>), Fault> {
        let deadline = self.deadline;
        self.deadline = deadline.min(Instant::now() + HEAD_TIME);
        let head = self.head(address);
        self.deadline = deadline;
        let head = head?;
        let is_for_model = head.method == "POST" && replies::is_for_model(&head.path);
        if is_for_model && !head.is_json {
            return Err(Fault::Refused(415, "was not JSON"));
        }
        if head.expects {
            self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let body = match head.is_chunked {
            true => self.chunks()?,
            false => self.bytes(head.length.unwrap_or(0))?,
        };
        let reply = replies::reply(&head.method, &head.path, &body);
        let request = ModelRequest { body, product: head.product };
        Ok((reply, is_for_model.then_some(Arrival::Request(request))))
    }

    fn head(&mut self, address: SocketAddr) -> Result<Head, Fault> {
        loop {
            let mut headers = [httparse::EMPTY_HEADER; HEADERS];
            let mut request = httparse::Request::new(&mut headers);
            match request.parse(&self.read) {
                Ok(httparse::Status::Complete(length)) => {
                    let head = Head::new(&request, address)?;
                    self.at = length;
                    return Ok(head);
                }
                Ok(httparse::Status::Partial) if self.read.is_empty() => self.more().map_err(|_| Fault::Gone)?,
                Ok(httparse::Status::Partial) if self.read.len() < HEAD_BYTES => self.more()?,
                Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
                    return Err(Fault::Refused(431, "had too many headers"));
                }
                Err(_) => return Err(MALFORMED),
            }
        }
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>, Fault> {
        while self.read.len() - self.at < length {
            self.more()?;
        }
        let body = self.read[self.at..self.at + length].to_vec();
        self.at += length;
        Ok(body)
    }

    fn chunks(&mut self) -> Result<Vec<u8>, Fault> {
        let mut body = Vec::new();
        loop {
            let size = self.chunk_size()?;
            if size > (limits::REQUEST_BYTES - body.len()) as u64 {
                return Err(TOO_LARGE);
            }
            // It is within the limit, and so it is a `usize`.
            let chunk = self.bytes(usize::try_from(size).unwrap_or_default())?;
            body.extend(chunk);
            if size == 0 {
                // What may follow are headers, which are not kept.
                return Ok(body);
            }
            if self.bytes(2)? != b"\r\n" {
                return Err(MALFORMED);
            }
            self.read.drain(..self.at);
            self.at = 0;
        }
    }

    fn chunk_size(&mut self) -> Result<u64, Fault> {
        loop {
            match httparse::parse_chunk_size(&self.read[self.at..]) {
                Ok(httparse::Status::Complete((length, size))) => {
                    self.at += length;
                    return Ok(size);
                }
                Ok(httparse::Status::Partial) if self.read.len() - self.at < CHUNK_HEAD_BYTES => self.more()?,
                Ok(httparse::Status::Partial) | Err(_) => return Err(MALFORMED),
            }
        }
    }

    /// Waits for more bytes.
    fn more(&mut self) -> Result<(), Fault> {
        self.stream.set_nonblocking(false)?;
        self.stream.set_read_timeout(Some(self.left()?))?;
        let mut buffer = [0; 1 << 14];
        match self.stream.read(&mut buffer)? {
            0 => Err(Fault::Gone),
            length => {
                self.read.extend_from_slice(&buffer[..length]);
                Ok(())
            }
        }
    }

    fn write(&mut self, reply: &Reply) -> Result<(), Fault> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        let Reply { status, content_type, body } = reply;
        let head = format!(
            "HTTP/1.1 {status} {}\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            if *status < 400 { "OK" } else { "Refused" },
            body.len(),
        );
        self.stream.write_all(head.as_bytes())?;
        self.stream.write_all(body.as_bytes())?;
        Ok(self.stream.shutdown(Shutdown::Write)?)
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}
