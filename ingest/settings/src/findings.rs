//! What is wrong with settings.

use std::fmt::{self, Display};

/// What is wrong with a setting, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingProblem {
    /// The variable, such as `PUBLIC_URL`.
    pub variable: String,
    /// The option or the place of the value, such as `--public-url` or `line 3 of settings.env`.
    pub place: String,
    /// What is wrong. It never contains a secret.
    pub what: String,
    /// What to write instead.
    pub remedy: String,
}

impl Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}; {}", self.variable, self.place, self.what, self.remedy)
    }
}

/// All problems of the settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SettingsError(pub Vec<SettingProblem>);

impl Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [problem] => problem.fmt(f),
            problems => {
                write!(f, "{} settings are wrong:", problems.len())?;
                problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
            }
        }
    }
}

/// Collects the problems and the warnings of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// With these settings, the program does not start.
    pub problems: Vec<SettingProblem>,
    /// What the operator should know.
    pub warnings: Vec<String>,
}

impl Findings {
    /// Refuses a setting whose option has the name of its variable.
    pub fn refuse(&mut self, variable: &str, what: impl Display, remedy: impl Display) {
        self.problems.push(SettingProblem {
            variable: variable.to_owned(),
            place: option_of(variable),
            what: what.to_string(),
            remedy: remedy.to_string(),
        });
    }

    /// Warns about a setting whose option has the name of its variable.
    pub fn warn(&mut self, variable: &str, what: impl Display) {
        self.warnings.push(format!("{variable} ({}): {what}", option_of(variable)));
    }

    /// Refuses a URL that is malformed or has another scheme. Returns whether the URL is accepted.
    pub fn check_url(&mut self, variable: &str, url: &str, schemes: &[&str], example: &str) -> bool {
        let remedy = format!("write {variable}={example}");
        // The part before an @ may be a password.
        let shown = if url.contains('@') { "the value".to_owned() } else { format!("{url:?}") };
        match url::Url::parse(url) {
            Err(error) => self.refuse(variable, format_args!("{shown} is not a URL ({error})"), remedy),
            Ok(parsed) if !schemes.contains(&parsed.scheme()) => {
                let schemes = schemes.join(":// or ");
                self.refuse(variable, format_args!("{shown} does not begin with {schemes}://"), remedy);
            }
            Ok(parsed) if parsed.host_str().is_none_or(str::is_empty) => {
                self.refuse(variable, format_args!("{shown} has no host"), remedy);
            }
            Ok(parsed) if !parsed.username().is_empty() || parsed.password().is_some() => {
                self.refuse(variable, "the URL contains a user name or a password", remedy);
            }
            Ok(_) => return true,
        }
        false
    }

    /// Returns the problems as an error, if there are any.
    ///
    /// # Errors
    /// All problems together.
    pub fn into_result(self) -> Result<Vec<String>, SettingsError> {
        if self.problems.is_empty() { Ok(self.warnings) } else { Err(SettingsError(self.problems)) }
    }
}

/// The option of a variable: `--public-url` for `PUBLIC_URL`.
fn option_of(variable: &str) -> String {
    format!("--{}", variable.to_ascii_lowercase().replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_problems_are_listed_together() {
        let mut found = Findings::default();
        found.refuse("PUBLIC_URL", "no scheme", "write https://");
        let one = found.clone().into_result().unwrap_err().to_string();
        assert_eq!(one, "PUBLIC_URL (--public-url): no scheme; write https://");
        found.refuse("LISTEN", "no port", "write :8080");
        let both = found.into_result().unwrap_err().to_string();
        assert_eq!(
            both,
            "2 settings are wrong:\n  PUBLIC_URL (--public-url): no scheme; write https://\n  LISTEN (--listen): no port; write :8080"
        );
    }

    #[test]
    fn url_is_checked_without_printing_its_password() {
        for url in [
            "portal.example",
            "ftp://x",
            "http://",
            "https://user:hush@host",
            "https://u:hush@ho st",
            "javascript:x",
        ] {
            let mut found = Findings::default();
            assert!(!found.check_url("X", url, &["http", "https"], "https://host"), "{url}");
            assert!(!format!("{found:?}").contains("hush"), "{found:?}");
        }
        assert!(Findings::default().check_url("X", "https://host/path", &["https"], ""));
    }
}
