//! German reviews, read in German.

use std::collections::BTreeMap;

use insights::{Judge, Language, Sentiment};

fn judge() -> Judge {
    Language::of("de-AT").map_or_else(Judge::builtin, Judge::of)
}

fn read(text: &str, stars: u8) -> BTreeMap<String, Sentiment> {
    let mut judge = judge();
    let opinions = judge.read(text, stars).opinions;
    opinions
        .into_iter()
        .map(|opinion| (judge.id(opinion.aspect).to_owned(), opinion.sentiment))
        .collect()
}

#[test]
fn praise_and_blame_are_found() {
    for (text, stars, aspect, sentiment) in [
        ("Der Monteur kam pünktlich und war sehr freundlich.", 5, "punctuality", "praise"),
        ("Der Monteur kam pünktlich und war sehr freundlich.", 5, "friendliness", "praise"),
        ("Faire Preise, da kann man nicht meckern.", 5, "pricing", "praise"),
        ("Hat uns alles genau erklärt.", 5, "communication", "praise"),
        ("Danach war alles blitzsauber.", 5, "cleanliness", "praise"),
        ("Niemand ruft zurück, auf Mails kommt keine Antwort.", 1, "communication", "blame"),
        ("Völlig überteuert, 300 Euro für zehn Minuten.", 1, "pricing", "blame"),
        ("Zum Termin ist keiner erschienen.", 1, "punctuality", "blame"),
        ("Die Dame am Empfang war unfreundlich und pampig.", 2, "friendliness", "blame"),
        ("Nach zwei Wochen tropft der Hahn wieder.", 2, "quality", "blame"),
    ] {
        let expected =
            if sentiment == "praise" { Sentiment::Positive } else { Sentiment::Negative };
        let said = read(text, stars);
        assert_eq!(said.get(aspect), Some(&expected), "{text}: {said:?}");
    }
}

#[test]
fn spellings_and_compounds_are_found() {
    for (text, aspect) in [
        ("super puenktlich und freundlich", "punctuality"),
        ("Pünktliche Lieferung", "punctuality"),
        ("Sehr freundliches Praxispersonal", "friendliness"),
        ("Unschlagbarer Haarschnittpreis", "pricing"),
        ("Schnelle Terminvergabe", "scheduling"),
        ("Hervorragende Malerarbeiten", "quality"),
    ] {
        let said = read(text, 5);
        assert_eq!(said.get(aspect), Some(&Sentiment::Positive), "{text}: {said:?}");
    }
}

#[test]
fn content_customers_do_not_blame() {
    for text in [
        "Keine Wartezeit, kein Stress, nichts zu meckern.",
        "Wir hatten einen Wasserschaden, sie waren sofort da.",
        "Gar nicht teuer und sehr ordentlich.",
        "Die letzte Firma war unpünktlich, hier ist alles anders.",
    ] {
        let said = read(text, 5);
        let blames = |it: &&Sentiment| matches!(it, Sentiment::Negative | Sentiment::Mixed);
        assert_eq!(said.values().find(blames), None, "{text}: {said:?}");
    }
}

#[test]
fn a_quote_has_no_greeting_and_no_signature_and_ends_at_no_abbreviation() {
    for (text, quote) in [
        (
            "Hallo zusammen, der Monteur kam pünktlich und sauber. Mit freundlichen Grüßen Familie Krause",
            "der Monteur kam pünktlich und sauber.",
        ),
        (
            "Die Fa. Huber kam z.B. am Montag ca. 9 Uhr pünktlich. LG Rita",
            "Die Fa. Huber kam z.B. am Montag ca. 9 Uhr pünktlich.",
        ),
    ] {
        let mut judge = judge();
        let opinions = judge.read(text, 5).opinions;
        let quotes: Vec<&str> = opinions.iter().filter_map(|it| Judge::quote(text, it)).collect();
        assert!(quotes.contains(&quote), "{quotes:?}");
    }
}

#[test]
fn sentences_without_capitals_are_judged_one_by_one() {
    for (text, blamed, praised) in [
        ("die suppe war kalt. die kellnerin war sehr nett.", "quality", "friendliness"),
        ("der monteur war unfreundlich. der preis war fair.", "friendliness", "pricing"),
    ] {
        let said = read(text, 3);
        assert_eq!(said.get(blamed), Some(&Sentiment::Negative), "{text}: {said:?}");
        assert_eq!(said.get(praised), Some(&Sentiment::Positive), "{text}: {said:?}");
    }
}

#[test]
fn praise_of_others_is_none_of_this_business() {
    for text in [
        "Ein anderer Betrieb war am selben Tag da, freundlich und günstig.",
        "Früher waren die Monteure pünktlich und nett.",
        "Das Café nebenan war sauber und sehr freundlich.",
        "Meine neue Friseurin ist freundlich und pünktlich.",
        "Auf der Webseite steht etwas von fairen Preisen und sauberer Arbeit.",
        "Ein freundliches Wort hätte nicht geschadet.",
        "Im Jahr 2016 war das ein sauberes, freundliches Hotel.",
        "Sauber geht anders.",
        "Pünktlichkeit ist etwas anderes.",
    ] {
        let said = read(text, 2);
        let praise = |it: &Sentiment| matches!(it, Sentiment::Positive | Sentiment::Mixed);
        assert!(!said.values().any(praise), "{text}: {said:?}");
    }
    let own = "Meine Frau war pünktlich daheim und machte die Tür auf.";
    assert_eq!(read(own, 5).get("punctuality"), None);
}
