//! The forms of what many notices have: contractor grades, the fee for the bidding documents, the
//! pre-bid meeting, the submission of bids and lots.

use super::{
    bond::{BondForm, read_bond},
    dates::check_dates,
    input::{NumberInput, without_nulls},
    limits::{MAX_GRADE_LENGTH, MAX_GRADES, MAX_LINE_LENGTH, MAX_LOT_NUMBER_LENGTH, MAX_LOTS},
    reading::FormReader,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeSet;
use tender_model::{
    tender::{Bond, Cida, DocumentFee, Lot, PreBid, Submission, Tender},
    vocabulary::{Amount, GradeLevel, Moment, ProcurementMethod, SubmissionMethod},
};
use utoipa::ToSchema;

/// A contractor grade that bidders need.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CidaForm {
    /// The grade, such as `C5`, `EM2` or `SP1`.
    grade: Option<String>,
    /// The field of work, such as `Building construction`.
    field: Option<String>,
    /// The grades that may bid too: `higher` or `lower`.
    also_admits: Option<String>,
}

/// The price of the bidding documents, and when and where they are sold.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DocumentFeeForm {
    /// In units of the currency. 0 if free of charge.
    amount: Option<NumberInput>,
    /// By default LKR.
    currency: Option<String>,
    /// The first day of sale.
    sale_from: Option<String>,
    /// The last day of sale, at the latest the day of closing.
    sale_until: Option<String>,
    place: Option<String>,
}

/// The pre-bid meeting or site visit.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PreBidForm {
    /// A time in RFC 3339 or a day, after the publication and before the closing.
    at: Option<String>,
    place: Option<String>,
}

/// How bids are submitted.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SubmissionForm {
    /// The methods that are accepted: `sealed-envelope`, `two-envelopes`, `electronic`, `post` or
    /// `tender-box`.
    methods: Option<Vec<String>>,
    /// Where bids are delivered: an address, or a site or e-mail address.
    place: Option<String>,
}

/// A lot.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LotForm {
    /// The number of the lot, such as `2` or `B/3`.
    number: Option<String>,
    title: Option<String>,
    bid_bond: Option<BondForm>,
}

/// The parts of a form that a printed notice has too. A part that equals that of the published tender
/// is not checked.
pub(super) struct NoticeForms {
    pub(super) method: Option<String>,
    pub(super) document_fee: Option<DocumentFeeForm>,
    pub(super) cida: Option<Vec<CidaForm>>,
    pub(super) pre_bid: Option<PreBidForm>,
    pub(super) submission: Option<SubmissionForm>,
    pub(super) lots: Option<Vec<LotForm>>,
}

impl NoticeForms {
    pub(super) fn apply(self, published: Option<&Tender>, tender: &mut Tender, reader: &mut FormReader) {
        if self.method.is_some() && published.is_none_or(|before| before.method != self.method) {
            reader.term::<ProcurementMethod>("method", self.method, |method| {
                tender.method = method.map(|method| method.as_str().to_owned());
            });
        }
        if let Some(form) = changed(self.document_fee, published.map(|before| &before.document_fee)) {
            tender.document_fee = read_document_fee(form, reader);
        }
        if let Some(form) = changed(self.cida, published.map(|before| &before.cida)) {
            tender.cida = read_grades(form, reader);
        }
        if let Some(form) = changed(self.pre_bid, published.map(|before| &before.pre_bid)) {
            tender.pre_bid = read_pre_bid(form, reader);
        }
        if let Some(form) = changed(self.submission, published.map(|before| &before.submission)) {
            tender.submission = read_submission(form, reader);
        }
        if let Some(form) = changed(self.lots, published.map(|before| &before.lots)) {
            tender.lots = read_lots(form, reader);
        }
        check_dates(tender, published, reader);
    }
}

/// Returns a form, unless it has the same values as the part of the published tender.
fn changed<F: Serialize + DeserializeOwned>(
    form: Option<F>,
    published: Option<&impl Serialize>,
) -> Option<F> {
    let json = |form: &F| serde_json::to_value(form).map(without_nulls).ok();
    let before =
        published.and_then(|part| serde_json::from_value::<F>(serde_json::to_value(part).ok()?).ok());
    form.filter(|form| before.is_none_or(|before| json(&before) != json(form)))
}

/// Reads the grades in their usual form, and leaves out blank rows and repetitions.
pub(super) fn read_grades(forms: Vec<CidaForm>, reader: &mut FormReader) -> Vec<Cida> {
    let mut grades: Vec<Cida> = Vec::new();
    if is_too_long("cida", forms.len(), MAX_GRADES, reader) {
        return grades;
    }
    for (row, form) in forms.into_iter().enumerate() {
        let mut asked = Cida::default();
        reader.line(&format!("cida[{row}].field"), "Field of work", form.field, MAX_LINE_LENGTH, |field| {
            asked.field = field;
        });
        reader.term(&format!("cida[{row}].alsoAdmits"), form.also_admits, |others| {
            asked.also_admits = others;
        });
        let typed = form.grade.as_deref().map_or("", str::trim);
        if typed.is_empty() && asked == Cida::default() {
            continue;
        }
        let is_short = typed.chars().count() <= MAX_GRADE_LENGTH;
        match GradeLevel::from_printed(typed).filter(|_| is_short) {
            Some(level) => asked.grade = level.to_string(),
            None => {
                reader
                    .add_error(&format!("cida[{row}].grade"), "Please enter a grade such as C5, EM2 or SP1");
                continue;
            }
        }
        if !grades.contains(&asked) {
            grades.push(asked);
        }
    }
    grades
}

