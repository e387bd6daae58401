use std::collections::BTreeSet;
use std::path::Path;

use super::*;
use crate::answer::explain::testing::{FILES, MORE, shop, shop_as, shop_with};
use crate::decide::request::{SentMessage, ThreadEvent};
use crate::prompt::Role;

/// A place as output prints it, resolved from a folder that is in no tier.
fn place(typed: &str) -> Result<FileLines, (String, String)> {
    let (prompt, tiers) = shop();
    FileLines::find(typed, Path::new("/nowhere"), &prompt, &tiers)
        .map_err(|error| (error.message(), error.help().unwrap_or_default()))
}

fn occurrences(typed: &str) -> Occurrences {
    let (prompt, tiers) = shop();
    let place = FileLines::find(typed, Path::new("/nowhere"), &prompt, &tiers).unwrap();
    Occurrences::new(place, &prompt, &tiers).unwrap()
}

fn codes(typed: &str) -> Vec<&'static str> {
    occurrences(typed).reasons.iter().map(|reason| reason.code).collect()
}

fn lands(typed: &str) -> Vec<(usize, usize, &'static str)> {
    occurrences(typed)
        .occurrences
        .iter()
        .map(|occurrence| (occurrence.message, occurrence.line, occurrence.how))
        .collect()
}

#[test]
fn forward_and_backward_agree() {
    let (prompt, tiers) = shop();
    let mut named = BTreeSet::new();
    for (index, message) in prompt.messages.iter().enumerate() {
        for line in lines(message) {
            for span in line.pieces.iter().filter_map(OriginPiece::span) {
                let (tier, path) = (span.source().tier().to_string(), span.source().path().to_string());
                let of_file = span.line()..=span.last_line();
                named.extend(of_file.map(|number| (tier.clone(), path.clone(), number, index, line.number)));
            }
        }
    }
    let (mut found_lines, mut silent) = (BTreeSet::new(), 0);
    for (tier, path, text) in FILES {
        for number in 1..=text.lines().count() {
            let typed = format!("{tier} .ai/{path}:{number}");
            let place = FileLines::find(&typed, Path::new("/nowhere"), &prompt, &tiers).unwrap();
            let found = Occurrences::new(place, &prompt, &tiers).unwrap();
            silent += usize::from(found.occurrences.is_empty());
            assert!(!found.occurrences.is_empty() || !found.tools.is_empty() || !found.reasons.is_empty(), "{typed}");
            let here = found.occurrences.iter().map(|occurrence| (occurrence.message, occurrence.line));
            found_lines
                .extend(here.map(|(message, line)| (tier.to_string(), format!(".ai/{path}"), number, message, line)));
        }
    }
    assert_eq!(found_lines, named);
    assert!(named.len() > 15 && silent > 40, "{} {silent}", named.len());
}

#[test]
fn an_occurrence_is_exact_derived_or_a_default() {
    // `&amp;` is decoded; the text around it is not.
    let description = lands("project .ai/directives/shop/deploy.md:11");
    assert!(description.iter().any(|occurrence| occurrence.2 == "derived"), "{description:?}");
    let default = lands("project .ai/directives/shop/deploy.md:27");
    assert!(!default.is_empty() && default.iter().all(|occurrence| occurrence.2 == "default"), "{default:?}");
    assert_eq!(lands("system .ai/knowledge/identity.md:6"), [(0, 2, "exact")]);
    // Windows newlines; the item is both before and after the directive.
    assert_eq!(lands("project .ai/knowledge/rules.md:7").len(), 2);
    assert_eq!(lands("project .ai/knowledge/rules.md").len(), 6);
}

#[test]
fn a_line_lands_in_the_palette() {
    let parts = |typed| occurrences(typed).tools.iter().map(|occurrence| occurrence.part).collect::<Vec<_>>();
    assert_eq!(parts("project .ai/tools/shop/rollout.yaml:2"), ["description"]);
    assert_eq!(parts("project .ai/tools/shop/rollout.yaml:6"), ["schema"]);
    assert_eq!(parts("project .ai/tools/shop/rollout.yaml:1"), [""; 0]);
    // `directive_return` is made from the outputs.
    assert_eq!(parts("project .ai/directives/shop/deploy.md:30"), ["schema"]);
}

