//! The word lists of phrases.

/// Words that no phrase contains, except in a collocation.
pub(super) const STOP_WORDS: &str = "a about above after again all almost along already also although always am an and any anyone anything \
    are around as ask asked at away back be because been before being best both but by call called came can can't cannot come \
    could couldn't day days did didn't do does doesn't doing don't done down during each either else ended enough even ever every \
    everyone everything few first for from gave get gets getting give go goes going gone got had has hasn't have haven't having \
    he he's her here him his how i i'd i'll i'm i've if in into is isn't it it's its just know last later least left let like \
    little long look lot made make many may maybe me might more most much must my myself need needed never next no nobody not \
    nothing now of off on once one only or other our out over own people place put rather really right said same say says see \
    seen she she's should since so some someone something soon still such sure take taken tell than that that's the their them \
    then there these they they're they've thing things think this those though thought through time times to told too took two \
    under until up us use used very want wanted was wasn't way we we'd we're we've well went were weren't what when where which \
    while who whole why will with within without won't would wouldn't year years yet you you're your three four five six seven \
    exactly throughout eight nine ten hour hours minute minutes week weeks month months # s t re ve ll d m";

/// Phrases in which stop words keep their meaning. A phrase contains such a collocation whole or not
/// at all.
pub(super) const COLLOCATIONS: &str = "above_and_beyond ahead_of_schedule answered_all_my_questions answered_all_our_questions \
    answered_all_questions answered_my_questions answered_our_questions attention_to_detail clean_up cleaned_up cleaning_up \
    down_to_earth exceeded_my_expectations exceeded_our_expectations easy_to_deal_with easy_to_talk_to easy_to_work_with eye_for_detail followed_up great_to_deal_with great_to_work_with hard_to_reach \
    kept_me_informed kept_us_informed never_showed_up next_day no_call_out_fee no_complaints no_fuss no_hassle no_hidden_fees no_mess \
    no_pressure no_problems no_show on_budget on_hold on_schedule on_site on_time peace_of_mind pleasure_to_deal_with pleasure_to_work_with same_day second_to_none show_up \
    showed_up tidied_up tidy_up turned_up up_front up_to_date up_to_scratch value_for_money well_done well_mannered \
    well_organised well_organized well_priced well_spoken without_delay";

/// Words after which the next words mean the opposite.
pub(super) const NEGATIONS: &str = "no not never neither nor cannot without hardly barely lack lacked lacking can't couldn't didn't \
    doesn't don't hadn't hasn't haven't isn't wasn't weren't won't wouldn't shouldn't aren't cant didnt dont doesnt wasnt isnt wont";

/// The stop word that a phrase may have between two other words: "quality of work".
pub(super) const LINK: &str = "of";

/// Words that begin no phrase: what follows them is told of them ("company arrived").
pub(super) const SUBJECTS: &str = "company companies guys guy team crew staff people person man men lady business firm \
    technician technicians tech techs";
