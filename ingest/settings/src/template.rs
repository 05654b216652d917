//! Prints a settings file with all settings, as a template for the operator.

use crate::{
    env_file::quote,
    program::{Program, SETTINGS, all_settings, default_of, variable_of, with_secret_files},
};
use clap::{Arg, Command};

/// The subject of settings without a heading.
const GENERAL: &str = "General";
/// The maximum length of a line.
const WIDTH: usize = 98;

impl Program {
    /// Returns a settings file with all settings of all commands, grouped by subject. Each setting is
    /// commented out, with its help text and its default.
    #[must_use]
    pub fn template(&self, command: Command) -> String {
        let name = command.get_name().to_owned();
        let command = with_secret_files(command);
        let former = |variable: &str| self.former.iter().any(|former| former.variable == variable);
        // The option of a secret may be hidden, because other users can see command lines.
        let settings = all_settings(&command)
            .into_iter()
            .filter(|arg| !arg.is_hide_set() || arg.is_hide_env_values_set())
            .filter(|arg| variable_of(arg).is_some_and(|variable| variable != SETTINGS && !former(variable)));
        let mut subjects: Vec<(&str, Vec<&Arg>)> = Vec::new();
        for arg in settings {
            let subject = arg.get_help_heading().unwrap_or(GENERAL);
            match subjects.iter_mut().find(|(known, _)| *known == subject) {
                Some((_, args)) => args.push(arg),
                None => subjects.push((subject, vec![arg])),
            }
        }
        let mut text = comment(&format!(
            "Settings of `{name}`. To change a setting, remove the # before its name. `{name} settings check FILE` checks this file."
        ));
        for (subject, args) in subjects {
            text.push_str(&format!("\n# ---- {subject} ----\n"));
            for arg in args {
                text.push_str(&self.entry(arg));
            }
        }
        text
    }

    fn entry(&self, arg: &Arg) -> String {
        let help =
            arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
        let mut text = format!("\n{}", comment(&help));
        let possible = arg.get_possible_values();
        if !possible.is_empty() && arg.get_action().takes_values() {
            let names: Vec<_> = possible.iter().map(|value| value.get_name()).collect();
            text.push_str(&comment(&format!("Possible values: {}", names.join(", "))));
        }
        let default = default_of(arg);
        match &default {
            Some(default) => text.push_str(&comment(&format!("Default: {default}"))),
            None if !arg.get_action().takes_values() => text.push_str("# Default: false\n"),
            None => {}
        }
        let variable = variable_of(arg).unwrap_or_default();
        let value = default.or_else(|| self.example(arg)).unwrap_or_default();
        text.push_str(&format!("#{variable}={}\n", quote(&value)));
        text
    }
}

/// Formats text as lines of a comment.
fn comment(text: &str) -> String {
    let (mut lines, mut line) = (String::new(), String::from("#"));
    for word in text.split_whitespace() {
        if line.len() + word.len() + 1 > WIDTH && line.len() > 1 {
            lines.push_str(&line);
            lines.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    lines.push_str(&line);
    lines.push('\n');
    lines
}
