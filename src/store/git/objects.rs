//! Objects by their names, through `git cat-file --batch`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::ObjectId;
use super::command::Git;

/// The longest line that is read as an answer's first, beyond the name that was asked.
const MAX_HEADER: usize = 1_000;

/// What is not wanted of an object is read all the same, so that the next answer is found; beyond so many bytes it is
/// cheaper to start anew.
const MAX_SKIPPED: u64 = 16_000_000;

/// The kinds of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Blob,
    Tree,
    Commit,
    Tag,
}

/// What git says to a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The object.
    Found(Object),
    /// There is none of that name, or it is not here.
    Missing,
    /// There are several.
    Ambiguous,
}

/// An object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Object {
    pub id: ObjectId,
    pub kind: Kind,
    pub size: u64,
    /// None where it is larger than was asked for.
    pub content: Option<Vec<u8>>,
}

/// The objects of a repository, read one at a time through one process that starts with the first.
#[derive(Debug)]
pub(super) struct Objects {
    git: Git,
    running: Mutex<Option<Batch>>,
}

impl Objects {
    pub fn new(git: Git) -> Self {
        Self { git, running: Mutex::new(None) }
    }

    /// The object of a name, which must hold no line feed; `limit` in bytes.
    pub fn get(&self, name: &str, limit: u64) -> io::Result<Answer> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken out, so that a process whose answer was not read to its end is never asked again.
        let mut batch = match running.take() {
            Some(batch) => batch,
            None => Batch::start(&self.git)?,
        };
        let answer = batch.ask(name, limit)?;
        if !batch.is_broken {
            *running = Some(batch);
        }
        Ok(answer)
    }

    /// Starts the process, so that it is ready when it is asked.
    pub fn start(&self) -> io::Result<()> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_none() {
            *running = Some(Batch::start(&self.git)?);
        }
        Ok(())
    }

    /// Reads many objects through a process of its own, which is asked for all of them before it has answered: `each`
    /// gets them in the order of `ids`.
    pub fn get_many(&self, ids: &[ObjectId], limit: u64, mut each: impl FnMut(usize, Answer)) -> io::Result<()> {
        let mut from = 0;
        while from < ids.len() {
            from += self.get_run(&ids[from..], limit, |index, answer| each(from + index, answer))?;
        }
        Ok(())
    }

    /// Reads the first of many objects, up to and including one that is far too large; gives how many.
    fn get_run(&self, ids: &[ObjectId], limit: u64, mut each: impl FnMut(usize, Answer)) -> io::Result<usize> {
        let (mut child, stdin, stdout) = start(&self.git, &["cat-file", "--batch", "--buffer"])?;
        let mut answers = Answers { stdout, is_broken: false };
        let read = thread::scope(|scope| {
            scope.spawn(move || {
                let mut stdin = io::BufWriter::new(stdin);
                // Where the answers are given up nobody reads on; that is for the reader to tell.
                let _ = ids.iter().try_for_each(|id| writeln!(stdin, "{id}")).and_then(|()| stdin.flush());
            });
            let mut read = || {
                for (index, id) in ids.iter().enumerate() {
                    each(index, answers.next(&id.to_string(), limit, MAX_SKIPPED)?);
                    if answers.is_broken {
                        return Ok(index + 1);
                    }
                }
                Ok(ids.len())
            };
            let read = read();
            // So that the writer waits for no process that waits to be read.
            let _ = child.kill();
            read
        });
        let _ = child.wait();
        read
    }
}

/// A process that is asked one name at a time.
#[derive(Debug)]
struct Batch {
    child: Child,
    stdin: ChildStdin,
    answers: Answers,
    is_broken: bool,
}

impl Batch {
    fn start(git: &Git) -> io::Result<Self> {
        let (child, stdin, stdout) = start(git, &["cat-file", "--batch"])?;
        Ok(Self { child, stdin, answers: Answers { stdout, is_broken: false }, is_broken: false })
    }

