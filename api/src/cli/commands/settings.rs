//! `api settings`, and what the program knows about its settings.

use crate::base::config::{BEHIND_PROXY_REMEDY, ServeConfig};
use clap::{Args, FromArgMatches, Subcommand};
use settings::{Environment, Findings, FormerName, Program, ResolveError};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};
use tracing_subscriber::EnvFilter;

/// What `api` knows about its settings besides their arguments.
pub const PROGRAM: Program = Program {
    former: &[FormerName { variable: "BEHIND_PROXY", remedy: BEHIND_PROXY_REMEDY }],
    prefixes: &[
        "COLLECT_",
        "DATABASE_",
        "ENTERPRISE_",
        "GOOGLE_KEYS_",
        "JOB_DATABASE_",
        "MAIL_",
        "PAYHERE_",
        "RETAIN_",
        "SMTP_",
        "STRIPE_",
        "TRUSTED_",
        "TWILIO_",
        "WHATSAPP_",
    ],
    examples: &[
        ("DATABASE_URL", "postgres://user:password@localhost:5432/serendib"),
        ("PUBLIC_URL", "https://tenders.example"),
        ("SMTP_URL", "smtps://user:password@mail.example"),
        ("MAIL_TO_DISK", "false"),
        ("MAIL_RETURNS", "returns@tenders.example"),
        ("DEMO", "false"),
        ("LOG_JSON", "true"),
        ("TRUSTED_PROXIES", "127.0.0.1"),
        ("TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000000"),
        ("TWILIO_AUTH_TOKEN", "00000000000000000000000000000000"),
        ("SMS_FROM", "+14155238886"),
        ("WHATSAPP_FROM", "+14155238886"),
        ("WHATSAPP_TEMPLATE", "HX00000000000000000000000000000000"),
        ("WEBHOOKS_TO_PRIVATE", "false"),
        ("COMPANY_NAME", "Example Tenders (Pvt) Ltd"),
        ("COMPANY_ADDRESS", "1 Example Street, Colombo 01"),
        ("COMPANY_PHONE", "+94 11 000 0000"),
        ("CONTACT_EMAIL", "desk@tenders.example"),
        ("SECURITY_CONTACT", "security@tenders.example"),
        ("CONTACT_PHONE", "+94 11 000 0000"),
        ("CONTACT_ADDRESS", "1 Example Street, Colombo 01"),
        ("ENTERPRISE_CONTACT", "sales@tenders.example"),
        ("ENTERPRISE_MANAGER_NAME", "Dilini Perera"),
        ("ENTERPRISE_MANAGER_EMAIL", "dilini@tenders.example"),
        ("ENTERPRISE_MANAGER_PHONE", "+94 11 000 0000"),
        ("REQUIRE_SECOND_FACTOR", "true"),
        ("GOOGLE_CLIENT_ID", "1234-abcd.apps.googleusercontent.com"),
        ("PAYMENTS", "stripe"),
        ("STRIPE_SECRET_KEY", "sk_live_0000"),
        ("STRIPE_WEBHOOK_SECRET", "whsec_0000"),
        ("PAYHERE_MERCHANT_ID", "1210000"),
        ("PAYHERE_MERCHANT_SECRET", "0000"),
        ("PAYHERE_APP_ID", "0000"),
        ("PAYHERE_APP_SECRET", "0000"),
        ("VAT_NUMBER", "123456789-7000"),
        ("VAT_RATE_PERCENT", "18"),
        ("HOLD_FIRST_PUBLICATION", "true"),
        ("RATES_LKR", "USD:302.5,EUR:328"),
        ("AWS_ACCESS_KEY_ID", "0000"),
        ("AWS_SECRET_ACCESS_KEY", "0000"),
        ("AWS_REGION", "ap-south-1"),
        ("AWS_ENDPOINT", "https://s3.example.lk"),
    ],
    checked_commands: &["serve", "check"],
};

/// The arguments of `api settings`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub struct SettingsArguments {
    /// Print a settings file with all settings, each commented out, with its help text and default
    #[arg(long)]
    template: bool,
    #[command(subcommand)]
    command: Option<SettingsCommand>,
}

