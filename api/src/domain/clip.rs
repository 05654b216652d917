//! The media types of clips, the images of newspaper notices.

/// A media type of clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MediaType {
    /// The format that `ingest` sends.
    Jpeg,
    /// A lossless format.
    Png,
    /// A format with smaller files.
    Webp,
}

impl MediaType {
    /// All types.
    pub const ALL: [Self; 3] = [Self::Jpeg, Self::Png, Self::Webp];

    /// Detects the type from the first bytes of a file. The type that the sender claims is
    /// ignored. `None`: not the type of a clip.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// The value of the `Content-Type` header.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }

    /// Parses the text that is stored in the database.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == text)
    }

    /// The extension of the names of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_type_is_detected_from_its_content() {
        assert_eq!(MediaType::sniff(b"\xff\xd8\xff\xe0rest"), Some(MediaType::Jpeg));
        assert_eq!(MediaType::sniff(b"\x89PNG\r\n\x1a\nrest"), Some(MediaType::Png));
        assert_eq!(MediaType::sniff(b"RIFF\0\0\0\0WEBPVP8 "), Some(MediaType::Webp));
        for other in [&b"<svg onload=x>"[..], b"", b"\xff\xd8", b"GIF89a", b"%PDF-1.7"] {
            assert_eq!(MediaType::sniff(other), None);
        }
    }
}
