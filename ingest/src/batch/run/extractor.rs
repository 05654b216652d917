//! [`Extractor`]: how the notices of a page are read. The rules of [`crate::extract`] read each; a model may be asked after them.

use crate::{
    extract::{Gazetteer, Printed},
    llm::{self, Model, Prompt},
    ocr::ClipText,
};
use index::{
    tender::{PageBox, Tender},
    vocabulary::Day,
};
use std::sync::Arc;

/// A notice as the rules read it, and what is needed to ask a model about it.
pub(crate) struct NoticeDraft {
    pub(crate) tender: Tender,
    pub(crate) printed: Printed,
    pub(crate) legibility: f64,
    /// For a model; `None` where none is asked.
    pub(crate) prompt: Option<Prompt>,
    pub(crate) extractor: String,
    pub(crate) text: ClipText,
    pub(crate) area: PageBox,
    pub(crate) clip: Vec<u8>,
}

/// What the rules alone are called in a record.
const EMBEDDED: &str = "embedded";

/// Who reads notices.
#[derive(Debug, Clone, Default)]
pub enum Extractor {
    /// The rules alone.
    #[default]
    Embedded,
    /// The rules, and then a model.
    Model(Arc<Model>),
}

impl Extractor {
    /// The model, where there is one.
    #[must_use]
    pub fn model(&self) -> Option<&Model> {
        match self {
            Self::Embedded => None,
            Self::Model(model) => Some(model),
        }
    }

    /// Everything of it that decides what is read, for a page whose notices were read by `readers`. A page of which a model read
    /// nothing counts as the rules' own: the next run with a model asks again.
    pub(crate) fn version<'n>(&self, mut readers: impl ExactSizeIterator<Item = &'n str>) -> String {
        match self {
            Self::Model(model) if readers.len() == 0 || readers.any(|reader| reader != EMBEDDED) => {
                format!("{} {}", label(model), llm::VERSION)
            }
            _ => EMBEDDED.to_owned(),
        }
    }

    /// Reads the drafts of a page once more, and names who has read each. `gazetteer` and `issue` are as they were to the rules.
    pub(crate) fn improve(&self, drafts: &mut [&mut NoticeDraft], gazetteer: &Gazetteer, issue: Option<Day>) {
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
                draft.extractor = label(model);
            }
        }
    }
}

/// Who reads a notice before a model is asked.
pub(crate) fn embedded() -> String {
    EMBEDDED.to_owned()
}

fn label(model: &Model) -> String {
    format!("openai {}", model.name())
}
