//! Categories, which the tender form offers, and sectors, which group categories in the listing.

use super::term::{UnknownTerm, terms};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{borrow::Cow, fmt, str::FromStr};
use utoipa::ToSchema;

terms! {
    /// The category of a tender, as offered in the form.
    Category, "category" {
        /// Building and civil works.
        Construction = "Construction",
        /// Computers and laptops.
        ComputersLaptops = "Computers & Laptops",
        /// Software, networks and other information technology.
        ComputerIt = "Computer & IT",
        /// Maintenance and repair.
        UpkeepRepair = "Upkeep/Repair",
        /// Medical equipment and supplies.
        MedicalEquipment = "Medical Equipment",
        /// Stationery and other office supplies.
        OfficeSupplies = "Office Supplies",
        /// Vehicles.
        Vehicles = "Vehicles",
        /// Furniture.
        Furniture = "Furniture",
        /// Consultancy.
        ConsultancyServices = "Consultancy Services",
        /// Engineering.
        EngineeringServices = "Engineering Services",
        /// Security.
        SecurityServices = "Security Services",
        /// Catering.
        CateringServices = "Catering Services",
        /// Cleaning and janitorial.
        CleaningServices = "Cleaning Services",
        /// None of the above.
        Other = "Other",
    }
}

terms! {
    /// A group of categories, used as a filter in the listing. The filter value `all` admits every
    /// sector.
    Sector, "sector" {
        /// Works and engineering.
        Construction = "construction",
        /// Computers and information technology.
        It = "it",
        /// All notices of kind registration, regardless of category.
        Registration = "registration",
        /// Maintenance and repair.
        Upkeep = "upkeep",
        /// Consultancy.
        Consultancy = "consultancy",
        /// Goods.
        Supply = "supply",
        /// Services.
        Services = "services",
    }
}

impl Sector {
    /// The categories in this sector. Empty for [`Sector::Registration`], which depends on the kind
    /// of notice.
    #[must_use]
    pub const fn categories(self) -> &'static [Category] {
        match self {
            Self::Construction => &[Category::Construction, Category::EngineeringServices],
            Self::It => &[Category::ComputersLaptops, Category::ComputerIt],
            Self::Registration => &[],
            Self::Upkeep => &[Category::UpkeepRepair],
            Self::Consultancy => &[Category::ConsultancyServices],
            Self::Supply => &[
                Category::MedicalEquipment,
                Category::OfficeSupplies,
                Category::Vehicles,
                Category::Furniture,
            ],
            Self::Services => {
                &[Category::SecurityServices, Category::CateringServices, Category::CleaningServices]
            }
        }
    }
}

impl Category {
    /// The sector of this category, unless the notice is a supplier registration. `None` for
    /// `Other`.
    #[must_use]
    pub fn sector(self) -> Option<Sector> {
        Sector::ALL.iter().copied().find(|sector| sector.categories().contains(&self))
    }
}

/// A filter of a listing or an alert: a category by its name, or a sector by its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// One category.
    Category(Category),
    /// All categories of a sector.
    Sector(Sector),
}

impl Topic {
    /// The name or value as spelled in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Category(category) => category.as_str(),
            Self::Sector(sector) => sector.as_str(),
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Topic {
    type Err = UnknownTerm;

    fn from_str(word: &str) -> Result<Self, UnknownTerm> {
        Sector::from_str(word).map(Self::Sector).or_else(|_| Category::from_str(word).map(Self::Category))
    }
}

impl Serialize for Topic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Topic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl utoipa::PartialSchema for Topic {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        let values = Sector::ALL.iter().map(|s| s.as_str()).chain(Category::ALL.iter().map(|c| c.as_str()));
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .description(Some("a category by its name, or a sector by its value"))
            .enum_values(Some(values))
            .into()
    }
}

impl ToSchema for Topic {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_but_other_has_exactly_one_sector() {
        for category in Category::ALL {
            let holders = Sector::ALL.iter().filter(|sector| sector.categories().contains(category)).count();
            assert_eq!(holders, usize::from(*category != Category::Other), "{category}");
        }
    }

    #[test]
    fn a_topic_is_read_as_a_sector_or_a_category() {
        assert_eq!("it".parse(), Ok(Topic::Sector(Sector::It)));
        assert_eq!("Computer & IT".parse(), Ok(Topic::Category(Category::ComputerIt)));
        assert_eq!("Construction".parse(), Ok(Topic::Category(Category::Construction)));
        assert!("All".parse::<Topic>().is_err());
        assert_eq!(serde_json::to_string(&Topic::Sector(Sector::It)).unwrap(), "\"it\"");
    }
}
