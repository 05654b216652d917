//! The purpose of each printed amount: bid security, performance security, document fee, estimate
//! or turnover.

use super::{
    cues::{Cue, best_role},
    money::{MoneyAmount, amounts, bare_millions, percentages},
    pattern::patterns,
};
use crate::extract::printed::{Found, Printed};

/// The amounts of a notice by purpose.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct AmountsByPurpose {
    pub(crate) bid_bond: Option<Found<MoneyAmount>>,
    pub(crate) bid_bond_percentage: Option<Found<f64>>,
    pub(crate) performance_bond: Option<Found<MoneyAmount>>,
    pub(crate) performance_percentage: Option<Found<f64>>,
    pub(crate) document_fee: Option<Found<MoneyAmount>>,
    pub(crate) estimate: Option<Found<MoneyAmount>>,
    pub(crate) turnover: Option<Found<MoneyAmount>>,
    /// The byte ranges of amounts with another purpose.
    pub(crate) others: Vec<std::ops::Range<usize>>,
    /// The byte range of the words that say that the documents are free of charge.
    pub(crate) free: Option<std::ops::Range<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    BidBond,
    Performance,
    Fee,
    Estimate,
    Turnover,
    /// A refundable deposit for documents.
    Refundable,
    Other,
}

patterns! {
    BID_BOND = r"\b(?:bid|tender|bidding|proposal|quotation)[\s-]*(?:security|bond|guarantee|securing|deposit)|\bdeposit for the (?:bid|tender|quotation)|\bearnest money|\bsecurity deposit|\bsecurity of\b|\bsecurity\s?[:\t]|(?:ටෙන්ඩර්|ලංසු) තැන්පතු|(?:கேள்வி|விலைமனு)\S* வைப்பு|(?:ලංසු|ටෙන්ඩර්)\s?(?:ඇප|සුරක්ෂ|ආරක්ෂණ|බැඳුම්කර)(?:\S*\sතැන්පතු\S*)?|(?:கேள்வி|விலைமனு)\S*\s(?:முறி|பாதுகாப்பு\sவைப்பு\S*)|\bsecured by\b|\ba bond from\b|\bbank draft for\b|ඇප මුදල|பிணை";
    PLAIN_BOND = r"\bbond\b|\bguarantee\b";
    PERFORMANCE = r"performance\s?(?:bond|security|guarantee)|retention";
    NON_REFUNDABLE = r"\b(?:non|not)[\s-]*refund\w*(?:\s(?:tender|bid|document)s?){0,2}(?:\s(?:fee|deposit|charge|amount|sum))?|නැවත ලබා නොදෙ|(?:tender|bid|document)s?\s(?:document\s)?(?:fee|charge)s?";
    // A security that is returned to the bidder.
    BOND_RETURNED = r"\b(?:bid|tender|bidding|proposal|quotation)[\s-]*(?:security|bond|guarantee|deposit)\s?\(refundable\)";
    REFUNDABLE = r"\brefundable";
    DEPOSIT = r"\bdeposit\b";
    FEE = r"\bdocument(?:ation)?s?\s(?:fee|charge|cost|price)|\bfees?\b|\bcharges?\b|payment of|\bcosts?\s$|\b(?:cost|price) of (?:a |an |the |each )?(?:set|cop|doc|form|bid|tender)|^\W*forms?\s?[:\t]|\.\sforms?\s?[:\t]|\bset costs?\b|\bwhich costs?\b|(?:පත්‍ර|ලේඛන|ලියවිලි|ආකෘති)\S*\s(?:මිල|කට්ටල|ගාස්තු|සඳහා)|(?:படிவ|ஆவண|பத்திர)\S*\s(?:விலை|தொகுதி)|படிவ\S+க்கு\s|மீள(?:ப்|ச்|த்)?\s?(?:பெற|செலுத்த|தர|அளிக்க)\S*(?:\s?முடியாத|ாது)|\bpriced? (?:at|of)\b|\bsold (?:for|at)\b|\bavailable against\b|remittance of|(?:by|on|upon|against) (?:the )?pay(?:ing|ment)|(?:ආපසු|නැවත) නොගෙව|ගාස්තු|තැන්පතු|மீளளிக்கப்படாத|கட்டண|வைப்பு";
    ESTIMATE = r"estimated?\s(?:total\s|contract\s|construction\s|project\s|annual\s)*(?:cost|value|amount|price|budget)|engineer'?s estimate|\bT\.?C\.?E\b|total cost estimate|(?:annual|expected|construction|project|approximate)\s(?:\w+\s)?(?:cost|value)|\bbudget\b|ඇස්තමේන්තු|மதிப்பீட்டு";
    TURNOVER = r"turn\s?over|volume of|annual volume|yearly volume";
    OTHER = r"exceed(?:s|ing)?\b|more than|at least one|worth\b|credit|liquid|working capital|similar|fine of|penalty|discount|paid up";
}

