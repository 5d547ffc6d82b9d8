/** How the settings file of a workspace may be called. Apart from its parser, so that a command finds its folder without loading that. */

/** The first that is there counts. */
export const SETTINGS_FILES = [
  "cocosearch.yaml",
  "cocosearch.yml",
  ".cocosearch.yaml",
  ".cocosearch.yml",
] as const;

/** Whether a path inside a workspace names a settings file, of it or of a folder in it. */
export function isSettingsFile(path: string): boolean {
  return SETTINGS_FILES.some((name) => path === name || path.endsWith(`/${name}`));
}
