//! Settings about the company that runs the portal, and about its account manager.

use clap::Args;
use serde::Serialize;

/// The company that runs the portal, as shown on its pages. Absent values are not shown.
#[derive(Debug, Clone, Default, Args, Serialize)]
#[serde(rename_all = "camelCase")]
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

/// The account manager of Enterprise subscribers, as shown to them. Without a name, no manager is
/// shown.
#[derive(Debug, Clone, Default, Args)]
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
