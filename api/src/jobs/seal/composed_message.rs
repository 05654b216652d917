//! The result of composing one message.

/// The composed message, or an error. `None`: the message would be empty.
pub(super) type ComposedMessage = Option<anyhow::Result<Vec<u8>>>;
