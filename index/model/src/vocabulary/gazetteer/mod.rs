//! The gazetteer: names of districts, towns, provinces and public bodies in English, Sinhala and
//! Tamil. [`mentions()`] finds places in a text. [`find_name`] finds the other spellings of a name.

mod bodies;
mod mentions;
mod names;

pub use bodies::body_words;
pub use mentions::{Mention, Place, mentions};
pub use names::{
    MORE_ORGANIZATIONS, NameMatch, ORGANIZATIONS, STEM_END, Spelling, common_terms, districts, find_name,
    latin_words, native_names, places_and_bodies, spelling,
};
