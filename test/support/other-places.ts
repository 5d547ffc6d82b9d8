/** The answers of test/support/other-server.ts, for the tests that start it. */

/** A part of it finds it, as with most language servers; a question in plain words does not. */
export const OTHER_SYMBOL = "OtherPool";

/** Where it says that its symbol is; lines count from one here. */
export const OTHER_PLACE = { file: "src/pool.py", line: 5 };

export const OTHER_HOVER = "said by the other server";
export const OTHER_COMMAND = "other.say was run";
