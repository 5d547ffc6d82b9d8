/** The names of the settings file of a workspace. A separate file, so that commands find the root without loading the parser. */

/** In order of precedence. */
export const SETTINGS_FILES = [
  "cocosearch.yaml",
  "cocosearch.yml",
  ".cocosearch.yaml",
  ".cocosearch.yml",
] as const;

/** Whether a path in a workspace is a settings file, in the root or in a folder below it. */
export function isSettingsFile(path: string): boolean {
  return SETTINGS_FILES.some((name) => path === name || path.endsWith(`/${name}`));
}
