/** Questions that any program can be asked. Each is asked once a run and they have little in common, so that no cache answers. */

export const QUESTIONS: readonly string[] = [
  "where does the program start",
  "how are command line arguments parsed",
  "read the configuration file",
  "write a message to the log",
  "what happens when the connection is closed",
  "retry after a failure with a delay",
  "convert a date to text",
  "check that user input is valid",
  "open a file and read its lines",
  "compare two versions",
  "which exceptions are thrown for bad arguments",
  "split a path into folders",
  "cache results in memory",
  "send an HTTP request",
  "encode and decode JSON",
  "sort items by priority",
  "wait until all tasks have ended",
  "remove duplicates from a list",
  "escape special characters in HTML",
  "find the parent of a node",
  "default values of options",
  "count words in a document",
  "render a template",
  "measure how long something takes",
  "tests for empty input",
  "lock a resource against concurrent access",
  "translate an error code into a message",
  "iterate over the keys of a map",
  "release memory and clean up",
  "authenticate with a token",
  "build instructions in the documentation",
  "match a regular expression",
];

/** Asked while the index is being made, until it has an answer; not measured itself. */
export const FIRST_QUESTION = "function";
