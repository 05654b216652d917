use super::*;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind, value_parser};
use rstest::rstest;
use std::{net::SocketAddr, os::unix::ffi::OsStringExt, path::PathBuf};

#[derive(Debug, Parser)]
#[command(name = "server")]
struct Arguments {
    /// The settings file
    #[arg(long, env = "SETTINGS", global = true)]
    settings: Option<PathBuf>,
    #[arg(long, env = "LOG", default_value = "info", global = true)]
    log: String,
    #[command(subcommand)]
    command: ServerCommand,
}

#[derive(Debug, Subcommand)]
enum ServerCommand {
    Serve {
        /// The database
        #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
        database_url: String,
        #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
        listen: SocketAddr,
        #[arg(long, env = "CONNECTIONS", default_value_t = 8, value_parser = value_parser!(u32).range(4..=50))]
        connections: u32,
        #[arg(long, env = "MIGRATE")]
        migrate: bool,
        #[arg(long, env = "EARLIER_KEYS", hide_env_values = true, value_delimiter = ',')]
        earlier_keys: Vec<String>,
        #[arg(long, env = "HOLD")]
        hold: Option<bool>,
    },
    Other,
    #[command(hide = true)]
    Internal,
}

const PROGRAM: Program = Program {
    former: &[FormerName { variable: "BEHIND_PROXY", remedy: "write TRUSTED_PROXIES=127.0.0.1 instead" }],
    prefixes: &["EARLIER_"],
    examples: &[("DATABASE_URL", "postgres://host/name")],
    checked_commands: &["serve"],
};

fn resolve(arguments: &[&str], environment: &Environment) -> Result<Resolved, ResolveError> {
    let arguments: Vec<OsString> = ["server"].iter().chain(arguments).map(OsString::from).collect();
    PROGRAM.resolve(Arguments::command(), &arguments, environment)
}

/// The settings of `serve`, in text; or the error.
fn serve(arguments: &[&str], environment: &Environment) -> Result<String, String> {
    let resolved =
        resolve(&[&["serve"], arguments].concat(), environment).map_err(|error| error.to_string())?;
    if !resolved.problems.is_empty() {
        return Err(SettingsError(resolved.problems).to_string());
    }
    let arguments = Arguments::from_arg_matches(&resolved.matches).unwrap();
    let ServerCommand::Serve { database_url, listen, connections, migrate, earlier_keys, hold } =
        arguments.command
    else {
        panic!("another command")
    };
    let log = arguments.log;
    Ok(format!("{database_url} {listen} {connections} {migrate} {earlier_keys:?} {hold:?} {log}"))
}

fn settings_file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("server.env");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn command_line_precedes_the_environment_which_precedes_the_file() {
    let (_folder, path) =
        settings_file("DATABASE_URL=file\nLISTEN=127.0.0.1:1\nCONNECTIONS=5\nMIGRATE=true\nLOG=debug\n");
    let environment =
        Environment::from([("LISTEN", "127.0.0.1:2"), ("CONNECTIONS", "6"), ("SETTINGS", &path)]);
    let read = serve(&["--connections", "7"], &environment).unwrap();
    assert_eq!(read, "file 127.0.0.1:2 7 true [] None debug");
    let read = serve(&["--settings", &path, "--log", "warn"], &Environment::default()).unwrap();
    assert_eq!(read, "file 127.0.0.1:1 5 true [] None warn");
}

#[test]
fn lists_flags_and_empty_values_are_read_from_the_environment() {
    let environment = Environment::from([
        ("DATABASE_URL", "db"),
        ("EARLIER_KEYS", "a,b"),
        ("MIGRATE", "false"),
        ("HOLD", "true"),
        ("LISTEN", ""),
    ]);
    assert_eq!(serve(&[], &environment).unwrap(), "db 127.0.0.1:8080 8 false [\"a\", \"b\"] Some(true) info");
}

#[test]
fn all_wrong_values_are_reported_together() {
    let (_folder, path) =
        settings_file("CONNECTIONS=3\nLISTEM=x\nSETTINGS=y\nMIGRATE=perhaps\n\nMIGRATE=true\n");
    let environment = Environment::from([("LISTEN", "nowhere"), ("BEHIND_PROXY", "1"), ("HOLD", "x")]);
    let error = serve(&["--settings", &path], &environment).unwrap_err();
    for expected in [
        "9 settings are wrong".to_owned(),
        format!("LISTEM (line 2 of {path}): is not a setting; did you mean LISTEN?"),
        format!("SETTINGS (line 3 of {path}): cannot be set"),
        format!("MIGRATE (line 6 of {path}): is already set in line 4"),
        "BEHIND_PROXY (environment): no longer exists; write TRUSTED_PROXIES=127.0.0.1 instead".to_owned(),
        format!(
            "CONNECTIONS (line 1 of {path}): \"3\" is not accepted: 3 is not in 4..=50; write a value such as CONNECTIONS=8"
        ),
        "LISTEN (--listen): \"nowhere\" is not accepted".to_owned(),
        "HOLD (--hold): \"x\" is not one of true, false".to_owned(),
        format!("MIGRATE (line 4 of {path}): \"perhaps\" is not one of true, false"),
    ] {
        assert!(error.contains(&expected), "{expected}\n{error}");
    }
    assert!(error.contains("DATABASE_URL (--database-url): is not set; write a value such as DATABASE_URL=postgres://host/name"), "{error}");
}

