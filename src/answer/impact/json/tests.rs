use serde_json::Value as Json;

use super::*;
use crate::answer::diff::DiffFormat;
use crate::answer::impact::testing::impact;
use crate::answer::schema::tests::assert_valid;
use crate::text::tokens::Tokenizer;
use crate::text::visible::is_hidden;
use crate::write::markdown::testing::HOSTILE;
use crate::write::screen::Screen;

fn written(impact: &Impact, visible: bool) -> String {
    let view = DiffView {
        format: DiffFormat::Json,
        context: 3,
        side_by_side: false,
        word_diff: false,
        tokenizer: Tokenizer::Chars4,
        screen: Screen { visible, ..Screen::plain(80) },
    };
    let mut out = Vec::new();
    crate::answer::impact::write(impact, &view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[track_caller]
fn json(impact: &Impact) -> Json {
    assert_valid("impact", written(impact, false).as_bytes())
}

#[test]
fn every_kind_of_change_is_written() {
    let json = json(&impact(str::to_string));
    assert_eq!(json["format"], "rye-render.impact/1");
    assert_eq!(
        (&json["titles"]["left"], &json["directives"], &json["same"]),
        (&"main".into(), &41.into(), &false.into())
    );
    let cause = &json["causes"][0];
    assert_eq!(cause["what"]["path"], ".ai/knowledge/deploy/rules.md");
    assert_eq!((&cause["what"]["there"]["left"], &cause["what"]["id"]), (&true.into(), &"deploy/rules".into()));
    let ids: Vec<_> = cause["prompts"].as_array().unwrap().iter().map(|prompt| prompt["id"].clone()).collect();
    assert_eq!(ids, ["deploy_production", "deploy_staging"]);
    assert_eq!(cause["shown"]["layers"][0]["right"]["name"], "deploy/rules");
    assert_eq!(cause["shown"]["layers"][0]["lines"][0]["left"]["text"][0], "Never deploy on a Friday.\n");
    assert_eq!((&cause["shown"]["prompt"], &cause["prompts"][0]["tokens"]), (&0.into(), &72.into()));
    assert_eq!((&cause["prompts"][0]["fields"][0], &cause["prompts"][0]["chain"]), (&0.into(), &true.into()));
    let tool = &json["changed"][0]["tools"][0];
    assert_eq!((&tool["name"], &tool["change"]), (&"rye_web_search".into(), &"changed".into()));
    assert_eq!((&tool["description"], &tool["schema"]), (&true.into(), &false.into()));
    assert_eq!(json["causes"][2]["prompts"][0]["tokens"], -72);
    assert_eq!(json["causes"][1]["what"]["there"]["left"], false);
    assert_eq!(json["causes"][2]["what"]["kind"], "arguments");
    let changed = &json["changed"][2];
    assert_eq!((&changed["change"], &changed["sha256"]["left"]), (&"added".into(), &Json::Null));
    assert_eq!((&changed["tokens"]["right"], &changed["layers"][0]["role"]), (&90.into(), &"system".into()));
    assert_eq!((&changed["cache"]["shared_bytes"], &changed["cache"]["breaks_at"]["layer"]), (&1204.into(), &0.into()));
    let error = &json["failed"][0]["errors"]["right"][0];
    assert_eq!((&error["code"], &error["source"]["line"]), (&"invalid_utf8".into(), &3.into()));
}

#[test]
fn hostile_names_stay_valid() {
    for name in HOSTILE {
        let impact = impact(|_| name.to_string());
        assert_eq!(json(&impact)["changed"][0]["id"], name);
        let seen = written(&impact, true);
        assert!(!seen.contains(is_hidden), "{seen:?}");
        assert_eq!(serde_json::from_str::<Json>(&seen).unwrap(), json(&impact));
    }
}
