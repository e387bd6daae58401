//! Base64 of `!!binary`, as lenient as Python's `base64.decodebytes`.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// Skips characters outside the alphabet, and everything after the padding.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, &'static str> {
    if !text.is_ascii() {
        return Err("base64 must be ASCII");
    }
    let (mut digits, mut padding, mut is_ended) = (Vec::with_capacity(text.len()), 0, false);
    for byte in text.bytes() {
        match byte {
            b'=' => {
                padding += 1;
                is_ended = digits.len() % 4 >= 2 && digits.len() % 4 + padding >= 4;
                if is_ended {
                    break;
                }
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => {
                padding = 0;
                digits.push(byte);
            }
            _ => {}
        }
    }
    if !is_ended && digits.len() % 4 != 0 {
        return Err("the base64 ends within a group of four");
    }
    LENIENT.decode(digits).map_err(|_| "invalid base64")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decoded_as_in_python() {
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
