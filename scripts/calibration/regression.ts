/** Logistic regression with weights, by Newton's method; a small ridge keeps coefficients of rare features small. */

export interface Row {
  readonly features: readonly number[];
  readonly isRight: boolean;
  readonly weight: number;
}

/** The intercept first. */
type Coefficients = readonly number[];

const RIDGE = 3;
const ITERATIONS = 12;

export function fitLogistic(rows: readonly Row[]): Coefficients {
  const size = 1 + (rows[0]?.features.length ?? 0);
  let coefficients = Array.from({ length: size }, () => 0);
  for (let round = 0; round < ITERATIONS; round++) {
    const gradient = new Float64Array(size);
    const hessian = Array.from({ length: size }, () => new Float64Array(size));
    for (const { features, isRight, weight } of rows) {
      const x = [1, ...features];
      const p = probabilityOf(coefficients, features);
      const slope = weight * p * (1 - p);
      const error = weight * ((isRight ? 1 : 0) - p);
      for (let i = 0; i < size; i++) {
        const xi = x[i] as number;
        if (xi === 0) continue;
        gradient[i] = (gradient[i] as number) + error * xi;
        const row = hessian[i] as Float64Array;
        for (let j = 0; j < size; j++) row[j] = (row[j] as number) + slope * xi * (x[j] as number);
      }
    }
    for (let i = 1; i < size; i++) {
      gradient[i] = (gradient[i] as number) - RIDGE * (coefficients[i] as number);
      const row = hessian[i] as Float64Array;
      row[i] = (row[i] as number) + RIDGE;
    }
    const step = solve(hessian, gradient);
    coefficients = coefficients.map((each, i) => each + (step[i] as number));
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return coefficients;
}

export function probabilityOf(coefficients: Coefficients, features: readonly number[]): number {
  let sum = coefficients[0] ?? 0;
  for (const [i, feature] of features.entries()) sum += (coefficients[i + 1] ?? 0) * feature;
  return 1 / (1 + Math.exp(-sum));
}

/** Gaussian elimination with partial pivoting; a direction without data gets no step. */
export function solve(matrix: readonly Float64Array[], right: Float64Array): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] as number]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let i = column + 1; i < size; i++)
      if (Math.abs(rows[i]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = i;
    const chosen = rows[pivot] as number[];
    rows[pivot] = rows[column] as number[];
    rows[column] = chosen;
    const head = chosen[column] as number;
    if (Math.abs(head) < 1e-9) continue;
    for (let i = 0; i < size; i++) {
      if (i === column) continue;
      const row = rows[i] as number[];
      const factor = (row[column] as number) / head;
      if (factor === 0) continue;
      for (let j = column; j <= size; j++)
        row[j] = (row[j] as number) - factor * (chosen[j] as number);
    }
  }
  return rows.map((row, i) => {
    const head = row[i] as number;
    return Math.abs(head) < 1e-9 ? 0 : (row[size] as number) / head;
  });
}
