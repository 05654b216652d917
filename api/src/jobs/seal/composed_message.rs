//! The result of composing one message.

/// The bytes of the composed message, or an error. `None`: there is nothing to send.
pub(super) type ComposedMessage = Option<anyhow::Result<Vec<u8>>>;
