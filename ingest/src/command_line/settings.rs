//! `ingest settings`, and what the program knows about its settings.

use clap::{Args, Subcommand};
use settings::{Environment, Program, SettingsError};
use std::path::PathBuf;

/// What `ingest` knows about its settings besides their arguments.
pub(crate) const PROGRAM: Program = Program {
    former: &[],
    prefixes: &["INGEST_", "OPENAI_"],
    examples: &[
        ("INGEST_PORTAL", "https://tenders.example"),
        ("INGEST_NAME", "reader-1"),
        ("INGEST_HOLD_DOUBTFUL", "true"),
        ("INGEST_JOBS", "2"),
        ("INGEST_GAZETTEER", "/etc/serendib-tenders/gazetteer.tsv"),
        ("INGEST_MAX_COST", "10"),
        ("INGEST_TOKEN", "operator_0000"),
        ("INGEST_TOKEN_FILE", "/etc/serendib-tenders/operator.token"),
        ("OPENAI_API_KEY", "sk-0000"),
        ("OPENAI_API_KEY_FILE", "/etc/serendib-tenders/openai.key"),
        ("OPENAI_MODEL", "gpt-5-mini"),
    ],
    checked_commands: &["work"],
};

#[derive(Args)]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Settings {
    /// Print a settings file with all settings, each commented out, with its help text and default
    #[arg(long)]
    template: bool,
    #[command(subcommand)]
    command: Option<SettingsCommand>,
}

#[derive(Subcommand)]
enum SettingsCommand {
    /// Check the settings without reading a page. Exit code 0: correct, 2: wrong
    Check {
        /// A settings file; variables of the environment take precedence
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// Runs `ingest settings`. `command` is the command line of the program.
pub(crate) fn settings(command: &Settings, program: clap::Command) -> anyhow::Result<bool> {
    match &command.command {
        Some(SettingsCommand::Check { file }) => {
            let problems = PROGRAM.check_values(program, file.as_deref(), &Environment::of_process());
            if !problems.is_empty() {
                return Err(SettingsError(problems).into());
            }
            super::print_line("the settings are correct");
        }
        None => print!("{}", PROGRAM.template(program)),
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory;

    #[test]
    fn settings_file_can_replace_every_option_of_a_worker() {
        let program = Cli::command();
        let work = program.find_subcommand("work").unwrap();
        let without: Vec<_> = work
            .get_arguments()
            .filter(|arg| arg.get_env().is_none())
            .map(|arg| arg.get_id().as_str())
            .collect();
        assert_eq!(without, ["once", "json"]);
    }

    #[test]
    fn template_is_a_correct_settings_file_with_every_line_uncommented() {
        let template = PROGRAM.template(Cli::command());
        let settings: Vec<_> = template
            .lines()
            .filter(|line| line.starts_with('#') && !line.starts_with("# ") && !line.ends_with('='))
            .map(|line| &line[1..])
            .collect();
        assert!(settings.len() >= 20, "{settings:?}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ingest.env");
        std::fs::write(&file, settings.join("\n")).unwrap();
        let problems = PROGRAM.check_values(Cli::command(), Some(&file), &Environment::default());
        assert!(problems.is_empty(), "{problems:?}");
    }
}
