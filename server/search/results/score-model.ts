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
    score: [-7.6879, 0.8388, 0.5566, 0.9739, 2.2554, 3.8952, 1.2077, 2.2739, 0.9617, 0.7896, 0.013, 0.5197, -0.0801, 0.6407, 1.623, -1.9083, -1.3754, -0.3435, 0.1204, 0.4615, 0.1606, -0.2235, -0.2939, 0],
    chance: [-5.7225, 6.74, 4.5231, 1.7542, 0.4289, 1.3414, 0.4645, 0.0998, 0.0517, 0],
    minChance: 0.1262,
  },
  semantic: {
    score: [-8.0176, 0.9242, 0.9906, 1.7236, 1.8092, 4.6076, 1.9441, 0, 0, -0.0529, 0, 1.2394, -0.1822, 0.4818, 1.7578, -1.9891, 0, 0.0564, 0, 0, 0.0268, -0.327, -0.7879, 0],
    chance: [-4.7994, 9.8037, 0, 0.0807, 0, 0, 0.4304, 1.0138, -0.5953, 0],
    minChance: 0.1445,
  },
  keyword: {
    score: [-7.3012, 0.6916, 0.3455, 1.5704, 2.2114, 0, 0, 3.4238, 1.5509, 0.8198, -0.0473, 0.6228, -0.004, 1.2642, 1.6759, 0, -1.5507, -0.35, 0, 0, 0.2964, -0.1431, -0.0984, 0],
    chance: [-3.4303, 0, 7.8282, 2.3198, 0, 0, 0.5025, 0.0779, -0.3086, 0],
    minChance: 0.1692,
  },
} as const satisfies Record<string, ScoreModel>;