#[test]
fn a_line_that_appears_nowhere_has_a_reason() {
    let directive = |line: usize| codes(&format!("project .ai/directives/shop/deploy.md:{line}"));
    assert_eq!(directive(1), ["signature"]);
    assert_eq!(directive(3), ["blank"]);
    assert_eq!(directive(4), ["preamble"]);
    assert_eq!(directive(6), ["fence"]);
    assert_eq!([directive(8), directive(9)], [["comment"], ["comment"]]);
    assert_eq!(directive(10), ["inside_fence"]);
    assert_eq!(directive(12), ["metadata"]);
    assert_eq!(directive(17), ["asks"]);
    assert_eq!(directive(19), ["decides"]);
    assert_eq!(directive(22), ["metadata"]);
    assert_eq!(directive(39), ["placeholder"]);
    assert_eq!(codes("system .ai/directives/shop/base.md:15"), ["parent_body"]);
    assert_eq!(codes("system .ai/directives/shop/base.md:7"), ["asks"]);
    assert_eq!(codes("project .ai/knowledge/rules.md:2"), ["yaml_block"]);
    assert_eq!(codes("project .ai/knowledge/rules.md:3"), ["fence"]);
    assert_eq!(codes("system .ai/knowledge/rules.md:5"), ["shadowed"]);
    assert_eq!(codes("system .ai/knowledge/behavior.md:5"), ["suppressed"]);
    assert_eq!(codes("user .ai/knowledge/unasked.md:5"), ["condition_false"]);
    assert_eq!(codes("user .ai/config/agent/hooks.yaml:6"), ["asks"]);
    assert_eq!(codes("user .ai/config/agent/hooks.yaml:1"), ["metadata"]);
    assert_eq!(codes("project .ai/tools/shop/broken.yaml:2"), ["empty"]);
    assert_eq!(codes("project .ai/tools/other.yaml"), ["not_part"]);
}

#[test]
fn declarations_are_named() {
    let (prompt, tiers) = shop_with(&MORE);
    let whys = |typed: &str| {
        let place = FileLines::find(typed, Path::new("/nowhere"), &prompt, &tiers).unwrap();
        let reasons = Occurrences::new(place, &prompt, &tiers).unwrap().reasons;
        reasons.into_iter().map(|reason| reason.why).collect::<Vec<_>>()
    };
    let directive = |line: usize| whys(&format!("project .ai/directives/shop/deploy.md:{line}"));
    assert_eq!(directive(7), ["it declares `version`", "it declares the parent `shop/base`"]);
    assert_eq!(directive(12), ["it sets model to \"fast\""]);
    assert_eq!(directive(14)[0], "it declares the permission `rye.execute.tool.shop.*`");
    assert_eq!(directive(22), ["it declares the hook `own`: does not fire: this event adds no message to a prompt"]);
    assert_eq!(directive(26), ["it declares the input `target`"]);
    let limits = |line: usize| whys(&format!("…/resilience.yaml:{line}"));
    assert_eq!(limits(1), ["it is the newline before `limits`, which must begin a line"]);
    assert_eq!([limits(2), limits(3)], [["it declares `limits`"], ["it sets limits.turns to 8"]]);
    assert_eq!(limits(4), ["nothing in this prompt depends on this line"]);
    assert_eq!(whys("project .ai/config/agent/hooks.yaml:1"), ["it declares `hooks`"]);
    assert_eq!(
        whys("project .ai/knowledge/spare.md:5"),
        ["hook two would bring it in, but is left out: condition false: directive is \"shop/deploy\", not \"x\""]
    );
    assert_eq!(
        whys("project .ai/knowledge/late.md:5"),
        ["hook resumed would bring it in, but is left out: does not fire: this thread is new, not resumed"]
    );
    let open = whys("project .ai/knowledge/web/rules.md:5");
    assert!(open[0].starts_with("nothing in this prompt requests knowledge web/rules: "));
    assert!(open[1].starts_with("hook open may bring it in, by an id with placeholders, but is left out: condition"));
}

#[test]
fn printed_places_can_be_parsed() {
    let found = |typed| place(typed).map(|place| (place.source.tier().to_string(), place.lines));
    assert_eq!(found("system .ai/knowledge/rules.md:5"), Ok(("system".to_string(), Some(5..=5))));
    assert_eq!(found("project .ai/knowledge/rules.md:5-7"), Ok(("project".to_string(), Some(5..=7))));
    assert_eq!(found("project …/rules.md:5"), Ok(("project".to_string(), Some(5..=5))));
    assert_eq!(found("…/knowledge/place.md"), Ok(("user".to_string(), None)));
    // Line and column, as errors print them.
    assert_eq!(found("project .ai/knowledge/rules.md:5:3"), Ok(("project".to_string(), Some(5..=5))));
    // Without a tier: the copy that the prompt uses, or the first one.
    assert_eq!(found(".ai/knowledge/rules.md"), Ok(("project".to_string(), None)));
    assert_eq!(found(".ai/knowledge/unasked.md"), Ok(("user".to_string(), None)));
    assert_eq!(
        place("project .ai/knowledge/rules.md:5-7").unwrap().text.unwrap().text(),
        "Never on a Friday.\n\nAsk first."
    );
}

