use super::Value;

/// Follows a dotted path: keys of maps, indices of lists (negative ones from the end); an empty path returns `value`.
pub fn look_up<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    if path.is_empty() {
        return Some(value);
    }
    path.split('.').try_fold(value, |value, part| match value {
        Value::Map(_) => value.get(part),
        Value::List(list) => list.get(index(part, list.len())?),
        _ => None,
    })
}

pub fn index(part: &str, length: usize) -> Option<usize> {
    let index: isize = part.parse().ok()?;
    if index < 0 { length.checked_add_signed(index) } else { Some(index.unsigned_abs()) }
}
