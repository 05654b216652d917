//! The files of a bid.

use super::Board;
use crate::{
    domain::{
        bid::{
            BidEventKind, EventDetails,
            files::{BidFile, MAX_FILES, NewBidFile},
        },
        error::ServiceError,
    },
    storage::bids::files,
};
use uuid::Uuid;

/// The error if the bid has no such file.
const NO_FILE: ServiceError = ServiceError::NotFound("File");

impl Board<'_> {
    /// The files of a bid, the newest first.
    pub async fn files(&self, bid: Uuid) -> Result<Vec<BidFile>, ServiceError> {
        Ok(files::of_bid(&self.context.db, bid).await?)
    }

    /// A file of a bid.
    ///
    /// # Errors
    /// 404 if the board has no such bid or the bid no such file.
    pub async fn file(&self, bid: Uuid, id: Uuid) -> Result<BidFile, ServiceError> {
        self.bid(bid).await?;
        self.files(bid).await?.into_iter().find(|file| file.id == id).ok_or(NO_FILE)
    }

    /// Fails early if no file can be added to a bid, before the file is received.
    ///
    /// # Errors
    /// 404 if the board has no such bid, and 409 if the bid has too many files.
    pub async fn require_room(&self, bid: Uuid) -> Result<(), ServiceError> {
        self.bid(bid).await?;
        require_number(self.files(bid).await?.len())
    }

    /// Adds a stored file to a bid. `false`: the bid has a file with this content already.
    ///
    /// # Errors
    /// 404 if the board has no such bid, 409 if the bid has too many files, and 403 if the files of the board
    /// would be larger than the plan permits.
    pub async fn add_file(&self, bid: Uuid, file: NewBidFile) -> Result<bool, ServiceError> {
        let mut tx = self.begin().await?;
        self.hold(&mut tx, bid).await?;
        let present = files::of_bid(&mut *tx, bid).await?;
        if present.iter().any(|other| other.hash == file.hash) {
            return Ok(false);
        }
        require_number(present.len())?;
        if files::total_size(&mut *tx, self.account).await? + file.size > self.entitlement.bid_file_bytes() {
            return Err(self.entitlement.bid_file_quota_exceeded());
        }
        let id = self.context.random.id(&self.context.clock);
        files::insert(&mut tx, (id, bid, self.user.id), &file, self.context.clock.now()).await?;
        let details = EventDetails { after: Some(file.name), ..EventDetails::default() };
        self.record(&mut tx, bid, BidEventKind::FileAdded, details).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Deletes a file of a bid.
    ///
    /// # Errors
    /// 404 if the board has no such bid or the bid no such file.
    pub async fn remove_file(&self, bid: Uuid, id: Uuid) -> Result<(), ServiceError> {
        let mut tx = self.begin().await?;
        self.hold(&mut tx, bid).await?;
        let present = files::of_bid(&mut *tx, bid).await?;
        let file = present.into_iter().find(|file| file.id == id).ok_or(NO_FILE)?;
        files::remove(&mut tx, id).await?;
        let details = EventDetails { after: Some(file.name), ..EventDetails::default() };
        self.record(&mut tx, bid, BidEventKind::FileDeleted, details).await?;
        tx.commit().await?;
        Ok(())
    }
}

fn require_number(present: usize) -> Result<(), ServiceError> {
    if present < MAX_FILES {
        return Ok(());
    }
    Err(ServiceError::Conflict(format!("A bid has at most {MAX_FILES} files")))
}
