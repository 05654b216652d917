//! Writes numbers with separators between thousands.

/// A whole number with commas between thousands: `1,091,000`.
#[must_use]
pub(crate) fn group_thousands(whole: i64) -> String {
    let digits = whole.unsigned_abs().to_string();
    let sign = if whole < 0 { "-" } else { "" };
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3 + sign.len());
    grouped.push_str(sign);
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// An amount of hundredths with commas between thousands: `1,328,457,615.43`. Hundredths that are
/// zero are left out.
#[must_use]
pub(crate) fn group_hundredths(minor: i64) -> String {
    match (minor % 100).unsigned_abs() {
        0 => group_thousands(minor / 100),
        cents => format!("{}.{cents:02}", group_thousands(minor / 100)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (-123_456, "-123,456"),
            (i64::MIN, "-9,223,372,036,854,775,808"),
        ];
        for (number, text) in cases {
            assert_eq!(group_thousands(number), text);
        }
    }

    #[test]
    fn amounts_keep_hundredths_that_are_not_zero() {
        for (minor, text) in
            [(132_845_761_543, "1,328,457,615.43"), (99_900, "999"), (-150, "-1.50"), (5, "0.05")]
        {
            assert_eq!(group_hundredths(minor), text);
        }
    }
}
