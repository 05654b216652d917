//! A maildir on disk: where mail goes when there is no mail server. A message is written beside and moved into place, under
//! a name made from its own identity, so that sending it again replaces it instead of doubling it.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

/// The most messages [`Maildir::read`] answers, newest first.
const MOST_READ: usize = 200;

/// A maildir with its three folders.
#[derive(Debug, Clone)]
pub struct Maildir(PathBuf);

impl Maildir {
    /// Opens the maildir at `path`, making its folders where they are missing.
    ///
    /// # Errors
    /// When a folder can't be made.
    pub fn open(path: &Path) -> io::Result<Self> {
        for folder in ["tmp", "new", "cur"] {
            fs::create_dir_all(path.join(folder))?;
        }
        Ok(Self(path.to_owned()))
    }

    /// Delivers one message. `name` must be a plain word; the same name replaces the same message.
    ///
    /// # Errors
    /// When the disk is full or the folder not writable; then nothing is delivered.
    pub fn deliver(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let written = self.0.join("tmp").join(name);
        let mut file = fs::File::create(&written)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&written, self.0.join("new").join(format!("{name}.eml")))?;
        fs::File::open(self.0.join("new"))?.sync_all()
    }

    /// The delivered messages, newest name first: names of messages begin with their time.
    ///
    /// # Errors
    /// When the folder can't be read.
    pub fn read(&self) -> io::Result<Vec<Vec<u8>>> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(self.0.join("new"))?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        files.sort_unstable();
        files.iter().rev().take(MOST_READ).map(fs::read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_message_is_kept_once_and_the_newest_comes_first() {
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
