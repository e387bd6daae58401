//! Reads objects through `git cat-file --batch`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use strum::EnumString;

use super::ObjectId;
use super::command::Git;

/// The maximum length of an answer's first line, excluding the name.
const MAX_HEADER: usize = 1_000;

/// Skipping an unwanted object means reading it; beyond this many bytes, a new process is cheaper.
const MAX_SKIPPED: u64 = 16_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(super) enum ObjectType {
    Blob,
    Tree,
    Commit,
    Tag,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct GitObject {
    pub id: ObjectId,
    pub kind: ObjectType,
    pub size: u64,
    /// `None` if larger than the limit.
    pub content: Option<Vec<u8>>,
}

/// Objects read one at a time through one process, started on first use.
#[derive(Debug)]
pub(super) struct ObjectReader {
    git: Git,
    running: Mutex<Option<CatFileProcess>>,
}

impl ObjectReader {
    pub fn new(git: Git) -> Self {
        Self { git, running: Mutex::new(None) }
    }

    /// `None` if the object is missing, or the name ambiguous. `name` must not contain a line feed; `limit` in bytes.
    pub fn get(&self, name: &str, limit: u64) -> io::Result<Option<GitObject>> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken out, so that a process whose answer was not read completely is never reused.
        let mut batch = if let Some(batch) = running.take() { batch } else { CatFileProcess::start(&self.git, &[])? };
        batch.stdin.write_all(format!("{name}\n").as_bytes())?;
        let object = batch.answers.next(name, limit)?;
        if !batch.answers.is_broken {
            *running = Some(batch);
        }
        Ok(object)
    }

    pub fn start(&self) -> io::Result<()> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_none() {
            *running = Some(CatFileProcess::start(&self.git, &[])?);
        }
        Ok(())
    }

    /// Reads many objects through a separate process that receives all ids at once; `each` receives
    /// the objects in the order of `ids`.
    pub fn get_many(
        &self,
        ids: &[ObjectId],
        limit: u64,
        mut each: impl FnMut(usize, Option<GitObject>),
    ) -> io::Result<()> {
        let mut from = 0;
        while from < ids.len() {
            from += self.get_until_broken(&ids[from..], limit, |index, answer| each(from + index, answer))?;
        }
        Ok(())
    }

    /// Reads objects up to and including the first that is too large to skip; returns how many.
    fn get_until_broken(
        &self,
        ids: &[ObjectId],
        limit: u64,
        mut each: impl FnMut(usize, Option<GitObject>),
    ) -> io::Result<usize> {
        let CatFileProcess { process, stdin, mut answers } = CatFileProcess::start(&self.git, &["--buffer"])?;
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut stdin = io::BufWriter::new(stdin);
                // If the reader stops, writing fails; the reader reports why.
                let _ = ids.iter().try_for_each(|id| writeln!(stdin, "{id}")).and_then(|()| stdin.flush());
            });
            // Killed before the writer is joined: the writer may be blocked by a process whose output nobody reads.
            let _process = process;
            for (index, id) in ids.iter().enumerate() {
                each(index, answers.next(&id.to_string(), limit)?);
                if answers.is_broken {
                    return Ok(index + 1);
                }
            }
            Ok(ids.len())
        })
    }
}

#[derive(Debug)]
struct CatFileProcess {
    process: KilledOnDrop,
    stdin: ChildStdin,
    answers: BatchOutput,
}

#[derive(Debug)]
struct KilledOnDrop(Child);

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl CatFileProcess {
    fn start(git: &Git, options: &[&str]) -> io::Result<Self> {
        let arguments = ["cat-file", "--batch"].iter().chain(options);
        let mut child = git.command(arguments).stdin(Stdio::piped()).spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let answers = BatchOutput { stdout: BufReader::with_capacity(1 << 16, stdout), is_broken: false };
        Ok(Self { process: KilledOnDrop(child), stdin, answers })
    }
}

#[derive(Debug)]
struct BatchOutput<R = BufReader<ChildStdout>> {
    stdout: R,
    is_broken: bool,
}

impl<R: BufRead> BatchOutput<R> {
    /// Parses `id SP kind SP size LF content LF`, or the name and an error word.
    fn next(&mut self, name: &str, limit: u64) -> io::Result<Option<GitObject>> {
        let mut line = Vec::new();
        let longest = (name.len() + MAX_HEADER) as u64;
        self.stdout.by_ref().take(longest).read_until(b'\n', &mut line)?;
        let Some(line) = line.strip_suffix(b"\n") else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        let line = String::from_utf8_lossy(line);
        let Some((id, kind, size)) = header(&line) else {
            return match line.rsplit_once(' ') {
                Some((_, "missing" | "ambiguous")) => Ok(None),
                _ => Err(io::Error::new(io::ErrorKind::InvalidData, "git returned an unexpected answer")),
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
        } else if size <= MAX_SKIPPED {
            io::copy(&mut self.stdout.by_ref().take(size), &mut io::sink())?;
            None
        } else {
            self.is_broken = true;
            return Ok(Some(GitObject { id, kind, size, content: None }));
        };
        let mut end = [0];
        self.stdout.read_exact(&mut end)?;
        Ok(Some(GitObject { id, kind, size, content }))
    }
}

fn header(line: &str) -> Option<(ObjectId, ObjectType, u64)> {
    let mut fields = line.split(' ');
    let id = ObjectId::from_hex(fields.next()?)?;
    let kind = fields.next()?.parse().ok()?;
    let size = fields.next()?.parse().ok()?;
    fields.next().is_none().then_some((id, kind, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef01234567";

    fn answers(text: &str) -> BatchOutput<&[u8]> {
        BatchOutput { stdout: text.as_bytes(), is_broken: false }
    }

    fn object(kind: ObjectType, size: u64, content: Option<&str>) -> Option<GitObject> {
        let content = content.map(|text| text.as_bytes().to_vec());
        Some(GitObject { id: ObjectId::from_hex(ID).unwrap(), kind, size, content })
    }

    #[test]
    fn answers_follow_each_other() {
        let text = format!(
            "{ID} blob 3\na\nb\n{ID} tree 0\n\nnope missing\nab ambiguous\n{ID} blob 2\nxy\n{ID} commit 1\n.\n"
        );
        let mut answers = answers(&text);
        let mut next = |limit| answers.next("name", limit).unwrap();
        assert_eq!(next(3), object(ObjectType::Blob, 3, Some("a\nb")));
        assert_eq!(next(0), object(ObjectType::Tree, 0, Some("")));
        assert_eq!(next(0), None);
        assert_eq!(next(0), None);
        assert_eq!(next(1), object(ObjectType::Blob, 2, None), "an object that is too large is skipped");
        assert_eq!(next(1), object(ObjectType::Commit, 1, Some(".")));
        assert_eq!(answers.next("name", 1).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn very_large_objects_are_not_read() {
        let text = format!("{ID} blob 1099511627776\n");
        let mut answers = answers(&text);
        assert_eq!(answers.next("name", 5).unwrap(), object(ObjectType::Blob, 1 << 40, None));
        assert!(answers.is_broken);
    }

    #[test]
    fn truncated_and_malformed_answers_are_errors() {
        for text in [
            String::new(),
            format!("{ID} blob 3\nab"),
            format!("{ID} blob 2\nab"),
            "x".repeat(5_000),
            format!("{ID}\n"),
        ] {
            assert!(answers(&text).next("name", 10).is_err(), "{text}");
        }
        let strange = format!("{ID} tree 5^{{tree}} missing\n");
        assert_eq!(answers(&strange).next("name", 10).unwrap(), None);
    }
}
