//! Secrets in files of their own.

use super::{
    FILE_SUFFIX, Program,
    values::{Setting, Source, place},
};
use crate::{findings::SettingProblem, secret_file};
use std::path::{Path, PathBuf};

impl Program {
    /// Gives each secret the content of its file.
    pub(super) fn read_secrets(
        &self,
        settings: &mut Vec<Setting<'_>>,
        settings_file: &Path,
        problems: &mut Vec<SettingProblem>,
        warnings: &mut Vec<String>,
    ) {
        for index in 0..settings.len() {
            if !settings[index].arg.is_hide_env_values_set() {
                continue;
            }
            let name = format!("{}{FILE_SUFFIX}", settings[index].variable);
            let level = settings[index].level;
            let of_file = settings.iter().find(|other| other.level == level && other.variable == name);
            let Some((source, paths)) = of_file.and_then(|file| file.value.clone()) else { continue };
            let Some(arg) = of_file.map(|file| file.arg) else { continue };
            let place = place(arg, source, settings_file);
            let secret = &mut settings[index];
            match secret.value.as_ref().map(|(source, _)| *source) {
                // The command line takes precedence over the environment and the settings file.
                Some(Source::CommandLine) if source != Source::CommandLine => continue,
                Some(own) if own == Source::CommandLine || source != Source::CommandLine => {
                    problems.push(SettingProblem {
                        variable: name,
                        place,
                        what: format!("{} is set too", secret.variable),
                        remedy: format!("remove {}, or remove the file", secret.variable),
                    });
                    continue;
                }
                _ => {}
            }
            let Some(path) = paths.first().map(PathBuf::from) else { continue };
            match secret_file::read(&path) {
                Ok(content) => {
                    if content.is_open_to_all {
                        let shown = path.display();
                        warnings.push(format!(
                            "{name}: all users of this machine can read {shown}; run chmod o-r {shown}"
                        ));
                    }
                    secret.value = Some((Source::SecretFile, vec![content.text.into()]));
                }
                Err(error) => {
                    secret.is_refused = true;
                    problems.push(SettingProblem {
                        variable: name,
                        place,
                        what: format!("{} {error}", path.display()),
                        remedy: format!(
                            "give a file of at most 64 KiB that contains the value of {}",
                            secret.variable
                        ),
                    });
                }
            }
        }
    }
}
