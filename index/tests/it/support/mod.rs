//! Shared code of the tests: a fixed time, exchange rates, and small indexes.

pub(crate) mod engines;
pub(crate) mod naive_listing;

use crate::engine::new_engine;
use index::{LogPosition, SearchEngine};
use serde_json::Value;
use std::{any::Any, sync::Arc};
use tender_model::{
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// The engine under test.
pub(crate) type Engine = Arc<dyn SearchEngine>;

/// What an engine needs while it is used.
pub(crate) type EngineGuard = Box<dyn Any + Send + Sync>;

pub(crate) const NOW: &str = "2026-11-20T09:00:00+05:30";

pub(crate) fn now() -> Moment {
    NOW.parse().unwrap()
}

pub(crate) fn rates() -> Rates {
    "USD:300,EUR:330".parse().unwrap()
}

/// Tenders with ids from 1. Those without a status are published.
pub(crate) fn tenders_from(records: impl IntoIterator<Item = Value>) -> Vec<Tender> {
    let read = |(id, mut record): (u128, Value)| {
        record.as_object_mut().unwrap().entry("status").or_insert("published".into());
        let tender: Tender = serde_json::from_value(record).unwrap();
        Tender { id: Uuid::from_u128(id), ..tender }
    };
    (1..).zip(records).map(read).collect()
}

/// An index of these tenders, with a commit after every `segment` tenders.
pub(crate) fn index_of(tenders: &[Tender], segment: usize) -> (EngineGuard, Engine) {
    let (guard, engine) = new_engine();
    let mut writer = engine.writer().unwrap();
    for (position, tenders) in (1..).zip(tenders.chunks(segment)) {
        tenders.iter().for_each(|tender| writer.put(tender, None, position).unwrap());
        writer.commit(LogPosition { position, change_id: Uuid::nil() }).unwrap();
    }
    (guard, engine)
}
