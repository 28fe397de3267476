//! Checks values of `business.toml` that have the right type and are wrong all the same.

use std::collections::HashSet;

use contract::problem::did_you_mean;

use super::toml_reader::TomlTable;

/// `LocalBusiness` and its subtypes (schema.org 29), and `VeterinaryCare`, which is none of them and a
/// business at a place all the same.
const BUSINESS_TYPES: &str = "\
LocalBusiness AnimalShelter ArchiveOrganization AutomotiveBusiness AutoBodyShop AutoDealer AutoPartsStore \
AutoRental AutoRepair AutoWash GasStation MotorcycleDealer MotorcycleRepair ChildCare Dentist \
DryCleaningOrLaundry EmergencyService FireStation Hospital PoliceStation EmploymentAgency \
EntertainmentBusiness AdultEntertainment AmusementPark ArtGallery Casino ComedyClub MovieTheater NightClub \
FinancialService AccountingService AutomatedTeller BankOrCreditUnion InsuranceAgency FoodEstablishment Bakery \
BarOrPub Brewery CafeOrCoffeeShop Distillery FastFoodRestaurant IceCreamShop Restaurant Winery \
GovernmentOffice PostOffice HealthAndBeautyBusiness BeautySalon DaySpa HairSalon HealthClub NailSalon \
TattooParlor HomeAndConstructionBusiness Electrician GeneralContractor HVACBusiness HousePainter Locksmith \
MovingCompany Plumber RoofingContractor InternetCafe LegalService Attorney Notary Library LodgingBusiness \
BedAndBreakfast Campground Hostel Hotel Motel Resort SkiResort VacationRental MedicalBusiness \
CommunityHealth Dermatology DietNutrition Emergency Geriatric Gynecologic MedicalClinic CovidTestingFacility \
Midwifery Nursing Obstetric Oncologic Optician Optometric Otolaryngologic Pediatric Pharmacy Physician \
IndividualPhysician PhysiciansOffice Physiotherapy PlasticSurgery Podiatric PrimaryCare Psychiatric \
PublicHealth VeterinaryCare ProfessionalService RadioStation RealEstateAgent RecyclingCenter SelfStorage \
ShoppingCenter SportsActivityLocation BowlingAlley ExerciseGym GolfCourse PublicSwimmingPool SportsClub \
StadiumOrArena TennisComplex Store BikeStore BookStore ClothingStore ComputerStore ConvenienceStore \
DepartmentStore ElectronicsStore Florist FurnitureStore GardenStore GroceryStore HardwareStore HobbyShop \
HomeGoodsStore JewelryStore LiquorStore MensClothingStore MobilePhoneStore MovieRentalStore MusicStore \
OfficeEquipmentStore OutletStore PawnShop PetStore ShoeStore SportingGoodsStore TireShop ToyStore \
WholesaleStore TelevisionStation TouristInformationCenter TravelAgency";

/// Digits of a telephone number: an extension such as 112 at least, a number of E.164 at most.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 3..=15;

/// An id for addresses: small letters, digits and hyphens, unique in its file.
pub(super) fn slug(table: &TomlTable<'_>, seen: &mut HashSet<String>) -> Option<String> {
    let id = table.required("id")?;
    let valid = id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !id.starts_with('-')
        && !id.ends_with('-');
    if !valid {
        let message = format!("id: {id:?} cannot be part of an address");
        table.error(
            "id",
            "invalid-id",
            message,
            "use small letters, digits and hyphens, such as water-heaters",
        );
        return None;
    }
    if !seen.insert(id.clone()) {
        table.error(
            "id",
            "duplicate-id",
            format!("the id {id:?} is in this file twice"),
            "give each its own id",
        );
        return None;
    }
    Some(id)
}

/// Every type of business that schema.org has, in no order.
pub fn business_types() -> impl Iterator<Item = &'static str> + Clone {
    BUSINESS_TYPES.split_ascii_whitespace()
}

/// A schema.org type of business.
pub(super) fn category(table: &TomlTable<'_>) -> Option<String> {
    let category = table.string("category")?;
    if !business_types().any(|known| known == category) {
        let message = format!("category: {category:?} is not a schema.org type of local business");
        let help = match did_you_mean(&category, business_types()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => "write a type listed on https://schema.org/LocalBusiness, such as Plumber, or leave the key away".to_owned(),
        };
        table.error("category", "invalid-category", message, help);
    }
    Some(category)
}

/// An address that mail can be sent to, as far as its form shows.
pub(super) fn email(table: &TomlTable<'_>) -> Option<String> {
    let email = table.string("email")?;
    let is_plausible = email.split_once('@').is_some_and(|(local, domain)| {
        let has_dot =
            domain.split('.').count() > 1 && domain.split('.').all(|part| !part.is_empty());
        !local.is_empty() && has_dot && !domain.contains('@')
    });
    if !is_plausible || email.contains(|c: char| c.is_whitespace() || c.is_control()) {
        let message = format!("email: {email:?} is not an e-mail address");
        table.error("email", "invalid-email", message, "write it as office@example.com");
    }
    Some(email)
}

/// A telephone number that can be dialled: pages link to its digits.
pub(super) fn phone(table: &TomlTable<'_>) -> Option<String> {
    let phone = table.string("phone")?;
    let digits = phone.chars().filter(char::is_ascii_digit).count();
    let is_spelled =
        |c: char| c.is_ascii_digit() || c.is_whitespace() || "+()-./\u{2011}".contains(c);
    if !PHONE_DIGITS.contains(&digits) || !phone.chars().all(is_spelled) {
        let message = format!("phone: {phone:?} is not a telephone number that can be dialled");
        table.error("phone", "invalid-phone", message, "write it in digits, such as +1 555 0100");
    }
    Some(phone)
}
