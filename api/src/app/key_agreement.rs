//! Whether the processes of the portal have the same signing key. Otherwise, one process refuses the
//! sessions and links of another. The ids of the keys are in the database, and the keys are not.

use crate::{
    base::signing_key::{KeyId, SigningKey},
    storage::{
        self,
        portal_state::{self, StoredKeys},
    },
};
use sqlx::PgPool;

/// How the keys of a process agree with those of the portal's other processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyAgreement {
    /// Their signatures are valid here, and those of this process are valid there.
    Agreed,
    /// The other processes have a newer key, and know that of this process. A rotation of keys is not
    /// complete before this process restarts.
    Behind {
        /// The current key of the others.
        stored: KeyId,
    },
    /// The others have another key.
    Different {
        /// The current key of the others.
        stored: KeyId,
    },
}

/// How the keys of a process relate to the stored ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyRelation {
    Same,
    Newer,
    Older,
    Unrelated,
}

/// Compares the keys of this process with those of the others. Stores the keys of this process if none are
/// stored, or if they are newer.
///
/// # Errors
/// Fails if the database does.
pub async fn join(db: &PgPool, keys: &SigningKey) -> Result<KeyAgreement, sqlx::Error> {
    let own = ids_of(keys);
    let mut tx = storage::begin(db).await?;
    let Some(stored) = portal_state::lock_signing_keys(&mut tx).await? else {
        portal_state::set_signing_keys(&mut *tx, Some(&own)).await?;
        tx.commit().await?;
        return Ok(KeyAgreement::Agreed);
    };
    let relation = relation_of(&own, &stored);
    if relation == KeyRelation::Newer || (own.current == stored.current && own != stored) {
        portal_state::set_signing_keys(&mut *tx, Some(&own)).await?;
    }
    tx.commit().await?;
    Ok(match relation {
        KeyRelation::Newer => KeyAgreement::Agreed,
        relation => agreement_of(relation, &stored),
    })
}

/// Compares the keys of this process with those of the others.
///
/// # Errors
/// Fails if the database does.
pub async fn agreement(db: &PgPool, keys: &SigningKey) -> Result<KeyAgreement, sqlx::Error> {
    let Some(stored) = portal_state::signing_keys(db).await? else { return Ok(KeyAgreement::Agreed) };
    Ok(agreement_of(relation_of(&ids_of(keys), &stored), &stored))
}

/// Forgets the keys of the processes. The next process that starts stores its keys. Returns the id of the
/// current key.
///
/// # Errors
/// Fails if the database does.
pub async fn forget(db: &PgPool) -> Result<Option<KeyId>, sqlx::Error> {
    let stored = portal_state::signing_keys(db).await?;
    portal_state::set_signing_keys(db, None).await?;
    Ok(stored.map(|keys| keys.current))
}

fn ids_of(keys: &SigningKey) -> StoredKeys {
    StoredKeys { current: keys.id(), earlier: keys.earlier_ids() }
}

fn relation_of(own: &StoredKeys, stored: &StoredKeys) -> KeyRelation {
    match (own.contains(stored.current), stored.contains(own.current)) {
        (true, true) => KeyRelation::Same,
        (true, false) => KeyRelation::Newer,
        (false, true) => KeyRelation::Older,
        (false, false) => KeyRelation::Unrelated,
    }
}

fn agreement_of(relation: KeyRelation, stored: &StoredKeys) -> KeyAgreement {
    let stored = stored.current;
    match relation {
        KeyRelation::Same | KeyRelation::Newer => KeyAgreement::Agreed,
        KeyRelation::Older => KeyAgreement::Behind { stored },
        KeyRelation::Unrelated => KeyAgreement::Different { stored },
    }
}
