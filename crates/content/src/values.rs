//! Values that have the right type and are wrong all the same: of `business.toml`, and columns of an import.

/// `LocalBusiness` and its subtypes (schema.org 29), and `VeterinaryCare`, which is a business at a place and not a
/// subtype.
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

/// Digits of a telephone number: from 3, as of an extension such as 112, to 15, as of E.164.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 3..=15;

/// Every type of business that schema.org has, in no order.
pub fn business_types() -> impl Iterator<Item = &'static str> + Clone {
    BUSINESS_TYPES.split_ascii_whitespace()
}

/// Whether mail can be sent to the address, as far as its form shows.
pub(super) fn is_email(text: &str) -> bool {
    let is_whole = text.split_once('@').is_some_and(|(local, domain)| {
        let has_dot =
            domain.split('.').count() > 1 && domain.split('.').all(|part| !part.is_empty());
        !local.is_empty() && !local.contains(':') && has_dot && !domain.contains('@')
    });
    is_whole && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Whether the number can be dialled: pages link to its digits.
pub(super) fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_spelled =
        |c: char| c.is_ascii_digit() || c.is_whitespace() || "+()-./\u{2011}".contains(c);
    // No country has a code that begins with 0.
    PHONE_DIGITS.contains(&digits) && text.chars().all(is_spelled) && !text.starts_with("+0")
}

/// Whether a column by this name has values that are never imported: e-mail addresses and telephone numbers.
pub fn is_personal(column: &str) -> bool {
    let column: String =
        column.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == '.').collect();
    ["email", "phone", "telefon", "mobile"].iter().any(|word| column.contains(word))
}

/// The remedy for a map that names such a column.
pub const PERSONAL_HELP: &str = "name another column; these are never imported";
