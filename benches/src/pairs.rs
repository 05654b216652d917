//! Writes and hashes the pairs that an engine found, with the ids from the input files. The pairs
//! are sorted by tender and then by alert. Shorter ids come first, so that `t2` precedes `t10`.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::{fs, path::Path};

/// Returns the sorted lines `tender alert`.
#[must_use]
pub fn lines(pairs: &[(u32, u32)], tenders: &[String], alerts: &[String]) -> String {
    let mut named: Vec<(&str, &str)> = pairs
        .iter()
        .map(|(tender, alert)| (tenders[*tender as usize].as_str(), alerts[*alert as usize].as_str()))
        .collect();
    named.sort_unstable_by_key(|(tender, alert)| (tender.len(), *tender, alert.len(), *alert));
    named.iter().map(|(tender, alert)| format!("{tender} {alert}\n")).collect()
}

/// Returns the SHA-256 of the lines, in hex.
#[must_use]
pub fn sha256(lines: &str) -> String {
    hex::encode(Sha256::digest(lines.as_bytes()))
}

/// Writes the lines to a file.
pub fn write(path: &Path, lines: &str) -> Result<()> {
    fs::write(path, lines).with_context(|| format!("{} can't be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_numerically() {
        let ids = |letter: char| (0..12).map(|number| format!("{letter}{number}")).collect::<Vec<_>>();
        assert_eq!(lines(&[(10, 1), (2, 11), (2, 3)], &ids('t'), &ids('a')), "t2 a3\nt2 a11\nt10 a1\n");
    }
}
