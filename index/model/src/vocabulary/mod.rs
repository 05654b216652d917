//! Fixed vocabularies and small value types: categories and sectors, places, grades, money, and
//! dates in Colombo time.

mod category;
pub mod gazetteer;
mod grade;
mod lists;
mod moment;
mod money;
mod place;
mod term;

pub use category::{Category, Sector, Topic};
pub use grade::{Grade, GradeLevel, OtherGrades};
pub use lists::{
    AlertCurrency, Kind, Language, MatchType, OrganizationType, Priority, ProcurementMethod,
    SubmissionMethod, TenderStatus, Visibility,
};
pub use moment::{Day, Moment, closing_moment, colombo, opening_moment};
pub use money::{Amount, Converter, Currency, Millions, MoneyError, Rates};
pub use place::{District, Province};
pub use term::UnknownTerm;
pub(crate) use term::terms;
