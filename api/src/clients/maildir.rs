//! A maildir on disk, which replaces a mail server with `--mail-to-disk` or `--demo`. The name of
//! a message's file is made from the message's id, so that resending a message replaces its file.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

/// The maximum number of messages that [`Maildir::read`] returns.
const MAX_MAILS: usize = 200;

/// A maildir with its three folders.
#[derive(Debug, Clone)]
pub struct Maildir(PathBuf);

impl Maildir {
    /// Opens the maildir at `path` and creates missing folders.
    pub fn open(path: &Path) -> io::Result<Self> {
        for folder in ["tmp", "new", "cur"] {
            fs::create_dir_all(path.join(folder))?;
        }
        Ok(Self(path.to_owned()))
    }

    /// Delivers a message. `name` must be a plain file name. An earlier message of this name is
    /// replaced.
    pub fn deliver(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let written = self.0.join("tmp").join(name);
        let mut file = fs::File::create(&written)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&written, self.0.join("new").join(format!("{name}.eml")))?;
        fs::File::open(self.0.join("new"))?.sync_all()
    }

    /// Returns the newest messages, newest first. They are sorted by name, because a name begins
    /// with the time.
    pub fn read(&self) -> io::Result<Vec<Vec<u8>>> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(self.0.join("new"))?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        files.sort_unstable();
        files.iter().rev().take(MAX_MAILS).map(fs::read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maildir_replaces_messages_and_lists_newest_first() {
        let dir = tempfile::tempdir().unwrap();
        let mail = Maildir::open(dir.path()).unwrap();
        mail.deliver("01", b"first").unwrap();
        mail.deliver("02", b"second").unwrap();
        mail.deliver("01", b"first").unwrap();
        assert_eq!(
            Maildir::open(dir.path()).unwrap().read().unwrap(),
            [b"second".to_vec(), b"first".to_vec()]
        );
    }
}