/// The subcommands of `api settings`.
#[derive(Debug, Subcommand)]
pub enum SettingsCommand {
    /// Check the settings of `api serve` without starting it. Exit code 0: correct, 2: wrong
    Check {
        /// A settings file; variables of the environment take precedence
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// Runs `api settings`. `command` is the command line of the program.
///
/// # Errors
/// All problems of the settings.
pub fn settings(arguments: &SettingsArguments, command: clap::Command) -> Result<(), ResolveError> {
    match &arguments.command {
        Some(SettingsCommand::Check { file }) => {
            for warning in check_settings(command, file.as_deref(), &Environment::of_process())? {
                println!("warning: {warning}");
            }
            println!("the settings are correct");
        }
        None => print!("{}", PROGRAM.template(command)),
    }
    Ok(())
}

/// Checks the settings of `api serve` in a settings file and in the environment. Returns warnings.
fn check_settings(
    command: clap::Command,
    file: Option<&Path>,
    environment: &Environment,
) -> Result<Vec<String>, ResolveError> {
    let of_file = file.map(|file| [OsString::from("--settings"), file.into()]);
    let mut arguments: Vec<OsString> = vec!["api".into(), "serve".into()];
    arguments.extend(of_file.into_iter().flatten());
    let problems = PROGRAM.check_values(command.clone(), file, environment);
    let mut found = Findings { problems, ..Findings::default() };
    let resolved = PROGRAM.resolve(command, &arguments, environment)?;
    if let Some(log) = resolved.matches.get_one::<String>("log") {
        check_log(log, &mut found);
    }
    if let Some(matches) = resolved.matches.subcommand_matches("serve") {
        let config = ServeConfig::from_arg_matches(matches)?;
        let of_config = config.check();
        found.problems.extend(of_config.problems);
        found.warnings.extend(of_config.warnings);
        config.check_files(&mut found);
    }
    Ok(resolved.join(found)?)
}

/// Refuses a malformed log filter.
pub fn check_log(log: &str, found: &mut Findings) {
    if let Err(error) = EnvFilter::try_new(log) {
        found.refuse(
            "LOG",
            format_args!("{log:?} is not a log filter ({error})"),
            "write LOG=info or LOG=api=debug,sqlx=warn",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use rstest::rstest;
    use settings::SettingProblem;

    #[derive(Parser)]
    #[command(name = "api")]
    struct CommandLine {
        #[arg(long, env = "SETTINGS", global = true)]
        settings: Option<PathBuf>,
        #[arg(long, env = "LOG", default_value = "info", global = true)]
        log: String,
        #[command(subcommand)]
        command: ServeCommand,
    }

    #[derive(Subcommand)]
    enum ServeCommand {
        Serve(Box<ServeConfig>),
    }

    fn command() -> clap::Command {
        <CommandLine as clap::CommandFactory>::command()
    }

    /// A folder with a data folder, a web application and a settings file.
    fn folder(settings: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let web = folder.path().join("web");
        std::fs::create_dir(&web).unwrap();
        std::fs::write(web.join("index.html"), "").unwrap();
        let places = format!("DATA={}\nWEB={}\n", folder.path().join("data").display(), web.display());
        let file = folder.path().join("api.env");
        std::fs::write(&file, places + settings).unwrap();
        (folder, file)
    }

    /// The problems of these settings besides correct ones.
    fn problems_of(settings: &str) -> Vec<SettingProblem> {
        let mut lines: Vec<&str> = settings.lines().filter(|line| !line.is_empty()).collect();
        for line in ["DATABASE_URL=postgres://localhost/x", "SMTP_URL=smtps://u:hush@mail.example"] {
            let name = line.split('=').next().unwrap();
            let is_given = lines.iter().any(|other| other.starts_with(&format!("{name}=")));
            if !is_given && (name == "DATABASE_URL" || !settings.contains("MAIL_TO_DISK=")) {
                lines.push(line);
            }
        }
        let (_folder, file) = folder(&lines.join("\n"));
        match check_settings(command(), Some(&file), &Environment::default()) {
            Ok(_) => Vec::new(),
            Err(ResolveError::Settings(error)) => error.0,
            Err(error) => panic!("{error}"),
        }
    }

    #[rstest]
    #[case("DATABASE_URL=mysql://localhost/x", &["DATABASE_URL"])]
    #[case("DATABASE_URL=postgres://[/x", &["DATABASE_URL"])]
    #[case("LISTEN=localhost:80", &["LISTEN"])]
    #[case("LISTEN=127.0.0.1", &["LISTEN"])]
    #[case("RETAIN_GUEST_VIEWS_DAYS=31", &["RETAIN_GUEST_VIEWS_DAYS"])]
    #[case("LOG=api=loud", &["LOG"])]
    #[case("PUBLIC_URL=portal.example", &["PUBLIC_URL"])]
    #[case("PUBLIC_URL=javascript:x", &["PUBLIC_URL"])]
    #[case("PUBLIC_URL=https://portal.example/path", &["PUBLIC_URL"])]
    #[case("PUBLIC_URL=https://portal.example/?x", &["PUBLIC_URL"])]
    #[case("PUBLIC_URL=https://user:hush@portal.example", &["PUBLIC_URL"])]
    #[case("DEMO=true\nPUBLIC_URL=https://portal.example\nLISTEN=0.0.0.0:80\nTRUSTED_PROXIES=10.0.0.1", &["PUBLIC_URL", "LISTEN", "TRUSTED_PROXIES"])]
    #[case("DEMO=perhaps", &["DEMO"])]
    #[case("MIGRATE=1", &["MIGRATE"])]
    #[case("TRUSTED_PROXIES=proxy.example", &["TRUSTED_PROXIES"])]
    #[case("TRUSTED_PROXIES=0.0.0.0/0", &["TRUSTED_PROXIES"])]
    #[case("PROXY_HOPS=0", &["PROXY_HOPS"])]
    #[case("BEHIND_PROXY=true", &["BEHIND_PROXY"])]
    #[case("SMTP_URL=http://mail.example", &["SMTP_URL"])]
    #[case("SMTP_URL=smtp://", &["SMTP_URL"])]
    #[case("SMTP_URL=smtp://u:hush@mail.example?tls=maybe", &["SMTP_URL"])]
    #[case("SMTP_URL=smtps://mail.example\nMAIL_TO_DISK=true", &["SMTP_URL"])]
    #[case("MAIL_TO_DISK=false", &["SMTP_URL"])]
    #[case("MAIL_FROM=nobody", &["MAIL_FROM"])]
    #[case("MAIL_RETURNS=nobody", &["MAIL_RETURNS"])]
    #[case("MAIL_CONNECTIONS=0", &["MAIL_CONNECTIONS"])]
    #[case("SMTP_TIMEOUT_SECONDS=0", &["SMTP_TIMEOUT_SECONDS"])]
    #[case("TWILIO_ACCOUNT_SID=AC0\nSMS_FROM=+14155238886", &["TWILIO_AUTH_TOKEN"])]
    #[case("TWILIO_ACCOUNT_SID=AC0/../x\nTWILIO_AUTH_TOKEN=hush\nSMS_FROM=x", &["TWILIO_ACCOUNT_SID"])]
    #[case("TWILIO_ACCOUNT_SID=AC0\nTWILIO_AUTH_TOKEN=hush", &["SMS_FROM"])]
    #[case("TWILIO_AUTH_TOKEN=hush", &["TWILIO_AUTH_TOKEN"])]
    #[case("TWILIO_ACCOUNT_SID=AC0\nTWILIO_AUTH_TOKEN=hush\nWHATSAPP_FROM=4155238886", &["WHATSAPP_FROM"])]
    #[case("TWILIO_ACCOUNT_SID=AC0\nTWILIO_AUTH_TOKEN=hush\nSMS_FROM=a/b", &["SMS_FROM"])]
    #[case("TWILIO_URL=api.twilio.com", &["TWILIO_URL"])]
    #[case("CONTACT_EMAIL=nonsense", &["CONTACT_EMAIL"])]
    #[case("SECURITY_CONTACT=http://portal.example", &["SECURITY_CONTACT"])]
    #[case("SECURITY_CONTACT=nonsense", &["SECURITY_CONTACT"])]
    #[case("COMPANY_ADDRESS=\"two\nlines\"", &["COMPANY_ADDRESS"])]
    #[case("ENTERPRISE_MANAGER_NAME=x\nENTERPRISE_MANAGER_EMAIL=x", &["ENTERPRISE_MANAGER_EMAIL"])]
    #[case("PASSWORD_MIN_LENGTH=5", &["PASSWORD_MIN_LENGTH"])]
    #[case("SESSION_DAYS=0", &["SESSION_DAYS"])]
    #[case("GOOGLE_CLIENT_ID=x\nGOOGLE_KEYS_URL=http://keys.example", &["GOOGLE_KEYS_URL"])]
    #[case("GOOGLE_CLIENT_ID=x\nGOOGLE_KEYS_URL=keys", &["GOOGLE_KEYS_URL"])]
    #[case("GOOGLE_CLIENT_ID=\"two words\"", &["GOOGLE_CLIENT_ID"])]
    #[case("PAYMENTS=paypal", &["PAYMENTS"])]
    #[case("PAYMENTS=sandbox", &["PAYMENTS"])]
    #[case("PAYMENTS=stripe\nSTRIPE_SECRET_KEY=sk_hush", &["PAYMENTS"])]
    #[case("PAYMENTS=stripe\nSTRIPE_SECRET_KEY=pk_hush\nSTRIPE_WEBHOOK_SECRET=hush", &["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"])]
    #[case("PAYMENTS=payhere\nPAYHERE_URL=http://payhere.example", &["PAYMENTS", "PAYHERE_URL"])]
    #[case("VAT_NUMBER=1", &["VAT_RATE_PERCENT"])]
    #[case("VAT_RATE_PERCENT=18", &["VAT_NUMBER"])]
    #[case("VAT_NUMBER=1\nVAT_RATE_PERCENT=101", &["VAT_RATE_PERCENT"])]
    #[case("GRACE_DAYS=1", &["GRACE_DAYS"])]
    #[case("SIGNING_KEY=hush", &["SIGNING_KEY"])]
    #[case("EARLIER_SIGNING_KEYS=hush,hush", &["EARLIER_SIGNING_KEYS"])]
    #[case("FILES=s3://bucket/portal", &["AWS_ACCESS_KEY_ID"])]
    #[case("FILES_MOVED_FROM=s3://bucket/portal", &["AWS_ACCESS_KEY_ID"])]
    #[case("FILES=s3://bucket/portal\nAWS_SECRET_ACCESS_KEY=hush", &["AWS_SECRET_ACCESS_KEY"])]
    #[case("FILES=s3://bucket/portal\nAWS_INSTANCE_CREDENTIALS=true", &[])]
    #[case("FILES=s3://bucket/portal\nAWS_ACCESS_KEY_ID=A0\nAWS_SECRET_ACCESS_KEY=hush", &[])]
    #[case("REVIEW_SAMPLE=2", &["REVIEW_SAMPLE"])]
    #[case("RATES_LKR=nonsense", &["RATES_LKR"])]
    #[case("RATE_LIMIT_FACTOR=0", &["RATE_LIMIT_FACTOR"])]
    #[case("SIGN_INS_A_MINUTE=0", &["SIGN_INS_A_MINUTE"])]
    #[case("RETAIN_LINKS_DAYS=-1", &["RETAIN_LINKS_DAYS"])]
    #[case("MAX_CONNECTIONS=many", &["MAX_CONNECTIONS"])]
    #[case("STATEMENT_SECONDS=9999", &["STATEMENT_SECONDS"])]
    #[case("SHUTDOWN_SECONDS=9999", &["SHUTDOWN_SECONDS"])]
    #[case("DOCUMENT_READER=/nowhere/api", &["DOCUMENT_READER"])]
    #[case("PUBLIC_ULR=https://portal.example", &["PUBLIC_ULR"])]
    #[case("DATABASE_URL_FILE=/nowhere", &["DATABASE_URL_FILE"])]
    fn wrong_setting_is_refused_at_the_start_with_a_remedy(
        #[case] settings: &str,
        #[case] variables: &[&str],
    ) {
        let problems = problems_of(settings);
        let named: Vec<&str> = problems.iter().map(|problem| problem.variable.as_str()).collect();
        assert_eq!(named, variables, "{problems:?}");
        assert!(problems.iter().all(|problem| !problem.remedy.is_empty()));
        assert!(!format!("{problems:?}").contains("hush"), "{problems:?}");
    }

    #[test]
    fn wrong_folders_are_refused_at_the_start() {
        let (folder, file) = folder("DATABASE_URL=postgres://localhost/x\nMAIL_TO_DISK=true\n");
        let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
        let refused = |name: &'static str, value: &str| {
            let environment = Environment::from([(name, value)]);
            let error = check_settings(command(), Some(&file), &environment).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name} (--")) && error.contains(value), "{error}");
        };
        refused("WEB", &path("nowhere"));
        refused("DATA", &path("api.env"));
        refused("DATA", "/proc/self/data");
        assert!(check_settings(command(), Some(&file), &Environment::default()).is_ok());
        assert!(!folder.path().join("data").exists(), "the check created a folder");
    }

    #[rstest]
    #[case("SMTP_URL=smtp://u:hush@mail.example", "SMTP_URL", "without TLS")]
    #[case("DATABASE_URL=postgres://u:hush@db.example/x", "DATABASE_URL", "without TLS")]
    #[case(
        "TWILIO_ACCOUNT_SID=AC0\nTWILIO_AUTH_TOKEN=hush\nSMS_FROM=x\nTWILIO_URL=http://sms.example",
        "TWILIO_URL",
        "without TLS"
    )]
    #[case("METRICS_LISTEN=0.0.0.0:9464", "METRICS_LISTEN", "all networks of this machine")]
    #[case("METRICS_LISTEN=[::]:9464", "METRICS_LISTEN", "write METRICS_LISTEN=127.0.0.1:9464")]
    #[case("METRICS_LISTEN=10.0.0.7:9464", "METRICS_LISTEN", "its network")]
    fn insecure_setting_is_told_at_the_start(
        #[case] settings: &str,
        #[case] variable: &str,
        #[case] what: &str,
    ) {
        let rest = "DATABASE_URL=postgres://localhost/x\nSMTP_URL=smtps://u:hush@mail.example\nMAIL_FROM=a@b.example\nMAIL_RETURNS=r@b.example";
        let name = |line: &str| line.split('=').next().unwrap_or_default().to_owned();
        let rest: Vec<&str> =
            rest.lines().filter(|line| !settings.contains(&format!("{}=", name(line)))).collect();
        let (_folder, file) = folder(&format!("{settings}\n{}\n", rest.join("\n")));
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        let warnings = check_settings(command(), Some(&file), &Environment::default()).unwrap();
        assert!(
            matches!(warnings.as_slice(), [only] if only.starts_with(variable) && only.contains(what)),
            "{warnings:?}"
        );
        assert!(!format!("{warnings:?}").contains("hush"));
    }

    #[test]
    fn template_is_a_correct_settings_file_with_every_line_uncommented() {
        let template = PROGRAM.template(command());
        let (_folder, file) = folder(&template);
        let environment =
            Environment::from([("DATABASE_URL", "postgres://localhost/x"), ("MAIL_TO_DISK", "true")]);
        check_settings(command(), Some(&file), &environment).unwrap();
        let is_setting = |line: &str| line.starts_with('#') && !line.starts_with("# ");
        let places = ["#DATA=", "#WEB=", "#DOCUMENT_READER="];
        let uncommented: Vec<&str> = template
            .lines()
            .filter(|line| is_setting(line) && !line.contains("_FILE="))
            .filter(|line| !places.iter().any(|place| line.starts_with(place)))
            .map(|line| &line[1..])
            .collect();
        assert!(uncommented.len() > 80, "{uncommented:?}");
        let (_folder, file) = folder(&uncommented.join("\n"));
        check_settings(command(), Some(&file), &Environment::default()).unwrap();
    }
}