fn leading_cues() -> [Cue<'static, Purpose>; 14] {
    use Purpose::{BidBond, Estimate, Fee, Other, Performance, Refundable, Turnover};
    [
        Cue { role: BidBond, pattern: &BID_BOND, weight: 130 },
        Cue { role: BidBond, pattern: &PLAIN_BOND, weight: 90 },
        Cue { role: BidBond, pattern: &BOND_RETURNED, weight: 145 },
        Cue { role: Performance, pattern: &PERFORMANCE, weight: 131 },
        Cue { role: Fee, pattern: &NON_REFUNDABLE, weight: 145 },
        Cue { role: Refundable, pattern: &REFUNDABLE, weight: 136 },
        Cue { role: Refundable, pattern: &DEPOSIT, weight: 118 },
        Cue { role: Fee, pattern: &FEE, weight: 120 },
        Cue { role: Estimate, pattern: &ESTIMATE, weight: 125 },
        Cue { role: Turnover, pattern: &TURNOVER, weight: 125 },
        Cue { role: Other, pattern: &OTHER, weight: 122 },
        // A registration fee is not a document fee.
        Cue { role: Other, pattern: &REGISTRATION, weight: 160 },
        Cue { role: Other, pattern: &CASH_DEPOSIT, weight: 140 },
        Cue { role: Other, pattern: &TAX, weight: 80 },
    ]
}

patterns! {
    CASH_DEPOSIT = r"cash deposit";
    TAX = r"\bVAT\b|\btax";
    REGISTRATION = r"\bregistration (?:fees?|charges?)|ලියාපදිංචි (?:ගාස්තු|කිරීමේ ගාස්තු)|பதிவு(?:க்)? கட்டண";
    NON_REFUNDABLE_AFTER = r"^[ \t,./=\-]*(?:\([^)]{3,80}\))?[ \t,(./=\-]*(?:each|per set|only|a (?:set|copy|package))?[ \t,(]*(?:which (?:is|are|shall be)\s)?(?:\(?non[\s-]*refundable|ක\s|ක|which shall not be refunded)?\s*(?:ආපසු|ගාස්තු|non[\s-]*refundable|(?:which )?(?:(?:is|are|shall|will) )?(?:be )?not (?:be )?refund(?:ed|able)|மீளளிக்கப்படாத)";
    BOND_AFTER = r"^[ \t,(./=\-]*(?:ක්?\s)?(?:(?:වටිනා\s)?(?:ලංසු|ටෙන්ඩර්)\s?(?:ඇප|සුරක්ෂ|ආරක්ෂණ|බැඳුම්කර)|(?:பெறுமதியான\s)?(?:கேள்வி|விலைமனு)\S*\sமுறி|(?:[\w.]+ ){0,6}?as (?:a |the )?(?:refundable )?(?:bid|tender) (?:bond|security|guarantee|deposit)|(?:பெறுமதியான\s)?(?:\S+\s)?\S*பிணை|ක්?\sබැංකු\s(?:ඇප|බැඳුම්කර))";
    CHARGED_AFTER = r"^[ \t,./=\-]*(?:(?:ක්|ක)\s)?(?:අය\s?(?:කර|කෙරෙ)|අයකර|அறவிட)";
    // The end of `after Rs. 7,500 has been paid …; this sum is non-refundable`.
    KEPT_AFTER = r"^(?:[^.\n]|\.\d){1,110}?(?:\bnon[\s-]*refundable|\bnot (?:be )?(?:refund|return|reimburs|repa[iy]|given back)|(?:ආපසු|පෙරළා|නැවත) (?:නොගෙව|දෙනු නොලැ|ගෙවනු නොලැ|නොදෙ)|(?:மீள|மீண்டும்|திருப்பிக்)\s(?:கொடுக்க|வழங்க|தர|செலுத்த)\S*ாது)";
    FREE = r"free of charge|without charge|free of cost|නොමිලේ|இலவசமாக";
}

