use regex::Regex;

use super::testing::{pair, sample, view};
use super::*;
use crate::answer::diff::{CachePlace, LayerPair, LineChange, Side};
use crate::text::visible::{is_hidden, visible};
use crate::write::page::testing::{HOSTILE, is_contained, makes_no_requests, tags, text_of};

fn shown(difference: &Difference) -> String {
    let mut out = Vec::new();
    write(difference, &view(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The markup of the card of a layer or tool.
fn card<'a>(page: &'a str, id: &str) -> &'a str {
    let from = page.split_once(&format!("id=\"{id}\"")).expect("it has a card").1;
    from.split("<details class=\"card").next().unwrap()
}

/// The lines of each side that a part of a page shows, without line breaks.
fn sides(markup: &str) -> [Vec<String>; 2] {
    let line = Regex::new("(?s)<p class=\"([cda])\".*?<b>(.*?)</b></span>").unwrap();
    let of = |marks: &str| {
        let lines = line.captures_iter(markup).filter(|found| marks.contains(&found[1]));
        lines.map(|found| text_of(&found[2])).collect()
    };
    [of("cd"), of("ca")]
}

/// A difference with one changed layer, all lines of which differ.
fn replaced(left: &str, right: &str) -> Difference {
    let mut difference = sample();
    for (side, text) in [(&mut difference.left, left), (&mut difference.right, right)] {
        side.messages[0].text = text.to_string();
        side.layers.truncate(1);
        side.layers[0].range = 0..text.len();
    }
    let lines = |text: &str| 0..text.split_inclusive('\n').count();
    let change = LineChange { left: lines(left), right: lines(right) };
    difference.layers = vec![LayerPair { lines: vec![change], ..pair(Some(0), Some(0), (1, 1)) }];
    difference
}

#[test]
fn lines_are_exact() {
    let difference = sample();
    let page = shown(&difference);
    for (index, pair) in difference.layers.iter().enumerate() {
        let text = |side: &Side, at: Option<usize>| at.map_or("", |at| side.layer_text(&side.layers[at])).to_string();
        let expected = [text(&difference.left, pair.left), text(&difference.right, pair.right)];
        let expected = expected.map(|text| text.lines().map(str::to_string).collect::<Vec<_>>());
        assert_eq!(sides(card(&page, &format!("L{index}"))), expected, "{}", pair.change().into_str());
    }
}

#[test]
fn untrusted_text_stays_text() {
    let page = shown(&replaced("plain", HOSTILE));
    let expected: Vec<_> =
        HOSTILE.split_inclusive('\n').map(|line| visible(line.trim_end_matches('\n')).into()).collect();
    assert_eq!(sides(card(&page, "L0")), [vec!["plain".to_string()], expected]);
    assert!(!page.contains(is_hidden));
    let line = ["<p class data-l>", "<p class data-r>", "<span>", "<b>", "<span class>"];
    let others = shown(&sample());
    let known = tags(&others);
    let strange: Vec<_> =
        tags(&page).into_iter().filter(|tag| !known.contains(tag) && !line.contains(&&**tag)).collect();
    assert_eq!(strange, Vec::<String>::new());
}

#[test]
fn untrusted_names_are_never_markup() {
    let mut difference = sample();
    let plain = shown(&difference);
    let hostile = format!("x{HOSTILE}");
    for side in [&mut difference.left, &mut difference.right] {
        side.title.clone_from(&hostile);
        side.directive = Some(hostile.clone());
        for layer in &mut side.layers {
            layer.title.clone_from(&hostile);
            layer.slot.clone_from(&hostile);
            layer.kind.clone_from(&hostile);
            let item = layer.item.as_mut().unwrap();
            item.place.as_mut().unwrap().path.push_str(&hostile);
            layer.declared_by.as_mut().unwrap().by.push_str(&hostile);
        }
        for tool in side.tools.iter_mut().flatten() {
            tool.name.clone_from(&hostile);
        }
        for considered in side.decisions.iter_mut().flatten() {
            considered.title.clone_from(&hostile);
            considered.why.push_str(&hostile);
        }
    }
    for field in &mut difference.fields {
        field.name.clone_from(&hostile);
        field.value.left.iter_mut().chain(&mut field.value.right).for_each(|value| value.push_str(&hostile));
    }
    let page = shown(&difference);
    assert_eq!(tags(&page), tags(&plain));
    assert!(!page.contains(is_hidden));
}

#[test]
fn changed_cards_are_open_and_the_others_closed() {
    let page = shown(&sample());
    let card = Regex::new("<details class=\"card ([a-z]+)\" id=\"([LT][0-9]+)\"( open)?>").unwrap();
    let cards: Vec<_> = card
        .captures_iter(&page)
        .map(|found| format!("{} {}{}", &found[2], &found[1], found.get(3).map_or("", |open| open.as_str())))
        .collect();
    let expected = [
        "L0 same",
        "L1 changed open",
        "L2 removed open",
        "L3 added open",
        "L4 changed open",
        "L5 around open",
        "T0 same",
        "T1 changed open",
        "T2 removed open",
    ];
    assert_eq!(cards, expected);
}

#[test]
fn changed_words_are_marked() {
    let page = shown(&sample());
    assert!(card(&page, "L4").contains("Tell the team<ins> and the customers</ins>."), "{}", card(&page, "L4"));
    // A line without a counterpart has only its sign as a mark.
    assert!(!card(&page, "L3").contains("<ins>"));
}

#[test]
fn a_moved_layer_shows_both_places() {
    let page = shown(&sample());
    let text = text_of(card(&page, "L5"));
    for said in [
        "deploy/contacts people/contacts",
        "moved from user.chain_before to user.chain_after renamed from deploy/contacts \
         now taken from project instead of system:std requested by deploy instead of deploy/base",
        "system:std .ai/knowledge/deploy/contacts.md:4-5\nproject .ai/knowledge/people/contacts.md:6-9",
        "requested by deploy/base, project .ai/directives/deploy.md:9\n\
         requested by deploy, project .ai/directives/deploy.md:9",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
}

#[test]
fn the_head_has_the_verdict_and_the_sizes() {
    let page = shown(&sample());
    let target = page.split_once("\">Show it.</a>").unwrap().0.rsplit('#').next().unwrap();
    assert!(card(&page, target).contains("breaks the cache"), "{target}");
    let text = text_of(&page);
    for said in [
        "The prompts differ: 5 of 6 layers, 2 of 3 tools, 2 fields, the chain, 1 decision.",
        "1,152 → 1,177 tokens (+25, +2.2%)",
        "messages 1,120 → 1,151 tokens (+31, +2.8%)",
        "tools 32 → 26 tokens (-6, -18.8%)",
        "The prefix ends at byte 195 of 635 (31%), broken by system · deploy/rules; 49 tokens can be reused.",
    ] {
        assert!(text.contains(said), "{said}");
    }
}

#[test]
fn the_tall_part_of_the_picture_ends_where_the_cache_breaks() {
    let difference = sample();
    let page = shown(&difference);
    let block = Regex::new("class=\"(kept|lost)[^\"]*\" x=\"([0-9]+)\" y=\"[0-9]+\" width=\"([0-9]+)\"").unwrap();
    let edge = difference.cache.shared_bytes * 10_000 / difference.cache.bytes.right;
    let mut blocks = 0;
    for found in block.captures_iter(&page) {
        let [x, width] = [&found[2], &found[3]].map(|number| number.parse::<usize>().unwrap());
        assert!(if &found[1] == "kept" { x + width <= edge } else { x >= edge }, "{}", &found[0]);
        blocks += 1;
    }
    // Tools, two layers of the system message, the second of them in two parts, and three of the user message.
    assert_eq!(blocks, 7);
}

#[test]
fn a_prompt_on_one_side_alone_has_no_cache() {
    let mut difference = sample();
    difference.left = Side::absent("main:deploy".into());
    difference.layers.retain(|pair| pair.right.is_some());
    for pair in &mut difference.layers {
        let text = difference.right.layer_text(&difference.right.layers[pair.right.unwrap()]);
        pair.left = None;
        pair.lines = vec![LineChange { left: 0..0, right: 0..text.lines().count() }];
    }
    difference.cache.breaks_at = Some(CachePlace::Tool { name: "gone".into() });
    let text = text_of(&shown(&difference));
    assert!(text.contains("The prompt was added: main:deploy does not exist."), "{text}");
    assert!(!text.contains("prefix"));
}

#[test]
fn what_is_not_compared_is_named() {
    let mut difference = sample();
    difference.not_compared = vec!["tools".into(), "the system message".into()];
    (difference.is_coarse, difference.between, difference.cache.is_reusable) = (true, true, Some(false));
    let text = text_of(&shown(&difference));
    for said in
        ["Not compared: tools, the system message.", "The comparison was cut short", "Text between layers differs"]
    {
        assert!(text.contains(said), "{said}");
    }
    assert!(text.contains("; too short to reuse: 49 tokens; caching needs at least 0."));
}

#[test]
fn too_much_text_is_left_out_with_a_remark() {
    let long = |seed: usize| {
        (0..100_000).map(|line| format!("{seed} line {line} of a text of five megabytes\n")).collect::<String>()
    };
    let (left, right) = (long(1), long(2));
    let page = shown(&replaced(&left, &right));
    assert!(page.len() < 1_500_000, "{}", page.len());
    assert!(text_of(card(&page, "L0")).contains("more changed lines. --format patch shows everything."));

    let (left, right) = ("é".repeat(2_500_000), "x".repeat(5_000_000));
    let page = shown(&replaced(&left, &right));
    assert!(page.len() < 200_000, "{}", page.len());
    assert!(text_of(card(&page, "L0")).contains("and 4,980,000 more bytes in this line"));

    let mut same = replaced(&left, &left);
    same.layers[0].lines.clear();
    let page = shown(&same);
    assert!(page.len() < 200_000, "{}", page.len());
    assert!(text_of(card(&page, "L0")).contains("The text is the same and too long for this page: 5,000,000 bytes."));
}

#[test]
fn a_missing_final_newline_is_reported() {
    let page = shown(&replaced("a\n", "a"));
    assert_eq!(page.matches("No newline at end of text").count(), 1);
    let page = shown(&replaced("a", "b"));
    assert_eq!(page.matches("No newline at end of text").count(), 0);
}

#[test]
fn the_page_is_deterministic() {
    assert_eq!(shown(&sample()), shown(&sample()));
}

#[test]
fn the_page_is_self_contained() {
    assert!([STYLE, SCRIPT].iter().all(|held| is_contained(held)));
    assert!(makes_no_requests(&shown(&sample())));
}
