//! What became of a batch of stored secrets that are encrypted again with the current key.

use crate::base::secret_box::SecretBoxError;
use uuid::Uuid;

/// A batch of secrets, in the order of their accounts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SealedBatch {
    /// The number of secrets that were encrypted.
    pub sealed: usize,
    /// The accounts whose secrets can't be decrypted, and why. These secrets are unchanged.
    pub unreadable: Vec<(Uuid, SecretBoxError)>,
    /// The last account of the batch. `None`: the batch is empty, so there are no further ones.
    pub last: Option<Uuid>,
}
