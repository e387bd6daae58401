use strum::VariantArray;

/// The names of an enum's variants, in order.
pub(crate) fn words<T: VariantArray + Into<&'static str> + Copy>() -> Vec<&'static str> {
    T::VARIANTS.iter().map(|&variant| variant.into()).collect()
}

/// A word as typed in a shell, which does not interpret it.
pub(crate) fn quoted_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
