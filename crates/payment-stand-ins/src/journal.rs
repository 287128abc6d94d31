//! The journal of a stand-in: an append-only file of JSON lines, from which its state is rebuilt after it was killed.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A provider's state is the fold of its events. A call validates against the state, appends an event, applies it, and
/// answers.
pub struct Journal<E> {
    /// Without a folder there is none, and `append` does nothing.
    file: Option<File>,
    events: PhantomData<fn(&E)>,
}

impl<E: Serialize + DeserializeOwned> Journal<E> {
    /// Opens `{folder}/{name}.jsonl`, and reads its events. A last line that was not written completely, because the
    /// process was killed, is removed: nobody was told of it.
    pub fn open(folder: Option<&Path>, name: &str) -> io::Result<(Self, Vec<E>)> {
        let Some(folder) = folder else {
            return Ok((Self { file: None, events: PhantomData }, Vec::new()));
        };
        let path = folder.join(format!("{name}.jsonl"));
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        let complete = content.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(complete as u64)?;
        let events =
            content[..complete].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let events: Result<Vec<E>, _> = events.map(serde_json::from_slice).collect();
        let events = events.map_err(|why| {
            io::Error::new(ErrorKind::InvalidData, format!("{}: {why}", path.display()))
        })?;
        Ok((Self { file: Some(file), events: PhantomData }, events))
    }

    /// Once it returns, the event survives the death of the process; the death of the machine, not necessarily.
    pub fn append(&mut self, event: &E) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        file.write_all(&line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_again_and_a_torn_line_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Journal::<(u32, String)>::open(Some(dir.path()), "test").unwrap();
        let (mut journal, events) = open();
        assert!(events.is_empty());
        journal.append(&(1, "a\nb".into())).unwrap();
        journal.append(&(2, String::new())).unwrap();
        let path = dir.path().join("test.jsonl");
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"[3,\"to").unwrap();
        let (mut journal, events) = open();
        assert_eq!(events, [(1, "a\nb".to_owned()), (2, String::new())]);
        journal.append(&(4, "c".into())).unwrap();
        assert_eq!(open().1.last(), Some(&(4, "c".to_owned())));
        std::fs::write(&path, "{}\n[1,\"\"]\n").unwrap();
        assert!(Journal::<(u32, String)>::open(Some(dir.path()), "test").is_err());
    }

    #[test]
    fn without_a_folder_nothing_is_written() {
        let (mut journal, events) = Journal::<u32>::open(None, "test").unwrap();
        assert!(events.is_empty());
        journal.append(&1).unwrap();
    }
}
