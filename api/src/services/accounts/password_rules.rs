//! Rules for new passwords: a minimum length, and no password that everybody uses or that consists
//! of what others know about the user.

use crate::{
    app::context::Context,
    base::password::MAX_LENGTH,
    domain::{error::FieldError, user::Role},
};

/// The minimum length of the password of an administrator or reviewer, in characters.
pub const STAFF_MIN_LENGTH: usize = 12;
/// A password is refused if fewer guesses than this find it. The most common passwords, and those
/// that are made from the user's names, need fewer.
const MIN_GUESSES: u64 = 20_000;
/// Words that everybody connects with this portal.
const PORTAL_WORDS: [&str; 6] = ["serendib", "tenders", "tender", "portal", "lanka", "srilanka"];

/// Whose password it is.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// The role, even if it is suspended.
    pub role: Role,
    /// The mail address and the names.
    pub words: [&'a str; 3],
}

/// Checks a new password.
///
/// # Errors
/// What is wrong with it, for this field of the form.
pub fn check(context: &Context, owner: Owner<'_>, field: &str, password: &str) -> Result<(), FieldError> {
    let settings = &context.config.sign_in;
    let is_staff = owner.role.may_review() && settings.requires_second_factor(context.config.demo);
    let minimum = usize::from(settings.password_min_length);
    let refuse = |message: String| Err(FieldError::new(field, message));
    let length = password.chars().count();
    if length < minimum {
        return refuse(format!("Password must be at least {minimum} characters long"));
    }
    if is_staff && is_short_for_staff(password) {
        return refuse(format!(
            "Administrators and reviewers need a password of at least {STAFF_MIN_LENGTH} characters"
        ));
    }
    if password.len() > MAX_LENGTH {
        return refuse("Password is too long".into());
    }
    if is_easy_to_guess(password, &owner.words) {
        return refuse("This password is easy to guess, because many people use it. Choose another".into());
    }
    Ok(())
}

/// Whether an administrator or reviewer needs a longer password.
#[must_use]
pub fn is_short_for_staff(password: &str) -> bool {
    password.chars().count() < STAFF_MIN_LENGTH
}

/// Whether a password is common, or consists of these words about its owner.
#[must_use]
pub fn is_easy_to_guess(password: &str, words: &[&str]) -> bool {
    let parts = words.iter().flat_map(|word| word.split(|character: char| !character.is_alphanumeric()));
    let known: Vec<&str> = words.iter().copied().chain(parts).chain(PORTAL_WORDS).collect();
    zxcvbn::zxcvbn(password, &known).guesses() < MIN_GUESSES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_passwords_and_own_names_are_easy_to_guess() {
        let words = ["nimal.perera@example.lk", "Nimal", "Perera"];
        for password in [
            "123456",
            "password",
            "Password1",
            "qwerty",
            "111111",
            "iloveyou",
            "nimal1",
            "perera",
            "lanka123",
        ] {
            assert!(is_easy_to_guess(password, &words), "{password}");
        }
        for password in ["kumbuk-gate-7", "tr0mbone river", "සිංහල මුරපදය", "x8!kQw"] {
            assert!(!is_easy_to_guess(password, &words), "{password}");
        }
    }
}
