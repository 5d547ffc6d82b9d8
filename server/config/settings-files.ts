/** How the settings file of a workspace may be called. Apart from its parser, so that a command finds its folder without loading that. */

/** The first that is there counts. */
export const SETTINGS_FILES = [
  "cocosearch.yaml",
  "cocosearch.yml",
  ".cocosearch.yaml",
  ".cocosearch.yml",
] as const;