fn following_cues() -> [Cue<'static, Purpose>; 4] {
    [
        Cue { role: Purpose::Fee, pattern: &KEPT_AFTER, weight: 70 },
        Cue { role: Purpose::Fee, pattern: &CHARGED_AFTER, weight: 150 },
        Cue { role: Purpose::Fee, pattern: &NON_REFUNDABLE_AFTER, weight: 150 },
        Cue { role: Purpose::BidBond, pattern: &BOND_AFTER, weight: 200 },
    ]
}

/// An amount is certain if its cue ends at most this many bytes before the amount.
const MAX_CERTAIN_DISTANCE: usize = 70;

/// An amount in millions without a currency is the bid security only if a cue ends fewer than this
/// many bytes before the amount.
const MAX_DISTANCE_WITHOUT_CURRENCY: usize = 12;

/// Reads the amounts. Amounts in the rows of lots are left out.
pub(crate) fn read_amounts(printed: &Printed, rows: &[super::lots::LotRow]) -> AmountsByPurpose {
    let text = printed.flow();
    let mut fees = AmountsByPurpose::default();
    let mut refundable: Option<Found<MoneyAmount>> = None;
    let sums: Vec<MoneyAmount> =
        amounts(text).into_iter().filter(|sum| !is_in_lot_row(rows, &sum.range)).collect();
    for (nth, sum) in sums.iter().enumerate() {
        let from = nth.checked_sub(1).and_then(|last| sums.get(last)).map_or(0, |last| last.range.end);
        let next = sums.get(nth + 1).map_or(text.len(), |next| next.range.start);
        // The next table row is about another amount.
        let next = printed.row_end(sum.range.end).map_or(next, |end| next.min(end));
        let by = |from: usize| best_role(text, &sum.range, from, next, &leading_cues(), &following_cues());
        // A cue in the row takes precedence over a cue above the row.
        let in_row = printed.row_start(sum.range.start).and_then(|start| by(from.max(start)));
        let Some((purpose, _, cue)) = in_row.or_else(|| by(from)) else { continue };
        let distance = sum.range.start.saturating_sub(cue.end);
        let confidence = if distance <= MAX_CERTAIN_DISTANCE { 0.94 } else { 0.75 };
        let found =
            Found::new(sum.clone(), confidence, cue.start.min(sum.range.start)..sum.range.end.max(cue.end));
        if matches!(purpose, Purpose::Performance | Purpose::Estimate | Purpose::Turnover | Purpose::Other) {
            fees.others.push(sum.range.clone());
        }
        let slot = match purpose {
            Purpose::BidBond => &mut fees.bid_bond,
            Purpose::Performance => &mut fees.performance_bond,
            Purpose::Fee => &mut fees.document_fee,
            Purpose::Estimate => &mut fees.estimate,
            Purpose::Turnover => &mut fees.turnover,
            // Without a document fee, the refundable deposit is used.
            Purpose::Refundable => &mut refundable,
            Purpose::Other => continue,
        };
        match slot {
            None => *slot = Some(found),
            // A second amount that agrees raises the confidence. A contradiction lowers it.
            Some(first) if first.value.amount == sum.amount => first.confidence = 0.98,
            Some(first) => first.confidence = first.confidence.min(0.55),
        }
    }
    if let (None, Some(mut deposit)) = (&fees.document_fee, refundable) {
        deposit.confidence = 0.6;
        fees.document_fee = Some(deposit);
    }
    if fees.estimate.is_none() {
        let stated = bare_millions(text).into_iter().find_map(|sum| {
            let found = best_role(text, &sum.range, 0, text.len(), &leading_cues(), &[])?;
            (found.0 == Purpose::Estimate).then(|| Found::new(sum.clone(), 0.8, found.2.start..sum.range.end))
        });
        fees.estimate = stated;
    }
    if fees.bid_bond.is_none() {
        fees.bid_bond =
            bare_millions(text).into_iter().filter(|sum| !is_in_lot_row(rows, &sum.range)).find_map(|sum| {
                let found = best_role(text, &sum.range, 0, text.len(), &leading_cues(), &[])?;
                let near = sum.range.start.saturating_sub(found.2.end) < MAX_DISTANCE_WITHOUT_CURRENCY;
                (found.0 == Purpose::BidBond && near)
                    .then(|| Found::new(sum.clone(), 0.75, found.2.start..sum.range.end))
            });
    }
    for (range, percentage) in percentages(text) {
        let slot = match best_role(text, &range, 0, text.len(), &leading_cues(), &following_cues()) {
            Some((Purpose::BidBond, _, _)) => &mut fees.bid_bond_percentage,
            Some((Purpose::Performance, _, _)) => &mut fees.performance_percentage,
            _ => continue,
        };
        slot.get_or_insert(Found::new(percentage, 0.92, range));
    }
    fees.free = FREE.find(text).filter(|_| fees.document_fee.is_none()).and_then(|free| {
        let lead = &text[super::cues::sentence_start(text, free.start())..free.start()];
        (lead.to_lowercase().contains("document") && !lead.to_lowercase().contains("inspect"))
            .then(|| free.range())
    });
    fees
}

