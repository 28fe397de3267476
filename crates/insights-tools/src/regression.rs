//! Logistic regression with an L2 penalty: liblinear's objective, solved by Newton's method with
//! conjugate gradients on one thread with portable arithmetic, so that training gives the same bits
//! on every machine.

use crate::portable;

/// Rows of sparse features, stored one after the other.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Rows {
    /// Adds a row. Its columns may have any order and must be distinct.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = (u32, f64)>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        for (column, value) in row {
            self.columns.push(column);
            self.values.push(value);
        }
        self.starts.push(self.columns.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn row(&self, at: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[at]..self.starts[at + 1];
        let columns = self.columns[range.clone()].iter().map(|column| *column as usize);
        columns.zip(self.values[range].iter().copied())
    }

    fn dot(&self, at: usize, weights: &[f64]) -> f64 {
        self.row(at).map(|(column, value)| weights[column] * value).sum()
    }

    fn add_scaled(&self, at: usize, factor: f64, into: &mut [f64]) {
        for (column, value) in self.row(at) {
            into[column] += factor * value;
        }
    }
}

/// The maximum number of Newton steps. The shipped model needs twenty.
const MAX_STEPS: usize = 100;
/// The maximum number of conjugate gradient steps in a Newton step.
const MAX_INNER: usize = 250;
/// The ratio of the final gradient to the first at which the solution is accepted.
const TOLERANCE: f64 = 1e-6;
/// The minimum share of the predicted decrease that a step must achieve.
const ARMIJO: f64 = 1e-4;

/// The weights that minimise `|w|²/2 + C Σ ln(1 + e^(-y w·x))`, with y = 1 for rows with
/// `positive`. The columns are numbered below `columns`.
pub(crate) fn fit(rows: &Rows, positive: &[bool], columns: usize, c: f64) -> Vec<f64> {
    let costs = vec![c; rows.len()];
    fit_from(&Problem { rows, positive, costs: &costs }, vec![0.0; rows.len()], columns)
}

/// Fits with a penalty of its own for each row, starting from a model that gives the rows these margins.
pub(crate) fn fit_from(problem: &Problem<'_>, mut margins: Vec<f64>, columns: usize) -> Vec<f64> {
    let mut weights = vec![0.0; columns];
    let mut first_norm = None;
    for _ in 0..MAX_STEPS {
        let gradient = problem.gradient(&weights, &margins);
        let norm = dot(&gradient, &gradient).sqrt();
        if norm <= TOLERANCE * *first_norm.get_or_insert(norm) {
            break;
        }
        let curvature = problem.curvature(&margins);
        let step = problem.newton_step(&gradient, &curvature, norm);
        if !problem.search(&mut weights, &mut margins, &step, &gradient) {
            break;
        }
    }
    weights
}

/// The rows to fit, and their classes.
#[derive(Debug)]
pub(crate) struct Problem<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) positive: &'a [bool],
    /// The inverse strength of the penalty, by row.
    pub(crate) costs: &'a [f64],
}

impl Problem<'_> {
    fn signed(&self, at: usize, margin: f64) -> f64 {
        if self.positive[at] { margin } else { -margin }
    }

    fn objective(&self, weights: &[f64], margins: &[f64]) -> f64 {
        let loss = |(at, margin): (usize, &f64)| {
            let signed = self.signed(at, *margin);
            // ln(1 + e^-x) without overflow.
            let loss = if signed > 0.0 {
                portable::ln(1.0 + portable::exp(-signed))
            } else {
                portable::ln(1.0 + portable::exp(signed)) - signed
            };
            self.costs[at] * loss
        };
        dot(weights, weights) / 2.0 + margins.iter().enumerate().map(loss).sum::<f64>()
    }

    fn gradient(&self, weights: &[f64], margins: &[f64]) -> Vec<f64> {
        let mut gradient = weights.to_vec();
        for (at, margin) in margins.iter().enumerate() {
            let probability = portable::logistic(*margin);
            let error = probability - if self.positive[at] { 1.0 } else { 0.0 };
            self.rows.add_scaled(at, self.costs[at] * error, &mut gradient);
        }
        gradient
    }

    fn curvature(&self, margins: &[f64]) -> Vec<f64> {
        let second = |(margin, cost): (&f64, &f64)| {
            let probability = portable::logistic(*margin);
            cost * probability * (1.0 - probability)
        };
        margins.iter().zip(self.costs).map(second).collect()
    }

    fn hessian_times(&self, vector: &[f64], curvature: &[f64]) -> Vec<f64> {
        let mut product = vector.to_vec();
        for (at, second) in curvature.iter().enumerate() {
            let factor = second * self.rows.dot(at, vector);
            self.rows.add_scaled(at, factor, &mut product);
        }
        product
    }

    /// Conjugate gradients. The smaller the gradient, the more exact the result.
    fn newton_step(&self, gradient: &[f64], curvature: &[f64], norm: f64) -> Vec<f64> {
        let mut step = vec![0.0; gradient.len()];
        let mut residual: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut direction = residual.clone();
        let mut square = dot(&residual, &residual);
        for _ in 0..MAX_INNER {
            if square.sqrt() <= 0.05 * norm {
                break;
            }
            let product = self.hessian_times(&direction, curvature);
            let length = square / dot(&direction, &product);
            add_scaled(&mut step, length, &direction);
            add_scaled(&mut residual, -length, &product);
            let next = dot(&residual, &residual);
            let ratio = next / square;
            square = next;
            for (d, r) in direction.iter_mut().zip(&residual) {
                *d = r + ratio * *d;
            }
        }
        step
    }

    /// Halves the step until it decreases the objective enough; `false` if no step does.
    fn search(
        &self,
        weights: &mut [f64],
        margins: &mut [f64],
        step: &[f64],
        gradient: &[f64],
    ) -> bool {
        let slope = dot(step, gradient);
        let before = self.objective(weights, margins);
        let change: Vec<f64> = (0..self.rows.len()).map(|at| self.rows.dot(at, step)).collect();
        let mut length = 1.0;
        for _ in 0..30 {
            let mut moved = weights.to_vec();
            add_scaled(&mut moved, length, step);
            let mut there = margins.to_vec();
            add_scaled(&mut there, length, &change);
            if self.objective(&moved, &there) <= before + ARMIJO * length * slope {
                weights.copy_from_slice(&moved);
                margins.copy_from_slice(&there);
                return true;
            }
            length /= 2.0;
        }
        false
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_scaled(into: &mut [f64], factor: f64, of: &[f64]) {
    for (into, of) in into.iter_mut().zip(of) {
        *into += factor * of;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_vanishes_at_the_solution() {
        let mut rows = Rows::default();
        let mut positive = Vec::new();
        for at in 0..40_u32 {
            rows.push([(0, 1.0), (1 + at % 3, f64::from(at % 7) - 3.0)]);
            positive.push(at % 5 < 2);
        }
        let weights = fit(&rows, &positive, 4, 0.5);
        let margins: Vec<f64> = (0..rows.len()).map(|at| rows.dot(at, &weights)).collect();
        let costs = vec![0.5; rows.len()];
        let problem = Problem { rows: &rows, positive: &positive, costs: &costs };
        assert!(problem.gradient(&weights, &margins).iter().all(|g| g.abs() < 1e-5));
    }
}
