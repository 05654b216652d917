//! Reads and sets the portal's cookies. They are `HttpOnly` and limited to this host. With an https
//! public URL, their names begin with `__Host-`, so that a browser accepts them only over TLS and only
//! from this host. That prefix needs the path `/`.

use crate::app::state::AppState;
use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::AppendHeaders,
};

/// The maximum number of cookies with one name that are read.
const MAX_COOKIES: usize = 4;

/// The prefix of a cookie that browsers accept only over TLS and only from this host.
const HOST_PREFIX: &str = "__Host-";
/// The prefix that earlier versions used.
const FORMER_PREFIX: &str = "__Secure-";

/// The `Set-Cookie` headers of a response.
pub type SetCookie = AppendHeaders<Vec<(HeaderName, HeaderValue)>>;

/// A cookie of the portal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cookie {
    /// The name without a prefix.
    pub(super) name: &'static str,
    /// How long the browser keeps it, in seconds.
    pub(super) lifetime: u32,
    /// The path for which earlier versions set the cookie. `None`: they did not know it.
    pub(super) former_path: Option<&'static str>,
}

impl Cookie {
    /// Returns the values of this cookie, at most [`MAX_COOKIES`]. Those that an earlier version has set
    /// are last.
    pub(super) fn values<'a>(&self, headers: &'a HeaderMap, state: &AppState) -> Vec<&'a str> {
        let former = self.former_name(state);
        let former = former.iter().flat_map(|name| values_of(headers, name));
        values_of(headers, &self.name(state)).chain(former).take(MAX_COOKIES).collect()
    }

    /// Whether the browser has the cookie under its present name.
    pub(super) fn is_current(&self, headers: &HeaderMap, state: &AppState) -> bool {
        values_of(headers, &self.name(state)).next().is_some()
    }

    /// Returns the headers that set this cookie. A cookie of an earlier version is removed.
    pub(super) fn set(&self, headers: &HeaderMap, state: &AppState, value: &str) -> SetCookie {
        let (name, lifetime) = (self.name(state), self.lifetime);
        let (path, secure) = match (is_encrypted(state), self.former_path) {
            (true, _) => ("/", "; Secure"),
            (false, path) => (path.unwrap_or("/"), ""),
        };
        let mut cookies =
            vec![format!("{name}={value}; Path={path}; Max-Age={lifetime}; HttpOnly; SameSite=Lax{secure}")];
        if let (Some(name), Some(path)) = (self.former_name(state), self.former_path)
            && values_of(headers, &name).next().is_some()
        {
            cookies.push(format!("{name}=; Path={path}; Max-Age=0; HttpOnly; SameSite=Lax; Secure"));
        }
        let parsed = cookies.into_iter().filter_map(|cookie| cookie.parse().ok());
        AppendHeaders(parsed.map(|value| (header::SET_COOKIE, value)).collect())
    }

    fn name(&self, state: &AppState) -> String {
        let prefix = if is_encrypted(state) { HOST_PREFIX } else { "" };
        format!("{prefix}{}", self.name)
    }

    fn former_name(&self, state: &AppState) -> Option<String> {
        let is_renamed = is_encrypted(state) && self.former_path.is_some();
        is_renamed.then(|| format!("{FORMER_PREFIX}{}", self.name))
    }
}

fn values_of<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(move |cookie| {
        let (found, value) = cookie.trim().split_once('=')?;
        (found == name).then_some(value)
    })
}

fn is_encrypted(state: &AppState) -> bool {
    state.config.base_url().starts_with("https:")
}
