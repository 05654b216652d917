//! The result of composing one message.

/// A message, or why it can't be put together; `None`: it would have nothing to say.
pub(super) type ComposedMessage = Option<anyhow::Result<Vec<u8>>>;
