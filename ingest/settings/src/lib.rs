//! The settings of a program: arguments of the command line that also have an environment variable.
//! A value comes from the command line, the environment, a settings file, or, for a secret, a file of
//! its own. All wrong values are reported together, each with its remedy. Secrets are never printed.

mod env_file;
mod findings;
mod names;
mod program;
mod secret_file;
mod template;
pub mod transport;

pub use env_file::{Entry, EnvFileError, parse};
pub use findings::{Findings, SettingProblem, SettingsError};
pub use names::FormerName;
pub use program::{Environment, Program, ResolveError, Resolved, with_secret_files};
pub use secret_file::{MAX_SECRET_BYTES, SecretFileError};
