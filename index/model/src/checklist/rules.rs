//! [`checklist`]: one rule for each kind of row, in the order in which a bidder works.

use super::{
    ChecklistRow, RowBasis, RowKind,
    marking::{marked_sentence, quoted_words},
    sale_end::sale_end,
    sentences::{MAX_QUOTE, Sentence},
    submission::{address_under_notice, ask_for_registered_post, sentence_for, sentences_of, stated_in},
    validity::{SECURITY, VALIDITY},
};
use crate::{
    eligibility::{is_bid_for, needs_contracts_act, repeats_grade},
    hash,
    tender::{Bond, CLOSING, FieldState, Submission, Tender},
    text::Words,
    vocabulary::{Amount, Currency, Kind, Moment, SubmissionMethod},
};

/// The maximum number of rows for the documents, the sentences and the lots of a notice, each.
const MAX_ROWS: usize = 40;

const CONTRACTS_ACT: [&str; 6] = [
    "public contract act",
    "public contracts act",
    "pca 3",
    "pca3",
    "form pca",
    "registrar of public contracts",
];
const COPIES: [&str; 5] =
    ["in duplicate", "original and duplicate", "original and one copy", "original and a copy", "two copies"];
const VAT: [&str; 3] = ["vat registration", "vat certificate", "value added tax"];
const BUSINESS: [&str; 3] =
    ["business registration", "certificate of incorporation", "certificate of registration of the business"];
const ATTORNEY: [&str; 1] = ["power of attorney"];

/// What a rule looks at.
struct Notice<'t> {
    tender: &'t Tender,
    /// What the bidder asks for, in rupees.
    price: Option<Amount>,
    sentences: Vec<Sentence>,
    submission: Submission,
}

/// The checklist for a bid for a tender with this price in rupees, if it is known. Empty if nobody bids for a
/// tender of this kind.
#[must_use]
pub fn checklist(tender: &Tender, price: Option<Amount>) -> Vec<ChecklistRow> {
    if !is_bid_for(tender.kind) {
        return Vec::new();
    }
    let sentences = sentences_of(tender);
    let submission = stated_in(tender, &sentences);
    let notice = Notice { tender, price, sentences, submission };
    let is_purchase = tender.kind == Kind::Purchase;
    let mut rows = vec![notice.documents()];
    rows.extend(notice.pre_bid());
    if is_purchase {
        rows.push(notice.security());
        rows.extend(notice.lot_securities());
    }
    rows.extend(notice.grade());
    rows.extend(notice.contracts_act());
    rows.extend(notice.turnover());
    rows.extend(notice.experience());
    rows.extend(notice.named_documents());
    rows.extend(notice.criteria());
    rows.push(notice.usual(RowKind::BusinessRegistration, &BUSINESS));
    rows.push(notice.usual(RowKind::Vat, &VAT));
    if is_purchase {
        rows.push(notice.usual(RowKind::FormOfBid, &[]));
        rows.push(notice.usual(RowKind::PriceSchedule, &[]));
    }
    rows.push(notice.usual(RowKind::PowerOfAttorney, &ATTORNEY));
    rows.extend(notice.envelopes());
    rows.push(notice.delivery());
    // The keys are distinct, so that each tick belongs to one row.
    let mut known = std::collections::HashSet::new();
    rows.retain(|row| known.insert(row.key.clone()));
    rows
}

