/** Stop words: words of questions that carry no information about the code. */

/** Function words of English. Words that name things in code (get, set, new, data, type) are not among them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be because been being but by can could did do does doing
  each for from had has have having he her here his how i if in into is it its itself just let may me
  might must my no nor not of off on onto or our own please shall she should so some such than that
  the their them then there these they this those through to too us very was we were what when where
  whether which while who whom whose why will with within without would you your`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
