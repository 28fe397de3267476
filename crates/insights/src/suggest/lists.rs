//! The word lists of suggestions.

/// Before or after a name one of these tells of a person.
pub(super) const ROLES: &str = "technician tech plumber electrician engineer mechanic dentist doctor dr mr mrs ms hygienist \
    nurse manager owner foreman driver painter roofer builder installer fitter carpenter gardener cleaner waiter waitress \
    server chef bartender stylist barber hairdresser therapist carer receptionist dispatcher apprentice named thanks thank \
    contractor estimator salesman rep representative supervisor assistant colleague colorist esthetician locksmith";
/// After a name one of these tells of a person.
pub(super) const DEEDS: &str = "came did arrived showed explained fixed took told gave got made knew answered listened helped \
    worked found cleaned replaced repaired installed diagnosed called said kept stayed was is has went turned returned \
    responded recommended suggested quoted understood who does always really";
/// Before a name one of these tells of a place or an organisation and not of a person.
pub(super) const NO_PERSON: &str =
    "the a an in at on near into via using this that every last next since until";
/// Before a name one of these tells of a place.
pub(super) const IN: &str = "in near around outside throughout";
/// Likewise, but also of persons and organisations.
pub(super) const FROM: &str = "from";

/// Capitalised words that are neither persons nor places.
pub(super) const NO_NAMES: &str = "i i'm i've i'd i'll january february march april may june july august september october \
    november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday \
    sunday mon tue wed thu fri sat sun spring summer autumn fall winter christmas xmas easter thanksgiving halloween covid \
    google yelp facebook instagram internet english spanish german french dutch polish italian american british god lord \
    mr mrs ms miss dr sir madam customer service manager team company ltd inc llc bbb diy tv uk usa us eu pm am";

/// Verbs of work, as stems: what follows them is the object of the work.
pub(super) const VERBS: &str = "install instal replace repair fix clean build rebuild paint refinish renovate remodel service unclog \
    unblock wire rewire insulate plaster tile retile colour color cut trim dye style wash treat mow plant mount assemble \
    remove restore stain seal design upgrade maintain inspect decorate extract whiten fit lay hang pour patch pave prune \
    sand weld polish cater groom shape wax";
/// Nouns of work: what is before them is the object of the work.
pub(super) const NOUNS: &str = "installation install repair repairs replacement cleaning renovation remodel refinishing \
    servicing maintenance inspection treatment removal restoration conversion extension fitting rewiring construction \
    makeover extraction whitening refurbishment";
/// Words between a verb of work and its object.
pub(super) const DETERMINERS: &str = "a an the my our his her their your this that these those new old some all both two three \
    existing entire whole several another out up down in";
/// Words that are not objects of work, because they say nothing about it.
pub(super) const GENERIC: &str = "job jobs work house home property place things thing issue issues problem problems room rooms mess area \
    bit lot part parts one guy guys company companies customer customers year years day days morning afternoon evening week \
    weekend today yesterday tomorrow time quick quickly quality project projects service services team price prices everything \
    something anything brand item items stuff people person man men couple set side end top bottom front back left right \
    way ways process experience review reviews phone email call visit appointment quote estimate staff crew product products \
    minor major small big large complete full emergency previous current local professional first second third last next \
    high low long short hour hours minute minutes whole entire new old great good business money same different certain various \
    family friend friends husband wife son daughter mother father neighbor neighbour others kind type sort number hand hands level standard \
    highly definitely absolutely elsewhere again instead anyway online daughters sons kids kid boys boy girls girl lady ladies \
    absolutely extremely super pretty totally completely finally recently usually future past attention including initial";
