//! From a newspaper page to a notice.
