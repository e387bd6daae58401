//! The scripts in which otherwise invisible characters have a function. The ranges are generous:
//! not every letter in them needs these characters.

pub(super) fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{61b}' | '\u{61d}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Arabic and related scripts, the scripts of India and Southeast Asia, and Mongolian use joiners.
pub(super) fn joins(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{61b}' | '\u{61d}'..='\u{8ff}' | '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{180a}'
        | '\u{180f}'..='\u{18af}' | '\u{1900}'..='\u{1aaf}' | '\u{1b00}'..='\u{1c4f}' | '\u{a800}'..='\u{abff}'
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10a00}'..='\u{10fff}' | '\u{11000}'..='\u{11fff}'
        | '\u{1e900}'..='\u{1e95f}')
}

/// Scripts without spaces between words may mark word ends with an invisible space.
pub(super) fn separates_words(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1950}'..='\u{1aaf}' | '\u{1b00}'..='\u{1b7f}'
        | '\u{a980}'..='\u{aadf}')
}

/// An emoji, or a variation selector or skin tone that ends one.
pub(super) fn is_emoji(c: char) -> bool {
    matches!(c, '\u{fe0f}' | '\u{e007f}' | '\u{20e3}') || is_symbol(c)
}

fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{24ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Symbols, keycaps, ideographs and scripts with variants take variation selectors.
pub(super) fn takes_variation(c: char) -> bool {
    matches!(c,
        '0'..='9' | '#' | '*' | '\u{1000}'..='\u{109f}' | '\u{1800}'..='\u{18af}' | '\u{2200}'..='\u{22ff}'
        | '\u{2a00}'..='\u{2aff}' | '\u{2e80}'..='\u{9fff}' | '\u{a840}'..='\u{a87f}' | '\u{aa60}'..='\u{aa7f}'
        | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
        || is_symbol(c)
}
