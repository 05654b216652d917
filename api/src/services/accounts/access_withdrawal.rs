//! Withdraws the ways into an account that work without its password: API keys, feed addresses and the
//! webhook.

use crate::{
    app::context::Context,
    storage::{api_keys, saved_searches, webhooks},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// Deletes the API keys and the webhook of a user, and gives each feed a new address.
pub async fn withdraw(context: &Context, tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    api_keys::remove_all(&mut *tx, user_id).await?;
    webhooks::remove(&mut *tx, user_id).await?;
    for search in saved_searches::of_user(&mut *tx, user_id).await? {
        saved_searches::update(&mut *tx, user_id, search.id, None, Some(&context.random.secret())).await?;
    }
    tracing::info!(user = %user_id, "keys, feed addresses and the webhook were withdrawn");
    Ok(())
}
