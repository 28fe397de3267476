//! Names that are also words: "Will came", "Mark did the drains" and "they will mark it".

/// First and last names that are English words, folded.
const WORDS: &str = "ace amber amy angel april archer art ash aspen autumn baker banks basil bay bill blue bob booker bonnie \
    brad brook brooks brown buck bush carol case cash chance charity chase christian chuck clay cliff cole colt constance \
    cook cooper crystal curt daisy dale dash dawn dean destiny dick don dot drew duke earl ernest eve faith fern flint ford \
    forest frank gage gay gene ginger glen gold grace grant gray green guy hank happy hardy harmony hazel heath heather hill \
    holly honor hope hunter iris ivy jack jade jay jet jimmy joy june justice king lance lane lily long love mark mason max \
    may mercy melody miles misty nick norm olive page parker pat patience pearl peg penny pepper pierce piper porter price \
    prince queen rain randy ray red reed rex rich ridge rivers rob robin rock rod rose ruby rusty sage sandy sawyer scout \
    shepherd skip sky star stone storm sue summer sunny tanner taylor trip victor viola violet wade wells west white will \
    winter wood woods wren young";

/// Next to one of these, a common word is a name in any spelling.
const ROLES: &str = "technician tech plumber electrician engineer mechanic dentist doctor dr mr mrs ms miss hygienist \
    nurse manager owner foreman driver painter roofer builder installer fitter carpenter gardener cleaner waiter waitress \
    server chef bartender stylist barber hairdresser therapist carer receptionist dispatcher apprentice helper named name \
    called thanks thank gracias";

/// Before one of these verbs a common word is a name too.
const DEEDS: &str = "was is were came did does has had went arrived showed explained fixed took told gave got made knew \
    answered listened helped worked found cleaned replaced repaired installed diagnosed called said kept stayed and \
    from at who";

/// The number of words examined on each side.
const REACH: usize = 2;

/// Whether a single folded word is both a name and a word.
pub(super) fn is_common(name: &str) -> bool {
    has(WORDS, name)
}

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Whether the common word at `start..end` of the folded text is a name. `capital`: it is written
/// with a capital letter.
pub(super) fn is_name(folded: &str, start: usize, end: usize, capital: bool) -> bool {
    let before = &folded[..start];
    let first = before.trim_end().is_empty()
        || before.trim_end().ends_with(['.', '!', '?', '"', ':'])
        || before.trim_end_matches([' ', '\t']).ends_with('\n');
    if capital && !first {
        return true;
    }
    let words = |text: &str| -> Vec<String> {
        let pieces = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        pieces.map(str::to_owned).collect()
    };
    let (left, right) = (words(sentence_end(before)), words(sentence_start(&folded[end..])));
    let role = |word: &String| has(ROLES, word);
    if left.iter().rev().take(REACH).any(role) || right.iter().take(REACH).any(role) {
        return true;
    }
    capital
        && (folded[end..].starts_with("'s") || right.first().is_some_and(|word| has(DEEDS, word)))
}

fn sentence_end(text: &str) -> &str {
    text.rsplit(['.', '!', '?', '\n']).next().unwrap_or_default()
}

fn sentence_start(text: &str) -> &str {
    text.split(['.', '!', '?', '\n']).next().unwrap_or_default()
}
