//! The result of composing one message.

/// The composed message, or the error. `None`: there is nothing to say.
pub(super) type ComposedMessage = Option<anyhow::Result<Vec<u8>>>;
