//! The nine provinces and twenty-five districts of Sri Lanka.

use super::term::terms;

terms! {
    /// A province.
    Province, "province" {
        /// Western Province.
        Western = "Western",
        /// Central Province.
        Central = "Central",
        /// Southern Province.
        Southern = "Southern",
        /// Northern Province.
        Northern = "Northern",
        /// Eastern Province.
        Eastern = "Eastern",
        /// North Western Province.
        NorthWestern = "North Western",
        /// North Central Province.
        NorthCentral = "North Central",
        /// Uva Province.
        Uva = "Uva",
        /// Sabaragamuwa Province.
        Sabaragamuwa = "Sabaragamuwa",
    }
}

terms! {
    /// A district.
    District, "district" {
        /// In Western Province.
        Colombo = "Colombo",
        /// In Western Province.
        Gampaha = "Gampaha",
        /// In Western Province.
        Kalutara = "Kalutara",
        /// In Central Province.
        Kandy = "Kandy",
        /// In Central Province.
        Matale = "Matale",
        /// In Central Province.
        NuwaraEliya = "Nuwara Eliya",
        /// In Southern Province.
        Galle = "Galle",
        /// In Southern Province.
        Matara = "Matara",
        /// In Southern Province.
        Hambantota = "Hambantota",
        /// In Northern Province.
        Jaffna = "Jaffna",
        /// In Northern Province.
        Kilinochchi = "Kilinochchi",
        /// In Northern Province.
        Mannar = "Mannar",
        /// In Northern Province.
        Vavuniya = "Vavuniya",
        /// In Northern Province.
        Mullaitivu = "Mullaitivu",
        /// In Eastern Province.
        Trincomalee = "Trincomalee",
        /// In Eastern Province.
        Batticaloa = "Batticaloa",
        /// In Eastern Province.
        Ampara = "Ampara",
        /// In North Western Province.
        Kurunegala = "Kurunegala",
        /// In North Western Province.
        Puttalam = "Puttalam",
        /// In North Central Province.
        Anuradhapura = "Anuradhapura",
        /// In North Central Province.
        Polonnaruwa = "Polonnaruwa",
        /// In Uva Province.
        Badulla = "Badulla",
        /// In Uva Province.
        Moneragala = "Moneragala",
        /// In Sabaragamuwa Province.
        Ratnapura = "Ratnapura",
        /// In Sabaragamuwa Province.
        Kegalle = "Kegalle",
    }
}

impl Province {
    /// The districts in this province.
    #[must_use]
    pub const fn districts(self) -> &'static [District] {
        match self {
            Self::Western => &[District::Colombo, District::Gampaha, District::Kalutara],
            Self::Central => &[District::Kandy, District::Matale, District::NuwaraEliya],
            Self::Southern => &[District::Galle, District::Matara, District::Hambantota],
            Self::Northern => &[
                District::Jaffna,
                District::Kilinochchi,
                District::Mannar,
                District::Vavuniya,
                District::Mullaitivu,
            ],
            Self::Eastern => &[District::Trincomalee, District::Batticaloa, District::Ampara],
            Self::NorthWestern => &[District::Kurunegala, District::Puttalam],
            Self::NorthCentral => &[District::Anuradhapura, District::Polonnaruwa],
            Self::Uva => &[District::Badulla, District::Moneragala],
            Self::Sabaragamuwa => &[District::Ratnapura, District::Kegalle],
        }
    }
}

impl District {
    /// The province of this district.
    #[must_use]
    pub const fn province(self) -> Province {
        match self {
            Self::Colombo | Self::Gampaha | Self::Kalutara => Province::Western,
            Self::Kandy | Self::Matale | Self::NuwaraEliya => Province::Central,
            Self::Galle | Self::Matara | Self::Hambantota => Province::Southern,
            Self::Jaffna | Self::Kilinochchi | Self::Mannar | Self::Vavuniya | Self::Mullaitivu => {
                Province::Northern
            }
            Self::Trincomalee | Self::Batticaloa | Self::Ampara => Province::Eastern,
            Self::Kurunegala | Self::Puttalam => Province::NorthWestern,
            Self::Anuradhapura | Self::Polonnaruwa => Province::NorthCentral,
            Self::Badulla | Self::Moneragala => Province::Uva,
            Self::Ratnapura | Self::Kegalle => Province::Sabaragamuwa,
        }
    }

    /// Parses an English name in a usual or variant spelling, ignoring case.
    #[must_use]
    pub fn from_spelling(name: &str) -> Option<Self> {
        let name = name.trim();
        let name = match name.to_ascii_lowercase().as_str() {
            "monaragala" => "Moneragala",
            "mulaitivu" | "mullaitivu" | "mullativu" => "Mullaitivu",
            "nuwaraeliya" | "nuwara-eliya" => "Nuwara Eliya",
            "rathnapura" => "Ratnapura",
            "galla" => "Galle",
            _ => name,
        };
        Self::ALL.iter().copied().find(|district| district.as_str().eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provinces_and_districts_agree() {
        let listed: Vec<_> = Province::ALL.iter().flat_map(|province| province.districts()).collect();
        assert_eq!(listed.len(), 25);
        for province in Province::ALL {
            for district in province.districts() {
                assert_eq!(district.province(), *province, "{district}");
            }
        }
    }

    #[test]
    fn district_names_are_parsed_in_variant_spellings() {
        assert_eq!(District::from_spelling("monaragala"), Some(District::Moneragala));
        assert_eq!(District::from_spelling(" NUWARA ELIYA "), Some(District::NuwaraEliya));
        assert_eq!(District::from_spelling("Atlantis"), None);
    }
}