/// Whether a range is in a row of lots that gives amounts: one of several rows, or a single row
/// with a fee or a bid security.
pub(crate) fn is_in_lot_row(rows: &[super::lots::LotRow], range: &std::ops::Range<usize>) -> bool {
    let has_amounts =
        |row: &super::lots::LotRow| rows.len() > 1 || row.fee.is_some() || row.bid_bond.is_some();
    rows.iter().any(|row| has_amounts(row) && row.range.start <= range.start && range.end <= row.range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bond_and_fee(text: &str) -> (Option<f64>, Option<f64>) {
        let fees = read_amounts(&Printed::plain(text), &[]);
        let number = |found: Option<Found<MoneyAmount>>| found.map(|found| found.value.amount.number());
        (number(fees.bid_bond), number(fees.document_fee))
    }

    #[test]
    fn fee_and_bond_are_distinguished() {
        let text = "Prospective bidders should furnish a bid bond for Rs.50,000.00 and pay a non-refundable deposit of \
                    Rs.12,500 in order to obtain the bidding documents.";
        assert_eq!(bond_and_fee(text), (Some(50_000.0), Some(12_500.0)));
        let text = "Bid Bond : LKR 75,000.00\nBid Document Fee : Rs.12,500/- (Non-refundable)";
        assert_eq!(bond_and_fee(text), (Some(75_000.0), Some(12_500.0)));
        let text = "ලංසු ලේඛන රු. 3,500.00 ක ආපසු නොගෙවන ගාස්තුවක් ගෙවා ගත හැකිය. රු. 50,000.00 ක ලංසු ඇපකරයක් ලංසුව සමඟ";
        assert_eq!(bond_and_fee(text), (Some(50_000.0), Some(3_500.0)));
        let text = "மீளளிக்கப்படாத வைப்பு ரூபா 5,000.00 ஆகும். விலைமனுப் பிணை ரூபா 150,000.00 ஆகும்.";
        assert_eq!(bond_and_fee(text), (Some(150_000.0), Some(5_000.0)));
    }

    #[test]
    fn a_table_row_gives_the_purpose_of_its_amount() {
        assert_eq!(
            bond_and_fee("ආපසු නොගෙවන ගාස්තුව\tරුපියල් 6,000.00\nලංසු ඇපය\tරුපියල් 145,000.00"),
            (Some(145_000.0), Some(6_000.0))
        );
        assert_eq!(
            bond_and_fee("Bid security\tRs. 100,000\nNon-refundable charge\tRs. 2,000"),
            (Some(100_000.0), Some(2_000.0))
        );
    }

    #[test]
    fn a_fee_may_have_a_clause_of_its_own() {
        let text = "Forms can be collected on paying Rs 6,000, which is non-refundable, to the cashier.";
        assert_eq!(bond_and_fee(text), (None, Some(6_000.0)));
        assert_eq!(bond_and_fee("Document charge, not refundable\tLKR 1,000"), (None, Some(1_000.0)));
        assert_eq!(
            bond_and_fee(
                "රු. 1,000/- ක ආපසු නොගෙවන මුදලක් ගෙවා ලබා ගත හැකි අතර රු. 145,000/- ක ටෙන්ඩර් ඇපයක් තැබිය යුතුය."
            ),
            (Some(145_000.0), Some(1_000.0))
        );
    }

    #[test]
    fn a_returned_security_is_a_security() {
        let text = "Bid security (refundable)\tRs. 145,000/=\nCharge for one set of documents\tRs. 1500/=";
        assert_eq!(bond_and_fee(text), (Some(145_000.0), Some(1_500.0)));
        let text = "after LKR. 7,500.00 has been paid into the account; this sum is non-refundable.\n\
                    Each bid must be secured by LKR. 1,650,000.00 in the form of a guarantee.";
        assert_eq!(bond_and_fee(text), (Some(1_650_000.0), Some(7_500.0)));
        let text =
            "ආකෘති පත්‍රයක් සඳහා රු 3,500/= ක් අය කෙරේ. ලංසුවක් සමගම රු.145,000.00 ක් වටිනා ලංසු බැඳුම්කරයක් ඉදිරිපත් කළ යුතුය.";
        assert_eq!(bond_and_fee(text), (Some(145_000.0), Some(3_500.0)));
    }

    #[test]
    fn a_refundable_deposit_is_not_the_fee() {
        let text =
            "by paying a refundable deposit of Rs. 25,000/- and a non-refundable tender fee of Rs. 4,000/-.";
        assert_eq!(bond_and_fee(text), (None, Some(4_000.0)));
        assert_eq!(
            bond_and_fee("A refundable tender deposit of Rs. 150,000/= shall be made."),
            (Some(150_000.0), None)
        );
        assert_eq!(bond_and_fee("Refundable bid security LKR 175,000.00"), (Some(175_000.0), None));
        assert_eq!(bond_and_fee("upon payment of a document charge of Rs. 3500/-"), (None, Some(3_500.0)));
    }

    #[test]
    fn a_registration_fee_is_not_a_document_fee() {
        assert_eq!(
            bond_and_fee("A non-refundable registration fee of Rs. 2,000.00 for each item is to be paid."),
            (None, None)
        );
        assert_eq!(
            bond_and_fee(
                "Forms at Rs. 1,000.00 each (not refunded). A cash deposit of Rs. 50,000 is to be made as tender deposit."
            ),
            (Some(50_000.0), Some(1_000.0))
        );
    }

    #[test]
    fn a_threshold_is_not_a_security() {
        let text = "Where the quoted value exceeds Rs. 2,000,000.00 an on-demand unconditional bond of 1% is required";
        let fees = read_amounts(&Printed::plain(text), &[]);
        assert_eq!(fees.bid_bond, None);
        assert_eq!(fees.bid_bond_percentage.map(|found| found.value), Some(1.0));
    }

    #[test]
    fn estimates_and_turnover_are_not_fees() {
        let fees = read_amounts(
            &Printed::plain(
                "Estimated Cost (excluding VAT)\tRs. 27.9 Million\nBid Security\tRs. 100,000\nAverage annual turnover Rs. 60 million",
            ),
            &[],
        );
        assert_eq!(fees.estimate.unwrap().value.amount.number(), 27_900_000.0);
        assert_eq!(fees.bid_bond.unwrap().value.amount.number(), 100_000.0);
        assert_eq!(fees.turnover.unwrap().value.amount.number(), 60_000_000.0);
    }
}
