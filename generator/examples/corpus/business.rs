//! The business the reviews are of, and what comes at fixed places.

pub(crate) const SITE: &str = r#"format = 1
base_url = "https://corpus.example"
title = "Corpus Plumbing & Heating: every review"
language = "en"
id_base = "tag:corpus.example,2015-01-01:reviews"
sample = true
"#;

pub(crate) const BUSINESS: &str = r#"name = "Corpus Plumbing & Heating"
description = "A firm that exists in test data only."
category = "Plumber"
url = "https://www.corpus.example/"
time_zone = "America/Chicago"

[verification]
method = "None: every review is invented"
sources = ["google", "facebook", "yelp"]

[verification.direct]
method = "None: every review is invented"
"#;

pub(crate) const SOURCES: [(&str, &str); 4] = [
    ("google", "https://maps.example/corpus/reviews/"),
    ("facebook", "https://social.example/corpus/reviews/"),
    ("yelp", "https://listings.example/corpus/reviews/"),
    ("direct", ""),
];

pub(crate) const TECHNICIANS: [&str; 12] = [
    "Marta Quill",
    "Owen Tanager",
    "Priya Lindholm",
    "Desmond Arkwright",
    "Ilse Fontaine",
    "Rafael Bunting",
    "Noor Haddad",
    "Gwen Abernathy",
    "Tobias Kettle",
    "Yuki Marlowe",
    "Aurelio Stam",
    "Bettina Crowe",
];

pub(crate) const SERVICES: [(&str, &[&str]); 8] = [
    ("Drain cleaning", &["clogged drain", "floor drain", "slow drain"]),
    ("Water heaters", &["water heater", "hot water", "tankless unit"]),
    ("Leak repair", &["leak", "burst pipe", "frozen pipes"]),
    ("Sewer lines", &["sewer line", "sewer camera", "tree roots"]),
    ("Sump pumps", &["sump pump", "battery backup", "flooded basement"]),
    ("Heating", &["furnace", "boiler", "radiator"]),
    ("Cooling", &["air conditioner", "condenser", "central air"]),
    ("Kitchen and bath", &["faucet", "toilet", "garbage disposal"]),
];

pub(crate) const AREAS: [&str; 6] =
    ["Harrow Point", "Lower Wexley", "Saltmarsh", "Quarry Hill", "Pell Junction", "Ostrander"];

pub(crate) const FIRST_NAMES: [&str; 24] = [
    "Ada", "Boris", "Carmen", "Dele", "Edith", "Farid", "Greta", "Hugo", "Inès", "Jørgen", "Kavya",
    "Łukasz", "Mina", "Niall", "Oksana", "Pablo", "Quinn", "Rosa", "Søren", "Tamsin", "Ulla",
    "Viktor", "Wren", "Zoë",
];

pub(crate) const LAST_NAMES: [&str; 24] = [
    "Abbott",
    "Brandt",
    "Castellanos",
    "Dimitrov",
    "Ekström",
    "Fairweather",
    "Gutiérrez",
    "Holloway",
    "Ivanova",
    "Joubert",
    "Kowalczyk",
    "Lindqvist",
    "Mbeki",
    "Nakagawa",
    "O'Rourke",
    "Pruitt",
    "Rasmussen",
    "Sandoval",
    "Thackeray",
    "Underhill",
    "Vasquez",
    "Whitlock",
    "Yilmaz",
    "Zimmer",
];

/// Authors that are not a first and a last name.
pub(crate) const ODD_AUTHORS: [&str; 6] =
    ["R & D <Landlords>", "J.", "王小明", "ليلى حداد", "🦊", "Sanjay M"];

/// Whole sentences by language: what a substring search, a right-to-left page and a feed must bear.
pub(crate) const FOREIGN: [(&str, &[&str]); 9] = [
    ("es", &["Llegaron puntuales y limpios.", "El precio fue justo.", "¡Volveré a llamarlos!"]),
    (
        "de",
        &[
            "Pünktlich, sauber, fair.",
            "Die Rechnung stimmte auf den Cent.",
            "Große Straße, kleiner Preis.",
        ],
    ),
    (
        "fr",
        &["Très bon travail.", "Le devis a été respecté à la lettre.", "L’équipe était aimable."],
    ),
    ("pl", &["Szybko i porządnie.", "Przeciek zniknął w godzinę.", "Łódź pozdrawia!"]),
    ("uk", &["Приїхали вчасно.", "Котел знову працює.", "Дуже дякую!"]),
    ("ar", &["خدمة ممتازة وسريعة.", "وصل الفني في الموعد.", "السعر 89$ كما اتفقنا."]),
    ("he", &["שירות מצוין ומהיר.", "הטכנאי הגיע בזמן.", "מחיר הוגן, בלי הפתעות."]),
    ("ja", &["とても丁寧でした。", "すぐに直りました。", "またお願いします。"]),
    ("en", &["Five stars 🌟🌟🌟", "👩🏽‍🔧 saved our weekend 🙏", "cafe\u{301} sink fixed 🇳🇴 ✅"]),
];

/// What breaks a careless writer of HTML, XML or JSON.
pub(crate) const AWKWARD: [&str; 2] = [
    "<b>Bold</b> & \"quoted\" <script>alert('5 > 4')</script> ]]> &amp; &#65; \\ {{ x }} \u{fffe}end",
    "Tab\there, 5 < 6 && 7 > 3, ]]>]]>\nnext line\u{2028}and <!-- no comment --> <![CDATA[x]]> \u{ffff}\u{feff}end",
];

pub(crate) const REPLIES: [&str; 6] = [
    "Thank you, we passed it on to the crew.",
    "Glad it is warm again!",
    "Thanks for the kind words & see you next year.",
    "We are sorry. The office will call you about the invoice.",
    "You are right about the wait, and the fee is off the bill.",
    "Merci beaucoup!",
];
