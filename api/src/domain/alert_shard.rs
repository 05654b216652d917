//! [`AlertShard`]: a part of the stored alerts. Each shard is matched by itself.

use uuid::Uuid;

/// A shard of the stored alerts. The id of an alert decides to which shard it belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlertShard {
    /// The number of the shard, from 0.
    pub number: i32,
    /// The number of shards.
    pub count: i32,
}

impl AlertShard {
    /// The only shard, if the alerts are not divided.
    pub const WHOLE: Self = Self { number: 0, count: 1 };

    /// Whether an alert belongs to this shard. The function `matcher_shard_of` of the database gives the same
    /// answer.
    #[must_use]
    pub fn contains(self, alert_id: Uuid) -> bool {
        let [.., high, low] = *alert_id.as_bytes();
        i32::from(u16::from_be_bytes([high, low])) % self.count == self.number
    }

    /// Whether the alerts are divided into several shards.
    #[must_use]
    pub const fn is_part(self) -> bool {
        self.count > 1
    }

    /// Whether this is the last shard.
    #[must_use]
    pub const fn is_last(self) -> bool {
        self.number + 1 == self.count
    }
}
