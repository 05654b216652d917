//! [`Extractor`]: reads notices with the rules of [`crate::extract`] and optionally a model.

use crate::{
    extract::{Gazetteer, Printed},
    llm::{self, Model, Prompt},
    ocr::ClipText,
};
use std::sync::Arc;
use tender_model::{
    tender::{PageBox, Tender},
    vocabulary::Day,
};

/// A notice that the rules have read, with what a model needs.
pub(crate) struct NoticeDraft {
    pub(crate) tender: Tender,
    pub(crate) printed: Printed,
    pub(crate) legibility: f64,
    /// The prompt; `None` without a model.
    pub(crate) prompt: Option<Prompt>,
    pub(crate) extractor: String,
    pub(crate) text: ClipText,
    pub(crate) area: PageBox,
    /// Whether a person has drawn the clip.
    pub(crate) is_drawn: bool,
    pub(crate) clip: Vec<u8>,
}

/// The extractor of notices that were read with the rules only.
const EMBEDDED: &str = "embedded";

/// How notices are read.
#[derive(Debug, Clone, Default)]
pub enum Extractor {
    /// With the rules only.
    #[default]
    Embedded,
    /// With the rules and a model.
    Model(Arc<Model>),
}

impl Extractor {
    /// The model, if there is one.
    #[must_use]
    pub fn model(&self) -> Option<&Model> {
        match self {
            Self::Embedded => None,
            Self::Model(model) => Some(model),
        }
    }

    /// The version of the extractor for a page whose notices have these `readers`. If the rules
    /// alone read all of them, it is the version of the rules, so that the next run asks the model
    /// again.
    pub(crate) fn version<'n>(&self, mut readers: impl ExactSizeIterator<Item = &'n str>) -> String {
        match self {
            Self::Model(model) if readers.len() == 0 || readers.any(|reader| reader != EMBEDDED) => {
                format!("{} {}", model_extractor(model), llm::VERSION)
            }
            _ => EMBEDDED.to_owned(),
        }
    }

    /// Reads the drafts with the model and sets their extractor. Drafts without an answer do not
    /// change. `gazetteer` and `issue` are the ones that the rules used.
    pub(crate) fn read_with_model(
        &self,
        drafts: &mut [&mut NoticeDraft],
        gazetteer: &Gazetteer,
        issue: Option<Day>,
    ) {
        let Self::Model(model) = self else { return };
        let (with_prompt, prompts): (Vec<_>, Vec<_>) =
            drafts.iter_mut().filter_map(|draft| draft.prompt.take().map(|prompt| (draft, prompt))).unzip();
        for (draft, reading) in with_prompt.into_iter().zip(model.ask(&prompts)) {
            if let Ok(reading) = reading {
                model.reconcile(
                    gazetteer,
                    &mut draft.tender,
                    reading,
                    &draft.printed,
                    issue,
                    draft.legibility,
                );
                draft.extractor = model_extractor(model);
            }
        }
    }
}

/// The extractor of a notice that was read with the rules only.
pub(crate) fn embedded_extractor() -> String {
    EMBEDDED.to_owned()
}

fn model_extractor(model: &Model) -> String {
    format!("openai {}", model.name())
}
