//! Restores of backups: what the restored portal sends, and the record of an unfinished restore.

use jiff::Timestamp;
use std::{fmt, str::FromStr};

/// Which unsent messages of a backup are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeptMessages {
    /// All.
    #[default]
    All,
    /// Those that were begun at or after this moment.
    Since(Timestamp),
    /// None.
    None,
}

/// What a restored portal sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RestoredSending {
    /// Whether it sends nothing until an operator switches sending on.
    pub no_send: bool,
    /// Which unsent messages are kept.
    pub unsent: KeptMessages,
}

/// A restore that was begun and is not complete. Its text consists of the id of the backup and the
/// options of `api restore` that decide what is sent. Earlier versions stored only the id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedRestore {
    /// The id of the backup.
    pub backup: String,
    /// What the restored portal sends.
    pub sending: RestoredSending,
}

/// A text that is not the record of an unfinished restore.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the record of an unfinished restore")]
pub struct RestoreRecordError(String);

impl fmt::Display for UnfinishedRestore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.backup)?;
        if self.sending.no_send {
            f.write_str(" --no-send")?;
        }
        match self.sending.unsent {
            KeptMessages::All => Ok(()),
            KeptMessages::Since(moment) => write!(f, " --unsent-after {moment}"),
            KeptMessages::None => f.write_str(" --drop-unsent"),
        }
    }
}

impl FromStr for UnfinishedRestore {
    type Err = RestoreRecordError;

    fn from_str(text: &str) -> Result<Self, RestoreRecordError> {
        let invalid = || RestoreRecordError(text.to_owned());
        let mut words = text.split_whitespace();
        let backup = words.next().ok_or_else(invalid)?.to_owned();
        let mut sending = RestoredSending::default();
        while let Some(word) = words.next() {
            match word {
                "--no-send" => sending.no_send = true,
                "--drop-unsent" => sending.unsent = KeptMessages::None,
                "--unsent-after" => {
                    let moment = words.next().and_then(|word| word.parse().ok());
                    sending.unsent = KeptMessages::Since(moment.ok_or_else(invalid)?);
                }
                _ => return Err(invalid()),
            }
        }
        Ok(Self { backup, sending })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("20261120T063000Z-0a1b2c3d", false, KeptMessages::All)]
    #[case("20261120T063000Z-0a1b2c3d --no-send", true, KeptMessages::All)]
    #[case("20261120T063000Z-0a1b2c3d --no-send --drop-unsent", true, KeptMessages::None)]
    #[case(
        "20261120T063000Z-0a1b2c3d --unsent-after 2026-11-20T06:00:00.25Z",
        false,
        KeptMessages::Since("2026-11-20T06:00:00.25Z".parse().unwrap()),
    )]
    fn record_keeps_the_options(#[case] text: &str, #[case] no_send: bool, #[case] unsent: KeptMessages) {
        let backup = "20261120T063000Z-0a1b2c3d".to_owned();
        let restore = UnfinishedRestore { backup, sending: RestoredSending { no_send, unsent } };
        assert_eq!(restore.to_string(), text);
        assert_eq!(text.parse(), Ok(restore));
    }

    #[test]
    fn other_texts_are_no_records() {
        for text in ["", " ", "x --replace", "x --unsent-after", "x --unsent-after soon"] {
            assert!(text.parse::<UnfinishedRestore>().is_err(), "{text:?}");
        }
    }
}
