use strum::VariantArray;

/// The words of an enum, in the order of its variants.
pub(crate) fn words<T: VariantArray + Into<&'static str> + Copy>() -> Vec<&'static str> {
    T::VARIANTS.iter().map(|&variant| variant.into()).collect()
}
