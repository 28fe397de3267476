//! A language that nobody shipped: a folder of lists and 300 invented sentences is trained and measured with the
//! commands of this crate's README.md.

use std::{fs, path::Path, process::Command};

/// Three ways to say something.
type Ways = [&'static str; 3];

/// Subjects of an aspect, with words of praise and of blame, in Esperanto.
const ASPECTS: [(&str, Ways, Ways, Ways); 4] = [
    (
        "punctuality",
        ["la instalisto", "la teknikisto", "la laboristo"],
        ["alvenis akurate", "venis ĝustatempe", "estis akurata"],
        ["alvenis malfrue", "venis tro malfrue", "ne aperis"],
    ),
    (
        "pricing",
        ["la prezo", "la fakturo", "la kosto"],
        ["estis justa", "estis tre malalta", "estis malmultekosta"],
        ["estis tro alta", "estis tre multekosta", "estis trompa"],
    ),
    (
        "friendliness",
        ["la akceptistino", "la mastro", "la kelnero"],
        ["estis tre afabla", "ridetis bonvene", "salutis ĝentile"],
        ["estis malafabla", "insultis nin", "kriis malĝentile"],
    ),
    (
        "cleanliness",
        ["la planko", "la ĉambro", "la banejo"],
        ["restis pura", "brilis pure", "estis tute pura"],
        ["restis malpura", "estis plena je polvo", "fetoris malpure"],
    ),
];

/// The lists that a language needs at least.
const LISTS: &str = "[negation]\nne neniu nenio\n[contrast]\nsed tamen\n[and]\nkaj\n[endings]\nojn oj on o aj an a\n[thresholds]\nlearns_quotes:1\n";

/// A sentence about nothing that is judged.
const OTHER: [&str; 3] = ["Ni loĝas en la urbo", "Mia fratino rakontis pri ili", "Estis lunde"];

/// A review of three sentences, marked for training, and as a judged review.
fn review(number: usize) -> (String, String) {
    let clause = |at: usize, is_praise: bool| {
        let (id, subjects, praise, blame) = ASPECTS[at % ASPECTS.len()];
        let said = if is_praise { praise } else { blame };
        let text = format!("{} {}", subjects[number / 2 % 3], said[number / 7 % 3]);
        (id, if is_praise { ("+", "positive") } else { ("-", "negative") }, text)
    };
    let is_praise = number % 5 > 1;
    let stars = if is_praise { 5 } else { 1 };
    let clauses = [clause(number, is_praise), clause(number + 1 + number / 4 % 3, is_praise)];
    let marked: Vec<String> =
        clauses.iter().map(|(id, (sign, _), text)| format!("[{id}{sign} {text}]")).collect();
    let texts: Vec<&str> = clauses.iter().map(|(.., text)| text.as_str()).collect();
    let gold: Vec<String> = clauses
        .iter()
        .map(|(id, (_, side), text)| {
            format!(r#"{{"id":"{id}","sentiment":"{side}","quote":"{text}"}}"#)
        })
        .collect();
    let judged = format!(
        r#"{{"id":"{number}","rating":{stars},"text":"{}.","aspects":[{}]}}"#,
        [&texts[..], &[OTHER[number % 3]]].concat().join(". "),
        gold.join(",")
    );
    (format!("{stars}\t{}. {}.\n", marked.join(". "), OTHER[number % 3]), judged + "\n")
}

fn run(program: &str, arguments: &[&Path]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_folder_is_enough_to_train_and_measure_a_new_language() {
    let folder = tempfile::tempdir().unwrap();
    let [language, training, real] =
        ["eo", "training", "real"].map(|name| folder.path().join(name));
    for folder in [&language, &training, &real] {
        fs::create_dir(folder).unwrap();
    }
    fs::write(language.join("lists.txt"), LISTS).unwrap();
    fs::write(language.join("phrases.txt"), "+2: afabla, pura, justa\n-2: malafabla\n").unwrap();
    let (learned, measured): (Vec<usize>, Vec<usize>) = (0..360).partition(|at| at % 6 != 5);
    let marked: String = learned.into_iter().map(|number| review(number).0).collect();
    assert_eq!(marked.lines().count(), 300);
    fs::write(training.join("toy.tsv"), marked).unwrap();
    let judged: String = measured.into_iter().map(|number| review(number).1).collect();
    fs::write(real.join("toy.jsonl"), judged).unwrap();

    let option = Path::new("--language");
    let write = Path::new("--write");
    let trained = run(
        env!("CARGO_BIN_EXE_train-detector"),
        &[&training, option, &language, write, &language],
    );
    assert!(trained.contains("detector.tsv: "), "{trained}");
    let figures =
        run(env!("CARGO_BIN_EXE_evaluate"), &[Path::new("--real"), &real, option, &language]);
    let figure = |name: &str, after: &str| -> f64 {
        let line = figures.lines().find(|line| line.starts_with(name)).unwrap();
        let rest = line.rsplit_once(after).unwrap().1;
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(figures.starts_with(&real.display().to_string()), "{figures}");
    assert!(figure("aspects  ", " F1 ") > 80.0, "{figures}");
    assert!(figure("published as negative or mixed, right", "  ") > 90.0, "{figures}");
    assert!(figure("published as positive, right", "  ") > 90.0, "{figures}");
}