#[test]
fn wrong_option_is_reported_with_wrong_variables() {
    let environment = Environment::from([("DATABASE_URL", "db"), ("CONNECTIONS", "many")]);
    let error = serve(&["--listen", "x"], &environment).unwrap_err();
    assert!(error.contains("LISTEN (--listen)") && error.contains("CONNECTIONS (--connections)"), "{error}");
}

#[test]
fn unknown_option_and_help_are_left_to_the_command() {
    let usage = |arguments: &[&str]| match resolve(arguments, &Environment::default()) {
        Err(ResolveError::Usage(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(usage(&["serve", "--lisen", "x"]).kind(), ErrorKind::UnknownArgument);
    let help = usage(&["serve", "--help"]);
    assert_eq!(help.kind(), ErrorKind::DisplayHelp);
    assert!(help.to_string().contains("--database-url-file <FILE>"), "{help}");
    assert!(help.to_string().contains("[env: DATABASE_URL_FILE=]"), "{help}");
}

#[test]
fn missing_command_lists_the_commands_of_the_help() {
    let error = resolve(&["--log", "debug"], &Environment::default()).unwrap_err().to_string();
    assert!(error.contains("[subcommands: serve, other, help]"), "{error}");
}

#[test]
fn similar_variable_gets_a_warning_with_the_probable_name() {
    let environment = Environment::from([
        ("DATABASE_URL", "db"),
        ("CONECTIONS", "9"),
        ("EARLIER_THINGS", "x"),
        ("HOME", "/root"),
    ]);
    let resolved = resolve(&["serve"], &environment).unwrap();
    assert_eq!(
        resolved.warnings,
        [
            "the environment variable CONECTIONS is not a setting; did you mean CONNECTIONS?",
            "the environment variable EARLIER_THINGS is not a setting; did you mean EARLIER_KEYS?"
        ]
    );
    assert_eq!(resolve(&["other"], &environment).unwrap().warnings, Vec::<String>::new());
}

#[rstest]
#[case("hush\n", &[], Ok("hush"))]
#[case("hush\n", &[("DATABASE_URL", "x")], Err("DATABASE_URL is set too"))]
#[case("", &[], Err("is empty"))]
fn secret_is_read_from_its_file(
    #[case] content: &str,
    #[case] more: &[(&str, &str)],
    #[case] expected: Result<&str, &str>,
) {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = settings_file(content);
    let mut environment = Environment::from([("DATABASE_URL_FILE", path.as_str())]);
    environment.0.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())));
    match (serve(&[], &environment), expected) {
        (Ok(read), Ok(secret)) => assert!(read.starts_with(&format!("{secret} ")), "{read}"),
        (Err(error), Err(what)) => {
            assert!(
                error.contains("DATABASE_URL_FILE (--database-url-file)") && error.contains(what),
                "{error}"
            );
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        other => panic!("{other:?}"),
    }
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    if expected.is_ok() {
        let warnings = resolve(&["serve"], &environment).unwrap().warnings;
        let expected =
            format!("DATABASE_URL_FILE: all users of this machine can read {path}; run chmod o-r {path}");
        assert_eq!(warnings, [expected]);
    }
    let named = serve(&["--database-url-file", &path], &Environment::default());
    assert_eq!(named.is_ok(), content == "hush\n", "{named:?}");
    if let Ok(read) = named {
        assert!(read.starts_with("hush "), "{read}");
    }
    // The command line takes precedence.
    assert!(
        serve(&["--database-url", "given"], &Environment::from([("DATABASE_URL_FILE", "/nowhere")])).is_ok()
    );
}

#[test]
fn secret_is_never_printed() {
    let secret = OsString::from_vec(b"hush\xff".to_vec());
    let mut environment = Environment::default();
    environment.0.insert("DATABASE_URL".to_owned(), secret);
    let error = serve(&[], &environment).unwrap_err();
    assert!(
        error.contains("DATABASE_URL (--database-url): the value is not accepted") && !error.contains("hush"),
        "{error}"
    );
}

#[test]
fn template_is_accepted_as_a_settings_file_with_every_line_uncommented() {
    let template = PROGRAM.template(Arguments::command());
    assert!(template.contains("# The database\n#DATABASE_URL=postgres://host/name\n"), "{template}");
    assert!(template.contains("# Default: 8\n#CONNECTIONS=8\n"), "{template}");
    let (_folder, path) = settings_file(&template);
    assert!(serve(&["--settings", &path, "--database-url", "x"], &Environment::default()).is_ok());
    let uncommented: String = template
        .lines()
        .filter_map(|line| {
            line.strip_prefix('#').filter(|line| !line.starts_with(' ') && !line.contains("_FILE="))
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    let (_folder, path) = settings_file(&uncommented);
    let read = serve(&["--settings", &path], &Environment::default()).unwrap();
    assert_eq!(read, "postgres://host/name 127.0.0.1:8080 8 true [] Some(true) info");
}
