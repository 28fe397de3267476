//! Words by how frequent they are, and which follows which.

use crate::random::Random;

/// The most frequent words, the most frequent first.
const FREQUENT: &str = "the and to a i was my of he they in for it is very with this on our we had \
    that were his would so service great be them at as out but job have work not all from you did \
    time me house recommend came up me an by their water call us company done when again are no \
    what who could will there clean install over one professional technician day here which or \
    fixed new need same drain price got quick system back good any highly well just work get her \
    unit first if then been other do after about only even while next best thank always problem \
    made than told before hour leak bathroom kitchen repair how said went also pipe never went on \
    she anyone because some explain ended better heater sink took office finally pump left right \
    ever guy area put help through happy toilet use morning place tank extremely friendly make fair \
    week took every now more home replace name two issue another old basement call can him off few \
    money honest experience since still down into plumber appointment without being quote cost";

/// What the rarer words are made of.
const SYLLABLES: [&str; 40] = [
    "ba", "be", "ca", "co", "de", "di", "el", "en", "fa", "fi", "ga", "ge", "ha", "he", "in", "is",
    "ka", "ki", "la", "le", "ma", "mi", "na", "no", "or", "pa", "pe", "qui", "ra", "re", "sa",
    "st", "ta", "th", "un", "va", "ver", "wi", "ye", "zo",
];

const ENDINGS: [&str; 10] = ["", "", "", "s", "ed", "ing", "er", "ly", "tion", "n't"];

/// How many words there are.
const WORDS: usize = 40_000;

/// How many words commonly follow each.
const FOLLOWERS: usize = 48;

pub(crate) struct Vocabulary {
    words: Vec<String>,
    /// The share of all words up to and including each: Zipf's law.
    shares: Vec<f64>,
}

impl Vocabulary {
    pub(crate) fn new() -> Self {
        let mut random = Random::new(1);
        let mut words: Vec<String> = FREQUENT.split_whitespace().map(str::to_owned).collect();
        words.resize_with(WORDS, || rare(&mut random));
        let weight = |rank: usize| 1.0 / (rank as f64 + 2.0);
        let total: f64 = (0..WORDS).map(weight).sum();
        let mut sum = 0.0;
        let shares = (0..WORDS).map(|rank| {
            sum += weight(rank) / total;
            sum
        });
        Self { shares: shares.collect(), words }
    }

    pub(crate) fn word(&self, word: usize) -> &str {
        &self.words[word]
    }

    pub(crate) fn first(&self, random: &mut Random) -> usize {
        self.at(random.fraction())
    }

    /// Two times in three one of the words that commonly follow, the first of them most often.
    pub(crate) fn next(&self, word: usize, random: &mut Random) -> usize {
        if random.one_in(3) {
            return self.first(random);
        }
        let chance = random.fraction();
        let follower = (chance * chance * FOLLOWERS as f64) as usize;
        let mut fixed = Random::new((word * FOLLOWERS + follower) as u64);
        self.at(fixed.fraction())
    }

    /// Two to eight sentences of characters of which few are frequent.
    pub(crate) fn chinese(&self, text: &mut String, random: &mut Random) {
        for sentence in 0..2 + random.below(7) {
            if sentence > 0 && random.one_in(4) {
                text.push(' ');
            }
            for _ in 0..8 + random.below(20) {
                let share = random.fraction();
                let number = (share * share * share * 3_000.0) as u32;
                text.extend(char::from_u32('一' as u32 + number));
            }
            text.push('。');
        }
        if random.one_in(12) {
            text.push_str("热水器坏了");
        }
    }

    fn at(&self, share: f64) -> usize {
        self.shares.partition_point(|&upto| upto < share).min(WORDS - 1)
    }
}

fn rare(random: &mut Random) -> String {
    let mut word: String =
        (0..2 + random.below(3)).map(|_| SYLLABLES[random.below(SYLLABLES.len())]).collect();
    word.push_str(ENDINGS[random.below(ENDINGS.len())]);
    if random.one_in(12) {
        word[..1].make_ascii_uppercase();
    }
    word
}
