//! Withdraws the ways into an account: the sessions and other sign-ins if its credentials are replaced,
//! and those that work without its password, which are API keys, feed addresses and the webhook.

use crate::{
    app::context::Context,
    domain::user::User,
    storage::{
        api_keys, calendar_feeds, identities, mailed_links, phones, saved_searches, second_factors, sessions,
        teams, users, webhooks,
    },
};
use sqlx::PgConnection;
use uuid::Uuid;

/// Deletes the API keys, the webhook and the address of the calendar of a user, and gives each other feed a
/// new address.
pub async fn withdraw(context: &Context, tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    api_keys::remove_all(&mut *tx, user_id).await?;
    webhooks::remove(&mut *tx, user_id).await?;
    calendar_feeds::revoke(&mut *tx, user_id).await?;
    for search in saved_searches::of_user(&mut *tx, user_id).await? {
        saved_searches::update(&mut *tx, user_id, search.id, None, Some(&context.random.secret())).await?;
    }
    tracing::info!(user = %user_id, "keys, feed addresses and the webhook were withdrawn");
    Ok(())
}

/// Ends all sign-ins of a user who has just proved access to the mailbox of the account, and whose
/// password the caller replaces: sessions, sign-ins in progress, mailed links and the connection with
/// Google. If nobody had confirmed the address before, somebody else may have opened the account. Then
/// all that could let that person in again is removed, too.
pub async fn end_sign_ins(context: &Context, tx: &mut PgConnection, user: &User) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    sessions::end_others(&mut *tx, user.id, None, now).await?;
    mailed_links::revoke_all(&mut *tx, user.id, now).await?;
    identities::disconnect(&mut *tx, user.id).await?;
    second_factors::remove_challenges_of(&mut *tx, user.id).await?;
    second_factors::remove_unfinished_set_ups(&mut *tx, user.id).await?;
    if !user.email_verified {
        second_factors::remove_all(&mut *tx, user.id).await?;
        users::forget_other_addresses(&mut *tx, user.id).await?;
        phones::remove(&mut *tx, user.id).await?;
        // Otherwise the other members of a team would see the alerts of this user.
        teams::dissolve(&mut *tx, user.id).await?;
        if let Some(owner) = teams::owner_of(&mut *tx, user.id).await? {
            teams::leave(&mut *tx, owner, user.id).await?;
        }
        withdraw(context, tx, user.id).await?;
    }
    Ok(())
}
