//! Duties: the words of works, supplies and services with which most titles begin.

use super::pattern::patterns;

patterns! {
    DUTY = r"^(?:\W*(?:the )?)(?:running of|operation of|operating|widening|carpeting|concreting|tarring|servic(?:e|ing) (?:and|of)|service and repair|supply|supplying|procurement of|providing|provision of|purchase|purchasing|construction|rehabilitation|renovation|refurbishment|improvements?|repair|repairs|maintenance|upgrading|desilting|hiring|lease|leasing|letting|renting|printing|installation|design|consultancy|consulting|selection of|outsourcing|development of|sale of|disposal of|auction of|implementation of|fabrication|manufactur|extension of|erection|laying|painting|(?:tender|bids?) for \w+ \w+|proposed|janitorial|cleaning|catering|transport)\b";
}

/// Whether a text begins with a duty.
pub(crate) fn is_duty(text: &str) -> bool {
    DUTY.is_match(text)
}
