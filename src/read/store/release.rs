pub(super) type Release = [u64; 3];

/// The numbers of a version; a suffix such as `rc1` is ignored.
pub(super) fn release(version: &str) -> Release {
    let mut numbers = version.split('.').map(|part| {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        part[..digits].parse().unwrap_or(0)
    });
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}
