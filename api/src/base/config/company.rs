//! Settings about the company that runs the portal, and about its account manager.

use crate::domain::validation;
use clap::Args;
use serde::Serialize;
use settings::Findings;

/// The company that runs the portal, as shown on its pages. Absent values are not shown.
#[derive(Debug, Clone, Default, Args, Serialize)]
#[serde(rename_all = "camelCase")]
#[command(next_help_heading = "Company")]
pub struct CompanyConfig {
    /// The registered name of the company that runs the portal
    #[arg(long, env = "COMPANY_NAME", value_name = "NAME")]
    pub company_name: Option<String>,
    /// The company's postal address, in one line
    #[arg(long, env = "COMPANY_ADDRESS", value_name = "ADDRESS")]
    pub company_address: Option<String>,
    /// The company's telephone number
    #[arg(long, env = "COMPANY_PHONE", value_name = "NUMBER")]
    pub company_phone: Option<String>,
    /// The company's mail address on the contact page. Messages of the contact form are mailed to
    /// this address
    #[arg(long, env = "CONTACT_EMAIL", value_name = "ADDRESS")]
    pub contact_email: Option<String>,
    /// Where to report a vulnerability: a mail address or an https:// URL, for
    /// /.well-known/security.txt [default: CONTACT_EMAIL]
    #[arg(long, env = "SECURITY_CONTACT", value_name = "CONTACT")]
    #[serde(skip)]
    pub security_contact: Option<String>,
    /// The telephone number on the contact page [default: COMPANY_PHONE]
    #[arg(long, env = "CONTACT_PHONE", value_name = "NUMBER")]
    pub contact_phone: Option<String>,
    /// The postal address on the contact page, in one line [default: COMPANY_ADDRESS]
    #[arg(long, env = "CONTACT_ADDRESS", value_name = "ADDRESS")]
    pub contact_address: Option<String>,
    /// The contact for the Enterprise plan on the contact page: a mail address or a telephone
    /// number, with or without a name
    #[arg(long, env = "ENTERPRISE_CONTACT", value_name = "CONTACT")]
    pub enterprise_contact: Option<String>,
}

impl CompanyConfig {
    /// Fills in the defaults of the contact page. A demonstration gets example values.
    #[must_use]
    pub fn with_defaults(self, demo: bool) -> Self {
        let demo = |text: &str| demo.then(|| text.to_owned());
        Self {
            contact_email: self.contact_email.or_else(|| demo("contact@demo.test")),
            contact_phone: self
                .contact_phone
                .or_else(|| self.company_phone.clone())
                .or_else(|| demo("+94 11 000 0000")),
            contact_address: self
                .contact_address
                .or_else(|| self.company_address.clone())
                .or_else(|| demo("1 Example Street, Colombo 01")),
            enterprise_contact: self.enterprise_contact.or_else(|| demo("sales@demo.test")),
            ..self
        }
    }
}

impl CompanyConfig {
    /// Checks the addresses and the texts.
    pub fn check(&self, found: &mut Findings) {
        check_mail_address(found, "CONTACT_EMAIL", self.contact_email.as_deref());
        match self.security_contact.as_deref() {
            Some(url) if url.contains("://") => {
                found.check_url("SECURITY_CONTACT", url, &["https"], "https://portal.example/report");
            }
            contact => check_mail_address(found, "SECURITY_CONTACT", contact),
        }
        for (variable, text) in [
            ("COMPANY_NAME", &self.company_name),
            ("COMPANY_ADDRESS", &self.company_address),
            ("COMPANY_PHONE", &self.company_phone),
            ("CONTACT_PHONE", &self.contact_phone),
            ("CONTACT_ADDRESS", &self.contact_address),
            ("ENTERPRISE_CONTACT", &self.enterprise_contact),
        ] {
            if text.as_deref().is_some_and(|text| text.chars().any(char::is_control)) {
                found.refuse(
                    variable,
                    "the value has a line break or another control character",
                    "write one line",
                );
            }
        }
    }
}

/// Refuses a text that is not a mail address.
fn check_mail_address(found: &mut Findings, variable: &str, address: Option<&str>) {
    if let Some(address) = address.filter(|address| address.parse::<validation::Email>().is_err()) {
        let remedy = format!("write {variable}=desk@example.lk");
        found.refuse(variable, format_args!("{address:?} is not a mail address"), remedy);
    }
}

/// The account manager of Enterprise subscribers, as shown to them. Without a name, no manager is
/// shown.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Company")]
pub struct ManagerConfig {
    /// The name of the account manager for Enterprise subscribers
    #[arg(long, env = "ENTERPRISE_MANAGER_NAME", value_name = "NAME")]
    pub enterprise_manager_name: Option<String>,
    /// The account manager's mail address
    #[arg(long, env = "ENTERPRISE_MANAGER_EMAIL", value_name = "ADDRESS")]
    pub enterprise_manager_email: Option<String>,
    /// The account manager's telephone number
    #[arg(long, env = "ENTERPRISE_MANAGER_PHONE", value_name = "NUMBER")]
    pub enterprise_manager_phone: Option<String>,
}

impl ManagerConfig {
    /// Checks the mail address, and warns about values that are not shown.
    pub fn check(&self, found: &mut Findings) {
        let set = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
        if set(&self.enterprise_manager_email) {
            check_mail_address(found, "ENTERPRISE_MANAGER_EMAIL", self.enterprise_manager_email.as_deref());
        }
        let has_contact = set(&self.enterprise_manager_email) || set(&self.enterprise_manager_phone);
        if has_contact && !set(&self.enterprise_manager_name) {
            found.warn(
                "ENTERPRISE_MANAGER_NAME",
                "is not set, so the account manager is not shown; write a name",
            );
        }
    }
}
