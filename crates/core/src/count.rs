//! Formatting of counts.

/// Formats a count with its digits in groups of three.
///
/// ```
/// assert_eq!(errare_core::grouped(1_234_567), "1,234,567");
/// assert_eq!(errare_core::grouped(12), "12");
/// ```
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