impl Notice<'_> {
    /// The sentence that has a phrase, if it is short enough to be quoted.
    fn sentence(&self, phrases: &[&str]) -> Option<&Sentence> {
        self.sentences.iter().find(|one| one.has(phrases) && one.text.chars().count() <= MAX_QUOTE)
    }

    fn quote(&self, phrases: &[&str]) -> Option<String> {
        self.sentence(phrases).map(|sentence| sentence.text.clone())
    }

    /// The printed words of the first of these fields that has any.
    fn evidence(&self, paths: &[&str]) -> Option<String> {
        let texts = paths.iter().filter_map(|path| self.tender.evidence.get(*path));
        texts.map(|evidence| evidence.text.clone()).find(|text| !text.trim().is_empty())
    }

    fn is_doubtful(&self, path: &str) -> bool {
        let is_part = |field: &str| {
            field.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let fields = self.tender.uncertain_fields();
        fields.iter().any(|(field, state)| *state == FieldState::Doubtful && is_part(field))
    }

    /// A row for a field of the tender.
    fn of_field(&self, kind: RowKind, path: &str, evidence: &[&str]) -> ChecklistRow {
        ChecklistRow {
            path: Some(path.to_owned()),
            printed: self.evidence(evidence),
            is_doubtful: self.is_doubtful(path),
            ..ChecklistRow::new(kind, RowBasis::Notice)
        }
    }

    /// A row of usual practice, or of the notice if it mentions the matter.
    fn usual(&self, kind: RowKind, phrases: &[&str]) -> ChecklistRow {
        match self.quote(phrases) {
            Some(printed) => {
                ChecklistRow { printed: Some(printed), ..ChecklistRow::new(kind, RowBasis::Notice) }
            }
            None => ChecklistRow::new(kind, RowBasis::UsualPractice),
        }
    }

    fn documents(&self) -> ChecklistRow {
        let kind = RowKind::BuyDocuments;
        let Some(fee) = &self.tender.document_fee else {
            return ChecklistRow::new(kind, RowBasis::NotStated);
        };
        let evidence = ["documentFee.amount", "documentFee.saleUntil", "documentFee.place", "documentFee"];
        ChecklistRow {
            amount: fee.amount,
            currency: fee.amount.map(|_| fee.currency),
            day: fee.sale_until,
            at: sale_end(self.tender).filter(|end| Some(*end) != Moment::end_of(end.day())),
            place: fee.place.clone(),
            ..self.of_field(kind, "documentFee", &evidence)
        }
    }

    fn pre_bid(&self) -> Option<ChecklistRow> {
        let meeting = self.tender.pre_bid.as_ref()?;
        Some(ChecklistRow {
            at: meeting.at,
            place: meeting.place.clone(),
            ..self.of_field(RowKind::PreBid, "preBid", &["preBid.at", "preBid.place", "preBid"])
        })
    }

    fn security(&self) -> ChecklistRow {
        let bond = &self.tender.financials.bid_bond;
        if !bond.required {
            let printed = self.quote(&SECURITY);
            let basis = if printed.is_some() { RowBasis::Notice } else { RowBasis::NotStated };
            return ChecklistRow { printed, ..ChecklistRow::new(RowKind::BidSecurity, basis) };
        }
        let path = "financials.bidBond";
        let evidence = [
            "financials.bidBond.amount",
            "financials.bidBond.percentage",
            path,
            "financials.bidBond.required",
        ];
        let row = self.of_field(RowKind::BidSecurity, path, &evidence);
        let validity = self
            .sentences
            .iter()
            .find(|one| one.has(&SECURITY) && one.has(&VALIDITY) && one.text.chars().count() <= MAX_QUOTE);
        ChecklistRow {
            validity: validity.map(|sentence| sentence.text.clone()),
            printed: row.printed.or_else(|| self.quote(&SECURITY)),
            ..with_bond(ChecklistRow::new(RowKind::BidSecurity, RowBasis::Notice), bond)
        }
        .at_field(path, row.is_doubtful)
    }

    fn lot_securities(&self) -> impl Iterator<Item = ChecklistRow> {
        let lots = self.tender.lots.iter().enumerate().take(MAX_ROWS);
        lots.filter_map(|(number, lot)| {
            let bond = lot.bid_bond.as_ref().filter(|bond| bond.required)?;
            let row = ChecklistRow::new(RowKind::LotSecurity, RowBasis::Notice);
            let text = lot.number.clone().unwrap_or_else(|| lot.title.clone());
            let path = format!("lots.{number}.bidBond");
            Some(ChecklistRow {
                key: format!("{}:{number}", row.key),
                text: Some(text),
                printed: self.lot_row(&lot.title).or_else(|| self.evidence(&["lots"])),
                path: Some(path),
                ..with_bond(row, bond)
            })
        })
    }

    /// The row of the table of lots that has this title.
    fn lot_row(&self, title: &str) -> Option<String> {
        let is_lot = |one: &&Sentence| !title.is_empty() && one.text.contains(title);
        self.sentences.iter().find(is_lot).map(|sentence| sentence.text.clone())
    }

    fn grade(&self) -> Option<ChecklistRow> {
        let grades: Vec<String> = self.tender.cida.iter().map(|asked| asked.grade.clone()).collect();
        (!grades.is_empty()).then(|| ChecklistRow {
            text: Some(grades.join(", ")),
            ..self.of_field(RowKind::Cida, "cida", &["cida", "cida.0", "cida.0.grade"])
        })
    }

    /// The registration, if the notice mentions it or the law asks for it.
    fn contracts_act(&self) -> Option<ChecklistRow> {
        if let Some(sentence) = self.sentence(&CONTRACTS_ACT) {
            let printed = Some(sentence.text.clone());
            return Some(ChecklistRow {
                printed,
                ..ChecklistRow::new(RowKind::ContractsAct, RowBasis::Notice)
            });
        }
        needs_contracts_act(self.tender, self.price).then(|| ChecklistRow {
            is_doubtful: self.is_doubtful("financials.estimatedValue"),
            ..ChecklistRow::new(RowKind::ContractsAct, RowBasis::Law)
        })
    }

    fn turnover(&self) -> Option<ChecklistRow> {
        let asked = self.tender.eligibility.turnover?;
        let path = "eligibility.turnover";
        Some(ChecklistRow {
            amount: Some(asked.minimum),
            currency: Some(asked.currency),
            ..self.of_field(RowKind::Turnover, path, &[path, "eligibility.turnover.minimum"])
        })
    }

    fn experience(&self) -> Option<ChecklistRow> {
        let asked = self.tender.eligibility.experience.as_ref()?;
        let path = "eligibility.experience";
        let years = asked.years.map(|years| years.to_string());
        let text: Vec<String> = years.into_iter().chain(asked.description.clone()).collect();
        Some(ChecklistRow {
            text: Some(text.join(", ")),
            ..self.of_field(RowKind::Experience, path, &[path, "eligibility.experience.years"])
        })
    }

    fn named_documents(&self) -> impl Iterator<Item = ChecklistRow> {
        let names = self.tender.eligibility.document_required.iter().enumerate().take(MAX_ROWS);
        names.map(|(number, name)| {
            self.of_words(RowKind::Document, name, format!("eligibility.documentRequired.{number}"))
        })
    }

    /// The sentences that only a person can judge. Those that repeat the grade or name the Public Contracts
    /// Act have rows of their own.
    fn criteria(&self) -> impl Iterator<Item = ChecklistRow> {
        let sentences = self.tender.eligibility.criteria.iter().enumerate().take(MAX_ROWS);
        let own = sentences.filter(|(_, sentence)| !repeats_grade(self.tender, sentence));
        own.filter_map(|(number, sentence)| {
            let words = Words::of(sentence);
            let is_act = CONTRACTS_ACT.iter().any(|phrase| words.as_str().contains(phrase));
            let row = self.of_words(RowKind::Criterion, sentence, format!("eligibility.criteria.{number}"));
            (!is_act || self.sentence(&CONTRACTS_ACT).is_none()).then_some(row)
        })
    }

    /// A row for words of the notice, which are its text.
    fn of_words(&self, kind: RowKind, words: &str, path: String) -> ChecklistRow {
        let hash = hash::stable(Words::of(words).as_str().as_bytes());
        let whole = path.rsplit_once('.').map_or("", |(whole, _)| whole);
        ChecklistRow {
            key: format!("{kind}:{hash:016x}"),
            text: Some(words.to_owned()),
            ..self.of_field(kind, &path, &[&path, whole])
        }
    }

    /// A row for a method of submission, if it is accepted.
    fn of_method(&self, kind: RowKind, method: SubmissionMethod) -> Option<ChecklistRow> {
        let printed = || sentence_for(&self.sentences, method).map(|sentence| sentence.text.clone());
        self.submission
            .methods
            .contains(&method)
            .then(|| ChecklistRow { printed: printed(), ..ChecklistRow::new(kind, RowBasis::Notice) })
    }

    /// How the bid is packed, by the methods of submission.
    fn envelopes(&self) -> Vec<ChecklistRow> {
        let mut rows: Vec<ChecklistRow> =
            self.of_method(RowKind::ElectronicAccount, SubmissionMethod::Electronic).into_iter().collect();
        if self.submission.methods == [SubmissionMethod::Electronic] {
            return rows;
        }
        rows.extend(self.quote(&COPIES).map(|quote| {
            let row = ChecklistRow::new(RowKind::Copies, RowBasis::Notice);
            ChecklistRow { printed: Some(quote), ..row }
        }));
        rows.extend(self.of_method(RowKind::TwoEnvelopes, SubmissionMethod::TwoEnvelopes));
        rows.push(ChecklistRow {
            text: self.tender.reference_no.clone(),
            place: Some(self.tender.organization.name.clone()).filter(|name| !name.is_empty()),
            signed: self.signed(),
            ..self.marking()
        });
        rows
    }

    /// What is written on the envelope, as the notice quotes it, otherwise the sentence about it.
    fn marking(&self) -> ChecklistRow {
        let kind = RowKind::EnvelopeMarked;
        let Some(sentence) = marked_sentence(&self.sentences) else {
            return ChecklistRow::new(kind, RowBasis::UsualPractice);
        };
        let printed = quoted_words(&sentence.text).unwrap_or_else(|| sentence.text.clone());
        ChecklistRow { printed: Some(printed), ..ChecklistRow::new(kind, RowBasis::Notice) }
    }

    fn delivery(&self) -> ChecklistRow {
        let kind = RowKind::Deliver;
        let Submission { methods, place } = self.submission.clone();
        let signed = self.signed();
        let is_by_registered_post = ask_for_registered_post(&self.sentences);
        let Some(closing) = self.tender.dates.closing else {
            let basis = if place.is_some() { RowBasis::Notice } else { RowBasis::NotStated };
            return ChecklistRow {
                place: place.clone(),
                signed,
                methods,
                is_by_registered_post,
                printed: place,
                ..ChecklistRow::new(kind, basis)
            };
        };
        ChecklistRow {
            at: Some(closing),
            place,
            signed,
            methods,
            is_by_registered_post,
            ..self.of_field(kind, CLOSING, &[CLOSING])
        }
    }

    /// The address under the notice, if it names no other place of delivery.
    fn signed(&self) -> Option<String> {
        address_under_notice(self.tender, self.submission.place.as_deref())
    }
}

impl ChecklistRow {
    fn at_field(self, path: &str, is_doubtful: bool) -> Self {
        Self { path: Some(path.to_owned()), is_doubtful, ..self }
    }
}

fn with_bond(row: ChecklistRow, bond: &Bond) -> ChecklistRow {
    ChecklistRow {
        amount: bond.amount,
        currency: bond.amount.map(|_| bond.currency.unwrap_or(Currency::LKR)),
        percentage: bond.percentage,
        ..row
    }
}
