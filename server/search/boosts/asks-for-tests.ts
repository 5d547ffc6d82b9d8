/** Whether a question asks for tests, rather than for product code that has to do with tests. */

const TESTS = "(?:tests?|specs?|fixtures?|mocks?|test suites?|test cases?)";

const ASKING = new RegExp(
  [
    // `tests of the pool`, `which test checks the log`.
    `^(?:(?:the|an?|all|any|which|what|where (?:is|are)|show|find|list) )*${TESTS}\\b`,
    // `the one test that starts a server`.
    `\\b${TESTS} (?:for|of|that|which|where|about|against|cover\\w*|check\\w*|verif\\w+)\\b`,
    "\\b(?:unit|integration|regression|end-to-end|e2e|acceptance) tests?\\b",
    "\\b(?:tested|asserts?|assertions?)\\b",
    // `login tests`, and not `how hooks are called around each test`.
    `^(?:\\S+ ){0,3}${TESTS}$`,
  ].join("|"),
  "i",
);

export function asksForTests(text: string): boolean {
  return ASKING.test(text.trim());
}
