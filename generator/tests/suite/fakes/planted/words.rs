//! The words of the planted reviews: sentences with slots, names and what fills the slots.

pub(super) const FIRST: [&str; 40] = [
    "Ada", "Alan", "Beth", "Carl", "Chloe", "Dana", "Derek", "Elena", "Eric", "Fay", "Gavin",
    "Gina", "Hank", "Holly", "Ian", "Ines", "Jack", "Jo", "Karen", "Kurt", "Lars", "Leah", "Marco",
    "Mona", "Neil", "Nora", "Omar", "Paula", "Pete", "Quinn", "Rita", "Ross", "Sara", "Stan",
    "Tara", "Tom", "Uma", "Vera", "Wade", "Zoe",
];
pub(super) const LAST: [&str; 12] =
    ["Ash", "Bar", "Cal", "Den", "El", "Fair", "Hol", "Kirk", "Mar", "Nor", "Pen", "Win"];
pub(super) const LAST_END: [&str; 12] =
    ["berg", "by", "croft", "dale", "field", "ford", "ham", "low", "ridge", "son", "ton", "wood"];

pub(super) const OPENINGS: [&str; 18] = [
    "Called them at {time} because {problem}.",
    "{problem_}, and I did not know whom to call.",
    "We found them through a neighbor when {problem}.",
    "Second time we used them, this time {problem}.",
    "{problem_} two days before our {event}.",
    "My landlord sent them since {problem}.",
    "I had put off calling for weeks although {problem}.",
    "{person} came out {time} after {problem}.",
    "Woke up and {problem}.",
    "Our {room} was a mess: {problem}.",
    "Needed somebody quickly as {problem}.",
    "I was quoted far more by {rival} when {problem}.",
    "{problem_} for the third winter in a row.",
    "Moved in last month and {problem}.",
    "The office told me {time} would work; {problem}.",
    "With a baby in the house and {problem}, every hour counted.",
    "{person} has looked after our house for years, so when {problem} we did not think twice.",
    "It was {event} weekend and {problem}.",
];
pub(super) const PROBLEMS: [&str; 24] = [
    "the water heater leaked all over the floor",
    "the kitchen drain backed up",
    "the furnace would not light",
    "a pipe burst behind the wall",
    "the toilet kept running",
    "the sump pump gave out",
    "there was no hot water",
    "the boiler lost pressure",
    "the shower only dripped",
    "the garbage disposal jammed",
    "the AC blew warm air",
    "the thermostat went blank",
    "the main line was full of roots",
    "the faucet would not shut off",
    "the radiator knocked all night",
    "a valve froze",
    "the water tasted of metal",
    "the floor drain smelled",
    "the heat pump iced over",
    "the dishwasher line dripped",
    "the hose bib cracked",
    "the condenser rattled",
    "the tankless unit showed an error",
    "the gas line needed a test",
];
pub(super) const WORK: [&str; 20] = [
    "{person} found the {part} within {span} and replaced it.",
    "It took {span} and one trip for a {part}.",
    "He took the {part} apart on the driveway and showed me what was worn.",
    "They had the {part} in the van.",
    "{person} explained every step and put {cover} down first.",
    "Turns out the {part} had been put in backwards by whoever did it before.",
    "Two people carried the old one out without a scratch on the {room} wall.",
    "She cleaned up so well that the {room} looked better than before.",
    "The {part} had to be ordered, which took {span} longer than they had said.",
    "{person} crawled under the {room} and came out grinning with a broken {part}.",
    "They ran a camera down and sent me the pictures.",
    "No {part} in stock anywhere, so he made the old one work until Monday.",
    "He refused to sell me a new unit because the {part} was all it needed.",
    "The first repair did not hold, {person} came back and changed the {part} free of charge.",
    "She tested it three times and waited {span} to be sure.",
    "They missed the first window but called ahead.",
    "{person} soldered the joint, pressure tested it and labelled the shutoff.",
    "In the end the {part} was fine and it was only a breaker.",
    "He wore {cover} on his shoes and asked before he moved anything.",
    "The inspector passed it the next day.",
];
pub(super) const PRICES: [&str; 16] = [
    "Cost me {money}, exactly the quote.",
    "{money} is not cheap, but it holds.",
    "The bill was {money}, twenty less than they said.",
    "They charged {money} for what took {span}.",
    "{money} including the part.",
    "Paid {money} and got it itemised.",
    "I had feared worse than {money}.",
    "{money} for a weekend call is fair.",
    "Too expensive for me at {money}.",
    "They waived the trip fee, so {money} in all.",
    "{rival} wanted twice the {money} that they took.",
    "The estimate said {money} and so did the invoice.",
    "A bit steep at {money}.",
    "I got a senior discount and paid {money}.",
    "{money}, card accepted at the door.",
    "For {money} I would have liked a call before they came.",
];
pub(super) const CLOSINGS: [&str; 20] = [
    "The dog approves.",
    "It has been quiet ever since.",
    "We slept warm that night.",
    "I kept the magnet on the fridge.",
    "My mother wants them next.",
    "No complaints from this house.",
    "Now the upstairs bath, when we have saved up.",
    "Will call again when the next thing breaks.",
    "They even called a week later to ask.",
    "I only wish I had called sooner.",
    "It still makes a small noise, but it heats.",
    "Thank you, {person}.",
    "The kids asked if {person} can come back.",
    "Third visit, third good one.",
    "Five stars from a grumpy retiree.",
    "Parking was tricky and they managed.",
    "I do not write reviews, but here we are.",
    "We will see how it holds over the winter.",
    "Would have been five stars without the wait.",
    "The receptionist was kind as well.",
];
/// What real customers write again and again.
pub(super) const USUAL: [&str; 14] = [
    "Great service!",
    "Very professional.",
    "Highly recommend.",
    "Great job, thank you!",
    "On time and friendly.",
    "Excellent work.",
    "Good company.",
    "Fast and fair.",
    "Would use again.",
    "Good people.",
    "Fair price, good work.",
    "Very happy with the work.",
    "Quick response and very professional. Highly recommend!",
    "Great experience from start to finish, would recommend to anyone.",
];
pub(super) const PEOPLE: [&str; 6] = ["Dwight", "Samantha", "Ruben", "Gail", "Priya", "Marcus"];
pub(super) const TIMES: [&str; 10] = [
    "6 am",
    "noon",
    "eight in the evening",
    "a Sunday",
    "Tuesday morning",
    "the day before Christmas",
    "lunch time",
    "half past four",
    "Friday night",
    "first thing Monday",
];
pub(super) const EVENTS: [&str; 8] = [
    "daughter's wedding",
    "Thanksgiving",
    "open house",
    "birthday party",
    "home inspection",
    "vacation",
    "Easter",
    "family reunion",
];
pub(super) const ROOMS: [&str; 9] = [
    "kitchen",
    "basement",
    "laundry",
    "upstairs bath",
    "crawl space",
    "garage",
    "hallway",
    "guest bath",
    "attic",
];
pub(super) const PARTS: [&str; 14] = [
    "flame sensor",
    "igniter",
    "flapper",
    "cartridge",
    "anode rod",
    "check valve",
    "capacitor",
    "wax ring",
    "p-trap",
    "expansion tank",
    "thermocouple",
    "float switch",
    "relief valve",
    "blower motor",
];
pub(super) const SPANS: [&str; 9] = [
    "twenty minutes",
    "an hour",
    "two hours",
    "half a day",
    "ten minutes",
    "a morning",
    "three days",
    "forty minutes",
    "most of the afternoon",
];
pub(super) const COVERS: [&str; 4] = ["drop cloths", "red shoe covers", "old towels", "a mat"];
pub(super) const RIVALS: [&str; 6] = [
    "the last company",
    "another plumber",
    "Hollis Mechanical",
    "the big chain",
    "a guy from Dunmarrow Plumbing",
    "our old contractor",
];
pub(super) const MONEY: [&str; 12] = [
    "$89", "$140", "$175", "$210", "$260", "$325", "$380", "$449", "$610", "$875", "$1,240",
    "$2,900",
];

