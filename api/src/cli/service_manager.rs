//! Tells systemd when the server can be used and when it stops. Without systemd, this does nothing.

use sd_notify::NotifyState;

/// Tells systemd that the server listens.
pub fn notify_ready() {
    notify(NotifyState::Ready);
}

/// Tells systemd that the server has begun to stop.
pub fn notify_stopping() {
    notify(NotifyState::Stopping);
}

fn notify(state: NotifyState<'_>) {
    // The server works without systemd. But a unit of type `notify` waits for this message in vain.
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "systemd cannot be told the state of the server");
    }
}
