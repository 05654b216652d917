//! Finds archives that no reader and no virus scanner can look into, and Office files with macros. The
//! records of a file are found by their marks anywhere in the file, because programs also open damaged
//! archives.

use memchr::memmem;

/// Why a document is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentRisk {
    /// The file, or a file in it, is encrypted.
    Encrypted,
    /// The file contains macros.
    Macros,
}

/// The mark of a file in a ZIP archive, and the offsets of its flags, of the length of its name, and of
/// the name.
type ZipRecord = (&'static [u8; 4], usize, usize, usize);
/// The record before the content of a file, and the record in the directory of the archive.
const ZIP_RECORDS: [ZipRecord; 2] = [(b"PK\x03\x04", 6, 26, 30), (b"PK\x01\x02", 8, 28, 46)];
/// The flag of an encrypted file.
const ZIP_ENCRYPTED: u16 = 1;
/// The end of the name of the file that contains the macros of a Word, Excel or PowerPoint file.
const MACROS_FILE: &[u8] = b"vbaproject.bin";
/// The start of files in the format of Office before 2007. Encrypted newer files have this format too.
const OLE_MARK: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Inspects a whole file. `None`: no risk was found, or the file has another format.
#[must_use]
pub fn find_risk(file: &[u8]) -> Option<DocumentRisk> {
    if file.starts_with(OLE_MARK) { find_risk_in_ole(file) } else { find_risk_in_zip(file) }
}

fn find_risk_in_zip(file: &[u8]) -> Option<DocumentRisk> {
    if !file.starts_with(b"PK") {
        return None;
    }
    let number = |at: usize| {
        let bytes = file.get(at..at + 2)?;
        Some(u16::from_le_bytes([bytes[0], bytes[1]]))
    };
    for (mark, flags_offset, length_offset, name_offset) in ZIP_RECORDS {
        for start in memmem::find_iter(file, mark) {
            let (Some(flags), Some(length)) = (number(start + flags_offset), number(start + length_offset))
            else {
                continue;
            };
            let begin = start + name_offset;
            let Some(name) = file.get(begin..begin + usize::from(length)).filter(|name| is_name(name)) else {
                continue;
            };
            if flags & ZIP_ENCRYPTED != 0 {
                return Some(DocumentRisk::Encrypted);
            }
            if name.to_ascii_lowercase().ends_with(MACROS_FILE) {
                return Some(DocumentRisk::Macros);
            }
        }
    }
    None
}

/// Whether these bytes can be the name of a file. Compressed data contains a mark by chance, but hardly
/// a name after it.
fn is_name(bytes: &[u8]) -> bool {
    !bytes.is_empty() && !bytes.iter().any(u8::is_ascii_control)
}

/// Finds the names of streams, which are in UTF-16.
fn find_risk_in_ole(file: &[u8]) -> Option<DocumentRisk> {
    let contains = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memmem::find(file, &name).is_some()
    };
    if contains("EncryptedPackage") {
        Some(DocumentRisk::Encrypted)
    } else if contains("_VBA_PROJECT") {
        Some(DocumentRisk::Macros)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn zip(flags: u16, name: &str) -> Vec<u8> {
        let mut file = b"PK\x03\x04\x14\x00".to_vec();
        file.extend(flags.to_le_bytes());
        file.extend([0; 18]);
        file.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        file.extend([0; 2]);
        file.extend(name.as_bytes());
        file.extend(b"content");
        file
    }

    fn ole(stream: &str) -> Vec<u8> {
        let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
        [OLE_MARK, &[0; 500], &name, &[0; 100]].concat()
    }

    #[rstest]
    #[case(zip(0, "plan.pdf"), None)]
    #[case(zip(1, "plan.pdf"), Some(DocumentRisk::Encrypted))]
    #[case([zip(0, "plan.pdf"), zip(9, "secret.exe")].concat(), Some(DocumentRisk::Encrypted))]
    #[case(zip(0, "word/vbaProject.bin"), Some(DocumentRisk::Macros))]
    #[case(zip(0, "xl/VBAPROJECT.BIN"), Some(DocumentRisk::Macros))]
    #[case(ole("WordDocument"), None)]
    #[case(ole("_VBA_PROJECT_CUR"), Some(DocumentRisk::Macros))]
    #[case(ole("EncryptedPackage"), Some(DocumentRisk::Encrypted))]
    #[case(b"PK\x03\x04".to_vec(), None)]
    #[case(b"%PDF-1.4 PK\x03\x04".to_vec(), None)]
    fn encrypted_files_and_macros_are_found(#[case] file: Vec<u8>, #[case] risk: Option<DocumentRisk>) {
        assert_eq!(find_risk(&file), risk);
    }
}
