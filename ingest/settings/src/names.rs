//! Misspelt and former names of settings.

/// A setting that no longer exists.
#[derive(Debug, Clone, Copy)]
pub struct FormerName {
    /// The former variable.
    pub variable: &'static str,
    /// What replaces it, as in `write TRUSTED_PROXIES=127.0.0.1 instead`.
    pub remedy: &'static str,
}

/// The length below which a name is too short to be compared: almost every short word is similar to
/// another.
const MIN_COMPARED_LENGTH: usize = 5;

/// Returns the setting that was probably meant by an unknown name, if the names differ by few
/// letters.
pub(crate) fn probable<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = if name.len() < MIN_COMPARED_LENGTH { 0 } else { (name.len() / 5).clamp(1, 3) };
    nearest(name, known).filter(|(distance, _)| *distance <= limit).map(|(_, known)| known)
}

/// Returns the setting with the most similar name, and the number of letters that differ.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<(usize, &'a str)> {
    let name = name.to_ascii_uppercase();
    known.into_iter().map(|known| (strsim::osa_distance(&name, known), known)).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const KNOWN: [&str; 6] = ["DATA", "DATABASE_URL", "PUBLIC_URL", "MAIL_FROM", "PAYMENTS", "LOG"];

    #[rstest]
    #[case("DATABASE_URI", Some("DATABASE_URL"))]
    #[case("DATABSE_URL", Some("DATABASE_URL"))]
    #[case("database_url", Some("DATABASE_URL"))]
    #[case("PUBLIC_ULR", Some("PUBLIC_URL"))]
    #[case("MAILFROM", Some("MAIL_FROM"))]
    #[case("PAYMENT", Some("PAYMENTS"))]
    #[case("data", Some("DATA"))]
    #[case("DATE", None)]
    #[case("LOGNAME", None)]
    #[case("HOME", None)]
    #[case("MAIL", None)]
    #[case("PATH", None)]
    #[case("LANGUAGE", None)]
    fn similar_name_is_found(#[case] name: &str, #[case] expected: Option<&str>) {
        assert_eq!(probable(name, KNOWN), expected);
    }
}
