/** The coefficients of the score, written by `npm run calibrate`: an intercept, then one for each feature. */

export interface ScoreModel {
  /** For the features of features.ts, in their order. */
  readonly score: readonly number[];
  /** For the features of the list, in the order of LIST_FEATURES. */
  readonly chance: readonly number[];
  /** A list scoring below this is considered chance. */
  readonly minChance: number;
}

// biome-ignore format: written by a program
export const SCORE_MODELS = {
  hybrid: {
    score: [-8.6587, 0.4426, 1.2574, 2.2176, 1.1881, 3.2556, 0.8722, 2.3592, 0.7976, 0.9232, 0.2792, 1.5194, -0.1853, 0.061, 1.192, -1.6549, 0.0123, -1.6044, 0.0611, 0.324, 0.4706, -0.9632, -0.6218, 0],
    chance: [-5.7225, 6.74, 4.5231, 1.7542, 0.4289, 1.3414, 0.4645, 0.0998, 0.0517, 0],
    minChance: 0.1262,
  },
  semantic: {
    score: [-7.6281, 0.4203, 1.304, 2.7893, 1.0307, 4.9816, 1.2009, 0, 0, -0.0083, 0, 2.7232, 0, 0.0083, 1.0817, -0.6092, 0, -0.4102, 0, 0, 0.0074, -1.5931, -2.0385, 0],
    chance: [-4.7994, 9.8037, 0, 0.0807, 0, 0, 0.4304, 1.0138, -0.5953, 0],
    minChance: 0.1445,
  },
  keyword: {
    score: [-6.2339, 0.1126, 0.6576, 2.9053, 1.2592, 0, 0, 3.8847, 1.1842, 2.695, -1.4987, 1.4987, -0.6201, 0.599, 1.2564, 0, -0.391, -1.3544, 0, 0, 0.5975, -0.7127, -0.5095, 0],
    chance: [-3.4303, 0, 7.8282, 2.3198, 0, 0, 0.5025, 0.0779, -0.3086, 0],
    minChance: 0.1692,
  },
} as const satisfies Record<string, ScoreModel>;
