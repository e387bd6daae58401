//! Whole directives: fence, XML, declarations.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::read::item::{ItemField, elements, parse_directive, read_directive};
use rye_render::internals::read::protocol::Protocol;
use rye_render::internals::text::Source;
use rye_render_fuzz::{check_diagnostics, check_span, check_traced, source};

fuzz_target!(|data: &[u8]| {
    let Some(source) = source(".ai/directives/one.md", data) else { return };
    let bytes = |_: &Source| Some(data);
    let protocol = Protocol::builtin("rye-4").expect("it is built in");
    let parsed = match parse_directive(&source, &protocol) {
        Ok(parsed) => parsed,
        Err(errors) => {
            assert!(read_directive(&source, &protocol).is_err());
            return check_diagnostics(&errors, &bytes);
        }
    };
    check_diagnostics(&parsed.diagnostics, &bytes);
    let directive = parsed.item;
    let field = |field: &ItemField| {
        check_traced(&field.text, &bytes);
        check_span(&field.span, data);
    };
    [&directive.name, &directive.version, &directive.category, &directive.extends, &directive.description]
        .into_iter()
        .flatten()
        .for_each(field);
    [&directive.model.id, &directive.model.tier, &directive.model.provider].into_iter().flatten().for_each(field);
    directive.references().for_each(|(_, reference)| field(reference));
    directive.acknowledged.iter().for_each(field);
    let content = directive.content.range();
    for span in elements(&directive).iter().chain(&directive.comments).chain([&directive.tag]) {
        check_span(span, data);
        assert!(
            content.start <= span.range().start && span.range().end <= content.end,
            "{span:?} is not in {content:?}"
        );
    }
    for span in [&directive.preamble, &directive.content, &directive.body] {
        check_span(span, data);
    }
    for element in elements(&directive) {
        assert!(element.text().starts_with('<') && element.text().ends_with('>'), "{:?}", element.text());
    }
});
