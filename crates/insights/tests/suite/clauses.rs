//! What sounds like blame and is none, and reviews whose clauses say different things.

use std::collections::BTreeMap;

use insights::{Judge, Sentiment};

fn read(text: &str, stars: u8) -> BTreeMap<String, Sentiment> {
    let mut judge = Judge::builtin();
    let opinions = judge.read(text, stars).opinions;
    opinions
        .into_iter()
        .map(|opinion| (judge.id(opinion.aspect).to_owned(), opinion.sentiment))
        .collect()
}

fn blamed(text: &str, stars: u8) -> Vec<String> {
    let blame = |sentiment| matches!(sentiment, Sentiment::Negative | Sentiment::Mixed);
    read(text, stars).into_iter().filter(|(_, said)| blame(*said)).map(|(id, _)| id).collect()
}

#[test]
fn content_customers_are_not_heard_to_blame() {
    for text in [
        "Not expensive at all and very tidy.",
        "I can't fault the work.",
        "Reasonable price, no hidden costs.",
        "A+ work, 10/10.",
        "We couldn't be happier with the new patio.",
        "For the first time a roofer called me back.",
        "Better than the last firm, who left a mess and never answered the phone.",
        "Our previous plumber was rude and always late. What a difference!",
        "The boiler broke down late at night and they came within the hour.",
        "Nothing but praise for Imogen and her crew.",
        "Not only polite but also quick.",
        "They never let us down in six years.",
        "The steep drive was no problem for them.",
        "They did a few extra jobs as a favour.",
        "Had a nasty leak and water damage everywhere, all sorted the same day.",
        "Other garages quoted twice the price.",
        "I was worried it would be expensive, it was not.",
        "No mess, no fuss, no complaints.",
        "If something goes wrong they come back.",
        "Can't wait to come back!",
        "Could not have been more helpful.",
        "I have never had a better haircut.",
        "There was just a ten minute wait.",
        "The wait was not long at all.",
        "They fitted the lock while the insurer's man had still not turned up after an afternoon.",
        "The price I like best is the Monday one.",
        "Similar spots in town are more expensive.",
        "The whole visit took no time at all.",
    ] {
        for stars in [4, 5] {
            assert_eq!(blamed(text, stars), Vec::<String>::new(), "{stars}: {text}");
        }
    }
}

#[test]
fn a_reservation_of_a_content_customer_is_heard() {
    for (text, aspect) in [
        ("Lovely haircut, but they were forty minutes late.", "punctuality"),
        ("Great work. My only complaint is the price, which was very expensive.", "pricing"),
        ("Friendly team, although they left a terrible mess in the hall.", "cleanliness"),
        ("Good job, but the receptionist was rude.", "friendliness"),
    ] {
        assert!(blamed(text, 4).iter().any(|id| id == aspect), "{text}: {:?}", read(text, 4));
    }
}

#[test]
fn each_clause_has_its_own_verdict() {
    for (text, stars, praised, blame) in [
        ("Friendly but late.", 3, "friendliness", "punctuality"),
        ("The stylist was friendly but the haircut is uneven.", 2, "friendliness", "quality"),
        ("Good work, however the bill was far too high.", 3, "quality", "pricing"),
        ("Quick repair, but they left dirt everywhere.", 3, "speed", "cleanliness"),
        ("Nice people, but nobody ever answers the phone.", 2, "friendliness", "communication"),
    ] {
        let said = read(text, stars);
        assert_eq!(said.get(praised), Some(&Sentiment::Positive), "{text}: {said:?}");
        assert_eq!(said.get(blame), Some(&Sentiment::Negative), "{text}: {said:?}");
    }
}

#[test]
fn plain_words_are_heard() {
    for (text, aspect) in [
        ("Very nice and professional service.", "professionalism"),
        ("Great communication throughout.", "communication"),
        ("Quick and efficient.", "speed"),
        ("Reliable and honest.", "professionalism"),
        ("So helpful.", "friendliness"),
        ("Hard working lads.", "professionalism"),
        ("Fixed it the same day.", "speed"),
    ] {
        assert_eq!(read(text, 5).get(aspect), Some(&Sentiment::Positive), "{text}");
    }
}

#[test]
fn complaints_are_heard() {
    for (text, aspect) in [
        ("He damaged our floor and refused to pay for it.", "professionalism"),
        ("They never turned up and nobody called.", "punctuality"),
        ("I left three messages and got no reply.", "communication"),
        ("Quoted 80, charged 160.", "pricing"),
        ("The receptionist was rude.", "friendliness"),
        ("The leak came back after a week.", "quality"),
        ("Worst haircut I have ever had.", "quality"),
    ] {
        let said = read(text, 1);
        assert_eq!(said.get(aspect), Some(&Sentiment::Negative), "{text}: {said:?}");
    }
}

#[test]
fn fragments_are_no_opinion() {
    for text in ["10/10", "Good afternoon,"] {
        assert_eq!(read(text, 5), BTreeMap::new(), "{text}");
    }
}

#[test]
fn praise_of_others_is_none_of_this_business() {
    let praised = |text: &str, stars| {
        let praise = |sentiment| matches!(sentiment, Sentiment::Positive | Sentiment::Mixed);
        read(text, stars).into_iter().filter(|(_, said)| praise(*said)).map(|(id, _)| id).collect()
    };
    for text in [
        "Years ago the staff here were polite and quick.",
        "They used to be cheap and honest.",
        "The bakery across the street is friendly and spotless.",
        "We ended up in a bistro round the corner with fresh food and kind waiters.",
        "The flyer promised tidy work at a fair price.",
        "I was punctual and polite, as always.",
        "My brother fixed it quickly and left no mess.",
        "A polite word would have been nice.",
        "Under the previous owner the rooms were clean.",
        "I had read great things about the friendly team.",
        "In 2016 this was a clean, friendly hostel.",
        "The firm my cousin uses is always punctual.",
        "I kept the flat tidy all week.",
    ] {
        for stars in [1, 2] {
            let praised: Vec<String> = praised(text, stars);
            assert_eq!(praised, Vec::<String>::new(), "{stars}: {text}");
        }
    }
    let kept = [
        ("The waiter was friendly, but the food was cold.", 3, "friendliness"),
        ("Friendly staff and clean rooms, the bed was too soft.", 3, "friendliness"),
        ("They did what they promised and the price was fair.", 5, "pricing"),
    ];
    for (text, stars, aspect) in kept {
        assert!(praised(text, stars).iter().any(|id| id == aspect), "{text}");
    }
}

#[test]
fn blame_of_the_customer_is_none_of_the_business() {
    for text in [
        "My car broke down, so I was late for the appointment, and they waited.",
        "Our tenants were rude to the fitter, he stayed calm.",
        "I was half an hour late and they still saw me.",
        "The train was two hours late, the porter stayed up for us.",
        "The washrooms at the airport are filthy, here they are spotless.",
    ] {
        assert_eq!(blamed(text, 5), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn sentences_without_capitals_are_judged_one_by_one() {
    let said = read("the food was cold and bland. the waitress was really friendly.", 3);
    let of = |id: &str| said.get(id).copied();
    assert_eq!(
        [of("quality"), of("friendliness")],
        [Some(Sentiment::Negative), Some(Sentiment::Positive)]
    );
}
