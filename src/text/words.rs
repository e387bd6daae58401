use strum::VariantArray;

/// The names of an enum's variants, in order.
pub(crate) fn words<T: VariantArray + Into<&'static str> + Copy>() -> Vec<&'static str> {
    T::VARIANTS.iter().map(|&variant| variant.into()).collect()
}
