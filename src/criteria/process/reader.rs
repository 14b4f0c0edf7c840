//! Threads that read what a program writes and write what it reads.

use std::io::{ErrorKind, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::Captured;
use crate::criteria::test_counts::{Recogniser, TestCounts};

/// Bytes read at once: what a pipe holds.
const CHUNK: usize = 64 << 10;

#[derive(Debug, Default)]
struct Stream {
    captured: Captured,
    recogniser: Recogniser,
    is_finished: bool,
}

/// Reads one stream in the background. The thread ends with the stream, or when what it read has been taken.
#[derive(Debug)]
pub(super) struct Reader(Arc<Mutex<Stream>>);

impl Reader {
    /// Starts to read. `finished` hears of the stream's end.
    pub(super) fn start(mut pipe: impl Read + Send + 'static, finished: mpsc::Sender<()>) -> std::io::Result<Self> {
        let stream = Arc::new(Mutex::new(Stream::default()));
        // Weak: when nobody wants the text any more, an open pipe keeps a thread but no memory.
        let shared = Arc::downgrade(&stream);
        thread::Builder::new().name("check output".to_owned()).spawn(move || {
            let mut chunk = vec![0; CHUNK];
            loop {
                let read = match pipe.read(&mut chunk) {
                    Ok(read) => read,
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(_) => 0,
                };
                let Some(stream) = shared.upgrade() else { return };
                let mut stream = lock(&stream);
                if read == 0 {
                    stream.is_finished = true;
                    // Nobody listens when the program was given up on.
                    finished.send(()).ok();
                    return;
                }
                let bytes = chunk.get(..read).unwrap_or_default();
                stream.captured.push(bytes);
                stream.recogniser.feed(bytes);
            }
        })?;
        Ok(Self(stream))
    }

    /// Whether the stream has ended.
    pub(super) fn is_finished(&self) -> bool {
        lock(&self.0).is_finished
    }

    /// What was read so far, and what test runners said in it.
    pub(super) fn take(self) -> (Captured, TestCounts) {
        let mut stream = std::mem::take(&mut *lock(&self.0));
        if !stream.is_finished {
            stream.captured.set_unfinished();
        }
        (stream.captured, stream.recogniser.finish())
    }
}

fn lock(stream: &Mutex<Stream>) -> MutexGuard<'_, Stream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes in the background. A program that does not read it all is none of our business.
pub(super) fn write(mut pipe: impl Write + Send + 'static, bytes: Vec<u8>) -> std::io::Result<()> {
    thread::Builder::new().name("check input".to_owned()).spawn(move || pipe.write_all(&bytes).ok()).map(drop)
}
