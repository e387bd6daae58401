//! Base64 of `!!binary`, as lenient as Python's `base64.decodebytes`.

/// Skips characters outside the alphabet, and everything after the padding.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, &'static str> {
    if !text.is_ascii() {
        return Err("base64 is ASCII");
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    // Six bits each; `pending` counts the digits of the group of four that is being read.
    let (mut bits, mut pending, mut padding) = (0u32, 0, 0);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += 1;
                if pending >= 2 && pending + padding >= 4 {
                    return Ok(bytes);
                }
                continue;
            }
            _ => continue,
        };
        padding = 0;
        bits = bits << 6 | u32::from(digit);
        pending = (pending + 1) % 4;
        match pending {
            1 => {}
            2 => bytes.push((bits >> 4) as u8),
            3 => bytes.push((bits >> 2) as u8),
            _ => bytes.push(bits as u8),
        }
    }
    if pending == 0 { Ok(bytes) } else { Err("the base64 ends within a group of four") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_as_python() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("aGk=", b"hi"),
            ("aG k\n=", b"hi"),
            ("aA==aGk=", b"h"),
            ("aGkh\n", b"hi!"),
            ("a=Gkh", b"hi!"),
        ] {
            assert_eq!(decode(text).unwrap(), bytes, "{text:?}");
        }
        for text in ["a", "aG", "aGk", "aGkha", "é"] {
            assert!(decode(text).is_err(), "{text:?}");
        }
    }
}
