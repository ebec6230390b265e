//! Straight lines through weighted points.

use serde::{Deserialize, Serialize};

/// y = intercept + slope x, with the errors of both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StraightLine {
    /// y at x = 0.
    pub intercept: f64,
    /// The change of y when x grows by 1.
    pub slope: f64,
    /// The root mean square distance of the points from the line.
    pub rms: f64,
    /// The centre of the points, where the line is known best.
    pub middle: f64,
    /// The standard error of y at the centre.
    pub middle_error: f64,
    /// The standard error of the slope.
    pub slope_error: f64,
}

/// A point to fit a line to.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// The value there.
    pub y: f64,
    /// The standard error of y.
    pub error: f64,
}

impl StraightLine {
    /// The weighted least-squares line; `None` with fewer than two distinct x. If points scatter
    /// more than their errors explain, the errors of the line are enlarged.
    ///
    /// ```
    /// use errare_rating::{Point, StraightLine};
    ///
    /// let points = [(0.05, 2700.0), (0.10, 2100.0), (0.15, 1500.0)].map(|(x, y)| Point { x, y, error: 20.0 });
    /// let line = StraightLine::through(&points).ok_or("there are three places")?;
    /// assert_eq!(line.at(0.125).round(), 1800.0);
    /// assert!((line.inverse(1800.0) - 0.125).abs() < 1e-9);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn through(points: &[Point]) -> Option<StraightLine> {
        let weight = |point: &Point| point.error.powi(-2);
        let mean = |of: &dyn Fn(&Point) -> f64| {
            let weighted: f64 = points.iter().map(|point| weight(point) * of(point)).sum();
            weighted / points.iter().map(weight).sum::<f64>()
        };
        let middle = mean(&|point| point.x);
        let height = mean(&|point| point.y);
        let spread = mean(&|point| (point.x - middle).powi(2));
        let slope = mean(&|point| (point.x - middle) * (point.y - height)) / spread;
        if !(spread > 0.0 && slope.is_finite()) {
            return None;
        }
        let off = |point: &Point| point.y - height - slope * (point.x - middle);
        let count = points.len() as f64;
        let squares: f64 = points.iter().map(|point| off(point).powi(2)).sum();
        let chi_square: f64 = points.iter().map(|p| weight(p) * off(p).powi(2)).sum();
        let freedom = count - 2.0;
        let scatter = if freedom > 0.0 {
            (chi_square / freedom).max(1.0)
        } else {
            1.0
        };
        let middle_error = (scatter / points.iter().map(weight).sum::<f64>()).sqrt();
        Some(StraightLine {
            intercept: height - slope * middle,
            slope,
            rms: (squares / count).sqrt(),
            middle,
            middle_error,
            slope_error: middle_error / spread.sqrt(),
        })
    }

    /// y at x.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    /// The standard error of y at x.
    #[must_use]
    pub(crate) fn error_at(&self, x: f64) -> f64 {
        self.middle_error
            .hypot(self.slope_error * (x - self.middle))
    }

    /// The x at which y has this value.
    #[must_use]
    pub fn inverse(&self, y: f64) -> f64 {
        (y - self.intercept) / self.slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elo, c, c fitted, s fitted, projected ad: the table of 2006-2009 in section 7 of Regan &
    /// Haworth (2011).
    const TABLE: [(f64, f64, f64, f64, f64); 12] = [
        (2700.0, 0.503, 0.513, 0.080, 0.056),
        (2600.0, 0.523, 0.506, 0.089, 0.063),
        (2500.0, 0.491, 0.499, 0.093, 0.067),
        (2400.0, 0.483, 0.492, 0.100, 0.072),
        (2300.0, 0.475, 0.485, 0.111, 0.084),
        (2200.0, 0.490, 0.478, 0.120, 0.089),
        (2100.0, 0.486, 0.471, 0.130, 0.099),
        (2000.0, 0.454, 0.464, 0.143, 0.110),
        (1900.0, 0.474, 0.457, 0.153, 0.119),
        (1800.0, 0.442, 0.450, 0.149, 0.117),
        (1700.0, 0.439, 0.443, 0.155, 0.123),
        (1600.0, 0.431, 0.436, 0.168, 0.133),
    ];

    fn points(x: impl Fn(usize) -> f64, y: impl Fn(usize) -> f64) -> Vec<Point> {
        let point = |i| Point {
            x: x(i),
            y: y(i),
            error: 1.0,
        };
        (0..TABLE.len()).map(point).collect()
    }

    /// The paper's "linear interpolation of the c values, getting intervals highly close to 0.007".
    #[test]
    fn c_lies_on_the_papers_line() {
        let line = StraightLine::through(&points(|i| TABLE[i].0, |i| TABLE[i].1)).unwrap();
        assert!((line.slope * 100.0 - 0.007).abs() < 0.0005, "{line:?}");
        for (elo, _, fitted, ..) in TABLE {
            assert!(
                (line.at(elo) - fitted).abs() < 0.002,
                "{elo}: {}",
                line.at(elo)
            );
        }
    }

    /// Elo from projected ad, by the paper's table: 3439 - 13663 ad, rms 44.
    #[test]
    fn elo_lies_on_a_line_over_ad() {
        let line = StraightLine::through(&points(|i| TABLE[i].4, |i| TABLE[i].0)).unwrap();
        assert_eq!(line.intercept.round(), 3439.0);
        assert_eq!(line.slope.round(), -13663.0);
        assert_eq!(line.rms.round(), 44.0);
        assert!((line.inverse(line.at(0.1)) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn one_place_makes_no_line() {
        assert!(StraightLine::through(&points(|_| 1.0, |i| TABLE[i].0)).is_none());
        assert!(StraightLine::through(&[]).is_none());
    }

    #[test]
    fn errors_are_those_of_the_formula() {
        let points: Vec<Point> = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]
            .map(|(x, y)| Point { x, y, error: 0.3 })
            .to_vec();
        let line = StraightLine::through(&points).unwrap();
        assert!((line.middle_error - 0.3 / 3_f64.sqrt()).abs() < 1e-12);
        assert!((line.slope_error - 0.3 / 2_f64.sqrt()).abs() < 1e-12);
        let away = (0.3_f64.powi(2) / 3.0 + 0.3_f64.powi(2) / 2.0 * 4.0).sqrt();
        assert!((line.error_at(3.0) - away).abs() < 1e-12);
    }
}