    fn ask(&mut self, name: &str, limit: u64) -> io::Result<Answer> {
        self.stdin.write_all(format!("{name}\n").as_bytes())?;
        let answer = self.answers.next(name, limit, MAX_SKIPPED)?;
        self.is_broken = self.answers.is_broken;
        Ok(answer)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(git: &Git, arguments: &[&str]) -> io::Result<(Child, ChildStdin, BufReader<ChildStdout>)> {
    let mut child = git.command(arguments).stdin(Stdio::piped()).spawn()?;
    match (child.stdin.take(), child.stdout.take()) {
        (Some(stdin), Some(stdout)) => Ok((child, stdin, BufReader::with_capacity(1 << 16, stdout))),
        _ => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// What a process answers.
#[derive(Debug)]
struct Answers<R = BufReader<ChildStdout>> {
    stdout: R,
    /// Whether an answer was not read to its end.
    is_broken: bool,
}

impl<R: BufRead> Answers<R> {
    /// The answer to a name: `id SP kind SP size LF content LF`, or the name and what is wrong with it.
    fn next(&mut self, name: &str, limit: u64, most_skipped: u64) -> io::Result<Answer> {
        let mut line = Vec::new();
        let longest = (name.len() + MAX_HEADER) as u64;
        self.stdout.by_ref().take(longest).read_until(b'\n', &mut line)?;
        let Some(line) = line.strip_suffix(b"\n") else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        let line = String::from_utf8_lossy(line);
        let Some((id, kind, size)) = header(&line) else {
            return match line.rsplit_once(' ') {
                Some((_, "missing")) => Ok(Answer::Missing),
                Some((_, "ambiguous")) => Ok(Answer::Ambiguous),
                _ => Err(io::Error::new(io::ErrorKind::InvalidData, "an answer of git is not understood")),
            };
        };
        let content = if size <= limit {
            let mut content = Vec::new();
            let capacity = usize::try_from(size).unwrap_or(usize::MAX);
            content.try_reserve_exact(capacity).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
            self.stdout.by_ref().take(size).read_to_end(&mut content)?;
            if content.len() as u64 != size {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            Some(content)
        } else if size <= most_skipped {
            io::copy(&mut self.stdout.by_ref().take(size), &mut io::sink())?;
            None
        } else {
            self.is_broken = true;
            return Ok(Answer::Found(Object { id, kind, size, content: None }));
        };
        let mut end = [0];
        self.stdout.read_exact(&mut end)?;
        Ok(Answer::Found(Object { id, kind, size, content }))
    }
}

fn header(line: &str) -> Option<(ObjectId, Kind, u64)> {
    let mut fields = line.split(' ');
    let id = ObjectId::from_hex(fields.next()?)?;
    let kind = match fields.next()? {
        "blob" => Kind::Blob,
        "tree" => Kind::Tree,
        "commit" => Kind::Commit,
        "tag" => Kind::Tag,
        _ => return None,
    };
    let size = fields.next()?.parse().ok()?;
    fields.next().is_none().then_some((id, kind, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef01234567";

    fn answers(text: &str) -> Answers<&[u8]> {
        Answers { stdout: text.as_bytes(), is_broken: false }
    }

    fn object(kind: Kind, size: u64, content: Option<&str>) -> Answer {
        let content = content.map(|text| text.as_bytes().to_vec());
        Answer::Found(Object { id: ObjectId::from_hex(ID).unwrap(), kind, size, content })
    }

    #[test]
    fn answers_follow_each_other() {
        let text = format!(
            "{ID} blob 3\na\nb\n{ID} tree 0\n\nnope missing\nab ambiguous\n{ID} blob 2\nxy\n{ID} commit 1\n.\n"
        );
        let mut answers = answers(&text);
        let mut next = |limit| answers.next("name", limit, 100).unwrap();
        assert_eq!(next(3), object(Kind::Blob, 3, Some("a\nb")));
        assert_eq!(next(0), object(Kind::Tree, 0, Some("")));
        assert_eq!(next(0), Answer::Missing);
        assert_eq!(next(0), Answer::Ambiguous);
        assert_eq!(next(1), object(Kind::Blob, 2, None), "too large is skipped");
        assert_eq!(next(1), object(Kind::Commit, 1, Some(".")));
        assert_eq!(answers.next("name", 1, 100).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn what_is_far_too_large_is_not_read() {
        let text = format!("{ID} blob 1099511627776\n");
        let mut answers = answers(&text);
        assert_eq!(answers.next("name", 5, 100).unwrap(), object(Kind::Blob, 1 << 40, None));
        assert!(answers.is_broken);
    }

    #[test]
    fn an_answer_that_ends_early_or_is_none_is_an_error() {
        for text in [
            String::new(),
            format!("{ID} blob 3\nab"),
            format!("{ID} blob 2\nab"),
            "x".repeat(5_000),
            format!("{ID}\n"),
        ] {
            assert!(answers(&text).next("name", 10, 100).is_err(), "{text}");
        }
        let strange = format!("{ID} tree 5^{{tree}} missing\n");
        assert_eq!(answers(&strange).next("name", 10, 100).unwrap(), Answer::Missing);
    }
}
