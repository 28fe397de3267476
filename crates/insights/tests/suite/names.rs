//! The mentions of technicians, on a set of misleading sentences: `names.txt`.

use contract::problem::Place;
use insights::{
    Entity, Language, Technician,
    names::{KnownNames, NameKind, Names},
};

/// Id, name, aliases, whether misspellings match.
const TECHNICIANS: [(&str, &str, &[&str], bool); 11] = [
    ("marcus", "Marcus Delgado", &["Marcus"], true),
    ("will", "Will Turner", &["Will"], false),
    ("mark", "Mark Page", &["Mark"], false),
    ("bill", "Bill Waters", &["Bill"], false),
    ("rose", "Rose Tyler", &["Rose"], false),
    ("grace", "Grace Kim", &["Grace"], false),
    ("al", "Al Bergström", &["Al"], false),
    ("jose", "José Núñez", &["José"], false),
    ("siobhan", "Siobhán O'Neill", &["Siobhan"], true),
    ("sam-a", "Samuel Ash", &["Samuel", "Sam"], false),
    ("sam-b", "Samantha Birch", &["Samantha", "Sam", "Sammy"], false),
];

/// The minimum percentages of the set.
const PRECISION: f64 = 99.0;
const RECALL: f64 = 97.0;

#[test]
fn people_are_found_in_texts_made_to_mislead() {
    let technicians = TECHNICIANS.map(|(id, name, aliases, fuzzy)| Technician {
        entity: Entity {
            id: id.into(),
            name: name.into(),
            aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
            place: Place::default(),
        },
        active_from: None,
        active_until: None,
        public: true,
        score: None,
        fuzzy,
    });
    let names =
        Names::new(&KnownNames { technicians: &technicians, ..KnownNames::default() }).unwrap();
    let (mut right, mut wrong, mut missed) = (0, 0, Vec::new());
    let cases = include_str!("names.txt").lines().filter(|line| !line.starts_with('#'));
    let mut made_up = Vec::new();
    for line in cases {
        let (ids, text) = line.split_once('|').unwrap();
        let text = text.trim().replace("\\u{301}", "\u{301}");
        let expected: Vec<&str> = ids.trim().split(',').filter(|id| !id.is_empty()).collect();
        let found = names.find(&text, "2026-05-05".parse().unwrap(), Language::english()).targets;
        let found: Vec<&str> = found
            .iter()
            .filter(|(kind, _)| *kind == NameKind::Technician)
            .map(|(_, at)| TECHNICIANS[*at].0)
            .collect();
        for id in &found {
            if expected.contains(id) {
                right += 1;
            } else {
                wrong += 1;
                made_up.push(format!("{id}: {text}"));
            }
        }
        missed.extend(
            expected.iter().filter(|id| !found.contains(id)).map(|id| format!("{id}: {text}")),
        );
    }
    let precision = f64::from(right) * 100.0 / f64::from(right + wrong);
    let recall = f64::from(right) * 100.0 / (f64::from(right) + missed.len() as f64);
    println!("precision {precision:.1}, recall {recall:.1}, {right} right");
    assert!(precision >= PRECISION, "{precision:.1}: {made_up:#?}");
    assert!(recall >= RECALL, "{recall:.1}: {missed:#?}");
}
