//! The texts of calendars in the user's language.

use crate::{
    base::i18n::{
        catalogues::{CatalogueError, Catalogues},
        phrase::Phrase,
    },
    domain::{bid::BidStage, deadlines::DeadlineKind},
};
use serde::Deserialize;
use std::{collections::HashMap, sync::LazyLock};
use tender_model::vocabulary::Language;

static CATALOGUES: LazyLock<Catalogues<CalendarTexts>> = LazyLock::new(|| {
    let sources = [
        include_str!("../../../locales/calendar/en.json"),
        include_str!("../../../locales/calendar/si.json"),
        include_str!("../../../locales/calendar/ta.json"),
    ];
    Catalogues::read("the calendar", sources)
});

/// Fails if one of these catalogues is malformed.
pub(crate) fn check() -> Result<(), CatalogueError> {
    CATALOGUES.check()
}

/// All texts of calendars in one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CalendarTexts {
    /// The name of the calendar.
    pub(super) name: String,
    /// The line that names the stage of a bid.
    pub(super) on_board: Phrase,
    /// The line of a tender that is only saved.
    pub(super) saved: String,
    /// The line of a deadline that was read with doubt.
    pub(super) doubtful: String,
    kinds: HashMap<DeadlineKind, String>,
    stages: HashMap<BidStage, String>,
}

impl CalendarTexts {
    /// The texts in a language.
    pub(super) fn of(language: Language) -> &'static Self {
        CATALOGUES.of(language)
    }

    /// The name of a step.
    pub(super) fn kind(&self, kind: DeadlineKind) -> &str {
        self.kinds.get(&kind).map_or("", String::as_str)
    }

    /// The name of a stage.
    pub(super) fn stage(&self, stage: BidStage) -> &str {
        self.stages.get(&stage).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_and_stage_has_a_name_in_every_language() {
        check().unwrap();
        for language in Language::ALL.iter().copied() {
            let texts = CalendarTexts::of(language);
            assert!(DeadlineKind::ALL.iter().all(|kind| !texts.kind(*kind).is_empty()), "{language:?}");
            assert!(BidStage::ALL.iter().all(|stage| !texts.stage(*stage).is_empty()), "{language:?}");
        }
    }
}
