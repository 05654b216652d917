//! The gazetteer: names of districts, towns, provinces and public bodies in English, Sinhala and
//! Tamil. [`mentions()`] finds places in a text. [`named`] finds the other spellings of a name.

mod mentions;
mod names;

pub use mentions::{Mention, Place, mentions};
pub use names::{
    Named, ORGANIZATIONS, STEM_END, Spelling, asked_for, districts, latin_words, named, native_names,
    places_and_bodies, spelling,
};
