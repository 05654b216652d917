//! An error as a person is told it, for the commands: what went wrong and what lies under it, each said once.

use std::error::Error;

/// The error and those of its causes that it does not tell itself.
#[must_use]
pub fn told(error: &(dyn Error + 'static)) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        let more = deeper.to_string();
        if !said.contains(&more) {
            said.push_str(": ");
            said.push_str(&more);
        }
        cause = deeper.source();
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[derive(Debug, thiserror::Error)]
    enum Failure {
        #[error("reading failed ({source}); try again")]
        Whole { source: io::Error },
        #[error("reading failed")]
        Part { source: io::Error },
    }

    #[test]
    fn each_cause_is_said_once() {
        let source = || io::Error::other("disk gone");
        assert_eq!(told(&Failure::Whole { source: source() }), "reading failed (disk gone); try again");
        assert_eq!(told(&Failure::Part { source: source() }), "reading failed: disk gone");
    }
}
