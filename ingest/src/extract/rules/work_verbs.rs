//! Work verbs: the words with which most titles begin, such as `construction of`, `supply` or
//! `hiring`.

use super::pattern::patterns;

patterns! {
    WORK_VERB = r"^(?:\W*(?:the )?)(?:running of|operation of|operating|widening|carpeting|concreting|tarring|servic(?:e|ing) (?:and|of)|service and repair|supply|supplying|procurement of|providing|provision of|purchase|purchasing|construction|rehabilitation|renovation|refurbishment|improvements?|repair|repairs|maintenance|upgrading|desilting|hiring|lease|leasing|letting|renting|printing|installation|design|consultancy|consulting|selection of|outsourcing|development of|sale of|disposal of|auction of|implementation of|fabrication|manufactur|extension of|erection|laying|painting|(?:tender|bids?) for \w+ \w+|proposed|janitorial|cleaning|catering|transport)\b";
}

/// Whether a text begins with a work verb.
pub(crate) fn begins_with_work_verb(text: &str) -> bool {
    WORK_VERB.is_match(text)
}