#[test]
fn an_invalid_place_is_refused() {
    let (what, help) = place(".ai/knowledge/rules.md:8").unwrap_err();
    assert_eq!(
        (what.as_str(), help.as_str()),
        ("`project .ai/knowledge/rules.md` has no line 8", "its last line is 7")
    );
    let (what, help) = place(".ai/knowledge/ruels.md:5").unwrap_err();
    assert_eq!(what, "--from .ai/knowledge/ruels.md: no such file");
    assert_eq!(help, "did you mean `.ai/knowledge/rules.md`?");
    let (_, help) = place("x").unwrap_err();
    assert_eq!(help, "name a file in a tier: project, user, system");
    assert!(place("/").unwrap_err().0.contains("a folder"));
    assert!(place("…/nothing.md").is_err() && place("").is_err() && place("project ../x").is_err());
}

fn whys(typed: &str, prompt: &Prompt, tiers: &Tiers) -> Vec<String> {
    let place = FileLines::find(typed, Path::new("/nowhere"), prompt, tiers).unwrap();
    Occurrences::new(place, prompt, tiers).unwrap().reasons.into_iter().map(|reason| reason.why).collect()
}

#[test]
fn a_setting_names_what_overrides_it() {
    let limits = ("config/agent/resilience.yaml", "limits:\n  defaults:\n    turns: 8\n    spend: 2\n");
    let own = (
        "directives/b.md",
        "```xml\n<directive>\n<metadata><limits spend=\"3\"/></metadata>\n</directive>\n```\nGo.\n",
    );
    let of = |flags: &[(&str, i64)]| {
        let (prompt, tiers) = shop_as("rye-3", &[limits, own], |request| {
            request.directive.id = "b".to_string();
            request.limits = flags.iter().map(|(name, value)| (name.to_string(), (*value).into())).collect();
        });
        let whys = |typed| whys(typed, &prompt, &tiers).join("; ");
        [whys("…/resilience.yaml:3-4"), whys(".ai/directives/b.md:3")]
    };
    assert_eq!(
        of(&[]),
        [
            "it sets limits.turns to 8; it sets limits.spend to 2, but 3 overrides it",
            "it sets limits.spend to 3, which no text or condition depends on"
        ]
    );
    assert_eq!(
        of(&[("turns", 9), ("spend", 1)]),
        [
            "it sets limits.turns to 8, but --limit overrides it with 9; it sets limits.spend to 2, but --limit overrides it with 1",
            "it sets limits.spend to 3, but --limit overrides it with 1",
        ]
    );
}

#[test]
fn a_directive_that_is_not_sent_again_is_left_out() {
    let (prompt, tiers) = shop_as("rye-3", &[], |request| {
        request.event = ThreadEvent::Continued;
        request.messages = vec![SentMessage { role: Role::User, text: "Hello".to_string() }];
    });
    assert_eq!(
        whys("project .ai/directives/shop/deploy.md:39", &prompt, &tiers),
        ["shop/deploy is left out: a resumed thread does not send it again"]
    );
}

#[test]
fn a_duplicate_is_not_a_reason_for_an_included_item() {
    let base = "# Twice\n\n```xml\n<directive name=\"base\">\n  <metadata>\n    <context>\n      <before>spare</before>\n      \
                <before>spare</before>\n    </context>\n  </metadata>\n</directive>\n```\n\nBase.\n";
    let (prompt, tiers) = shop_with(&[MORE[2], ("directives/shop/base.md", base)]);
    assert_eq!(
        whys("project .ai/knowledge/spare.md:2", &prompt, &tiers),
        ["it is inside the yaml block of the item, which is read but not sent"]
    );
}

#[test]
fn tools_of_one_grant_are_reported_together() {
    let tool = "description: T\nconfig_schema: {type: object}\n";
    let (prompt, tiers) = shop_with(&[("tools/shop/one.yaml", tool), ("tools/shop/two.yaml", tool)]);
    assert_eq!(
        whys("project .ai/directives/shop/deploy.md:14", &prompt, &tiers)[1..],
        [
            "it grants 3 tools that are in the palette: shop/one, shop/rollout, shop/two; 1 that is missing: rye/execute; 1 \
          that is without a readable schema: shop/broken"
        ]
    );
}

#[test]
fn an_invalid_line_is_reported() {
    for (typed, what) in [
        (".ai/knowledge/rules.md:0", "`0` is not a line of a file"),
        (".ai/knowledge/rules.md:", "no line follows the colon"),
        (".ai/knowledge/rules.md:x", "`x` is not a line of a file"),
    ] {
        let help = "write FILE, FILE:12 or FILE:12-20; the first line is 1".to_string();
        assert_eq!(place(typed).unwrap_err(), (format!("--from {typed}: {what}"), help));
    }
}
