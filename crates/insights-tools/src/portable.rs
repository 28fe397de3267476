//! `exp` and `ln` with the same bits on every machine: IEEE addition, multiplication, division and square roots have
//! the same bits everywhere, the `exp` and `ln` of a system's library do not. Those of `libm` do, but differ from
//! these, with which the shipped tables were trained: of 30,000 rows of the detector, three would change.

/// log2(e).
const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// ln(2) in two parts: a part whose multiples are exact, and the remainder.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// The number of terms of the series of exp on ±ln(2)/2. The next term is below 1e-18.
const EXP_TERMS: u32 = 14;
/// The number of terms of the series of ln. The next term is below 1e-18.
const LN_TERMS: u32 = 12;

/// e to the power of `x`; 0 below -700, and the value for 700 above it.
pub(crate) fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let x = if x > 700.0 { 700.0 } else { x };
    let scaled = x * LOG2_E;
    // Rounded to the nearest integer, halves away from zero. Both casts are exact.
    let power = if scaled < 0.0 { scaled - 0.5 } else { scaled + 0.5 } as i64;
    let rest = x - power as f64 * LN_2_HIGH - power as f64 * LN_2_LOW;
    let mut sum = 1.0;
    for term in (1..=EXP_TERMS).rev() {
        sum = 1.0 + sum * rest / f64::from(term);
    }
    sum * f64::from_bits(((1023 + power) as u64) << 52)
}

/// The natural logarithm of a positive, normal number.
pub(crate) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut power = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        power += 1;
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for term in (0..LN_TERMS).rev() {
        sum = sum * square + 1.0 / f64::from(2 * term + 1);
    }
    2.0 * s * sum + power as f64 * LN_2_LOW + power as f64 * LN_2_HIGH
}

/// 1 / (1 + e^-x).
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_are_those_of_the_textbook() {
        for step in -7_000..=7_000 {
            let x = f64::from(step) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-14, "exp {x}");
            let y = x.exp();
            assert!((ln(y) - x).abs() < 1e-13, "ln {y}");
        }
        assert_eq!((exp(0.0), ln(1.0), exp(-1e9)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn these_bits_are_the_same_everywhere() {
        assert_eq!(exp(1.0).to_bits(), 0x4005bf0a8b14576a);
        assert_eq!(exp(-3.7).to_bits(), 0x3f99511fc6871044);
    }
}
