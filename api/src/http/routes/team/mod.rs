//! Teams: an Enterprise subscriber and the users who share the subscription.

pub(crate) mod invite;
pub(crate) mod join;
pub(crate) mod leave;
pub(crate) mod read;
pub(crate) mod revoke_invitation;

use crate::{
    app::state::AppState,
    domain::{
        error::ServiceError,
        team::{TeamInvitation, TeamMember},
        user::User,
    },
    storage::teams,
};
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// A team.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Team)]
pub struct TeamView {
    /// Whether the caller is the subscriber, who manages the team.
    is_owner: bool,
    /// The number of seats. The owner, each other member and each pending invitation take one.
    seats: usize,
    /// The members, the owner first.
    members: Vec<MemberView>,
    /// The pending invitations. The list is empty for members who are not the owner.
    invitations: Vec<InvitationView>,
}

/// The caller's team.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnTeam {
    team: TeamView,
}

/// A team member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TeamMember)]
struct MemberView {
    /// The member's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The member's given name.
    first_name: String,
    /// The member's family name.
    last_name: String,
    /// The member's mail address.
    email: String,
    /// When the member joined; `null` for the owner.
    #[schema(required)]
    joined_at: Option<Moment>,
}

/// A pending invitation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TeamInvitation)]
struct InvitationView {
    /// The invitation's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The invited address.
    email: String,
    /// When the invitation was sent.
    created_at: Moment,
    /// When the invitation expires.
    expires_at: Moment,
}

impl From<TeamMember> for MemberView {
    fn from(member: TeamMember) -> Self {
        let TeamMember { id, first_name, last_name, email, joined_at } = member;
        Self { id, first_name, last_name, email, joined_at: joined_at.map(Moment::new) }
    }
}

impl From<TeamInvitation> for InvitationView {
    fn from(invitation: TeamInvitation) -> Self {
        let TeamInvitation { id, email, created_at, expires_at } = invitation;
        Self { id, email, created_at: Moment::new(created_at), expires_at: Moment::new(expires_at) }
    }
}

/// Loads the caller's team.
async fn load_team(state: &AppState, caller: &User, seats: usize) -> Result<OwnTeam, ServiceError> {
    let owner = caller.shared_account();
    let is_owner = owner == caller.id;
    let members = teams::members(&state.db, owner).await?.into_iter().map(MemberView::from).collect();
    let invitations = match is_owner {
        true => teams::invitations(&state.db, owner, state.clock.now()).await?,
        false => Vec::new(),
    };
    let invitations = invitations.into_iter().map(InvitationView::from).collect();
    Ok(OwnTeam { team: TeamView { is_owner, seats, members, invitations } })
}