/// Reads the document fee. `None`: all its fields are blank.
pub(super) fn read_document_fee(form: DocumentFeeForm, reader: &mut FormReader) -> Option<DocumentFee> {
    let mut fee = DocumentFee {
        currency: reader.currency("documentFee.currency", form.currency),
        amount: reader.money("documentFee.amount", form.amount, Amount::new),
        ..DocumentFee::default()
    };
    reader.day("documentFee.saleFrom", form.sale_from, |day| fee.sale_from = day);
    reader.day("documentFee.saleUntil", form.sale_until, |day| fee.sale_until = day);
    reader.line("documentFee.place", "Place of sale", form.place, MAX_LINE_LENGTH, |place| {
        fee.place = place;
    });
    if fee.sale_from.zip(fee.sale_until).is_some_and(|(from, until)| until < from) {
        reader.add_error(
            "documentFee.saleUntil",
            "The last day of sale cannot be before the first day of sale",
        );
    }
    let is_blank =
        fee.amount.is_none() && fee.sale_from.is_none() && fee.sale_until.is_none() && fee.place.is_none();
    (!is_blank).then_some(fee)
}

/// Reads the pre-bid meeting. `None`: all its fields are blank.
pub(super) fn read_pre_bid(form: PreBidForm, reader: &mut FormReader) -> Option<PreBid> {
    let mut meeting = PreBid::default();
    reader.moment("preBid.at", form.at, Moment::start_of, |at| meeting.at = at);
    reader.line("preBid.place", "Place of the meeting", form.place, MAX_LINE_LENGTH, |place| {
        meeting.place = place;
    });
    Some(meeting).filter(|meeting| *meeting != PreBid::default())
}

/// Reads how bids are submitted. `None`: all its fields are blank.
pub(super) fn read_submission(form: SubmissionForm, reader: &mut FormReader) -> Option<Submission> {
    let mut submission = Submission::default();
    let words = form.methods.unwrap_or_default();
    if !is_too_long("submission.methods", words.len(), SubmissionMethod::ALL.len(), reader) {
        for (nth, word) in words.into_iter().enumerate() {
            reader.term::<SubmissionMethod>(&format!("submission.methods[{nth}]"), Some(word), |method| {
                submission.methods.extend(method);
            });
        }
    }
    submission.methods.sort_unstable();
    submission.methods.dedup();
    reader.line("submission.place", "Place of delivery", form.place, MAX_LINE_LENGTH, |place| {
        submission.place = place;
    });
    Some(submission).filter(|submission| *submission != Submission::default())
}

/// Reads the lots and leaves out blank rows.
pub(super) fn read_lots(forms: Vec<LotForm>, reader: &mut FormReader) -> Vec<Lot> {
    let mut lots: Vec<Lot> = Vec::new();
    if is_too_long("lots", forms.len(), MAX_LOTS, reader) {
        return lots;
    }
    let mut numbers = BTreeSet::new();
    for (row, form) in forms.into_iter().enumerate() {
        let field = |name: &str| format!("lots[{row}].{name}");
        let errors_before = reader.error_count();
        let mut lot = Lot::default();
        reader.line(&field("number"), "Lot number", form.number, MAX_LOT_NUMBER_LENGTH, |number| {
            lot.number = number;
        });
        reader.line(&field("title"), "Subject of the lot", form.title, MAX_LINE_LENGTH, |title| {
            lot.title = title.unwrap_or_default();
        });
        let bond = read_bond(&field("bidBond"), form.bid_bond, None, reader);
        lot.bid_bond = Some(bond).filter(|bond| *bond != Bond::default());
        let is_valid = reader.error_count() == errors_before;
        if is_valid && lot == Lot::default() {
            continue;
        }
        if is_valid && lot.title.is_empty() {
            reader.add_error(&field("title"), "The lot needs a subject");
        }
        if lot.number.as_ref().is_some_and(|number| !numbers.insert(number.clone())) {
            reader.add_error(&field("number"), "Another lot has this number");
        }
        lots.push(lot);
    }
    lots
}

/// Whether a list has too many entries. Then none of them is read.
fn is_too_long(field: &str, count: usize, most: usize, reader: &mut FormReader) -> bool {
    if count <= most {
        return false;
    }
    reader.add_error(field, format!("Maximum {most} entries allowed"));
    true
}