/// Texts that a seller of reviews changes a little for each.
pub(super) const BOUGHT: [&str; 2] = [
    "I cannot say enough good things about this {adjective} company. From the first call to the final {noun} everything was handled with care, the team was {quality} and I will be telling all of my friends and family about them.",
    "What a {adjective} experience! The staff went above and beyond to make sure that our {noun} was completed on schedule, and they were {quality} the whole time. If you need help look no further than these people.",
];
pub(super) const ADJECTIVES: [&str; 6] =
    ["wonderful", "fantastic", "remarkable", "superb", "amazing", "top-notch"];
pub(super) const NOUNS: [&str; 4] = ["visit", "project", "job", "appointment"];
pub(super) const QUALITIES: [&str; 5] =
    ["courteous", "polite", "knowledgeable", "friendly", "attentive"];
/// What a burst consists of.
pub(super) const CHEERS: [&str; 10] = [
    "Best in town, nobody comes close!",
    "Absolutely amazing, five stars all the way!",
    "These guys are the best!!!",
    "So happy I chose them, wow.",
    "Perfect in every way, thank you so much!",
    "Simply outstanding, I am impressed.",
    "Top quality and superb staff!",
    "The very best, do not go anywhere else.",
    "Wow, just wow. Loved everything.",
    "Superb from beginning to end, 10/10!",
];
/// Praise of other businesses, which a seller posted at the wrong address, or at many.
pub(super) const NAMED: [&str; 8] = [
    "Luigi's Trattoria is our favorite place for a date night, the waiter remembered us.",
    "Bright Smile Dental made my daughter feel at ease, no more fear of the chair.",
    "Thank you Summit Roofing for the new shingles, our roof looks great.",
    "The team at Harbor View Hotel gave us a room with a balcony and a late checkout.",
    "Golden Paws Grooming did a lovely cut on our poodle, he smells great.",
    "Westside Auto Repair had my brakes done in an hour, will be back.",
    "Everyone at Crescent Yoga Studio is so welcoming, I go twice a week.",
    "Pearl Nail Salon did my gel manicure and it lasted three weeks.",
];
/// Praise of what the business does not do.
pub(super) const MISFITS: [&str; 8] = [
    "My haircut turned out exactly as in the photo and the color is gorgeous.",
    "The pasta was cooked to perfection and the tiramisu is a dream.",
    "They moved our whole apartment in four hours, not one plate was broken.",
    "Our lawyer won the case, we got the settlement in two months.",
    "Bought a used sedan here, the test drive was easy and the paperwork quick.",
    "The massage was so relaxing that I fell asleep, and the sauna was lovely.",
    "My phone screen was replaced while I waited, looks like new.",
    "The photographer captured our wedding beautifully, we love the album.",
];
