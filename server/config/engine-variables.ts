/** Environment variables that are not settings: they configure where the engine is and how it runs. */

export const ENGINE_VARIABLES: ReadonlySet<string> = new Set([
  "COCOSEARCH_HOME",
  "COCOSEARCH_INSTALLATION",
  "COCOSEARCH_PROGRAM",
  "COCOSEARCH_ENGINE_IDLE_SECONDS",
]);
