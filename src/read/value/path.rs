use super::Value;

/// Follows a dotted path: keys of maps, indices of lists (negative ones from the end); an empty path returns `value`.
pub fn look_up<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    if path.is_empty() {
        return Some(value);
    }
    path.split('.').try_fold(value, |value, part| match value {
        Value::Map(_) => value.get(part),
        Value::List(list) => {
            let index: isize = part.parse().ok()?;
            let index = if index < 0 { list.len().checked_add_signed(index)? } else { index.unsigned_abs() };
            list.get(index)
        }
        _ => None,
    })
}
