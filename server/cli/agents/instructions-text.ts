/** The section that agents read in their instructions: when to use which tool of the context server. At most twelve lines. */

export const SECTION_TEXT = `## Code search with cocosearch

The tools of the MCP server \`cocosearch\` search an index of this repository. They only read.

- \`search_code\`: where something is done, by meaning, name, path or error message. Try it before grep.
- \`get_context\`: the code for a broad question in one answer. Use it instead of several searches and reads.
- \`related\`: imports, callers, callees, similar code; \`impact\` shows what a change may break and which tests to run.
- \`find_pattern\`: earlier commits with a similar change. Use it to follow this repository's conventions.
- \`explain_change\`: the commits behind some lines, and why. Use it before you change code whose purpose is unclear.

Ask in words that the code would use, and pass more as \`terms\` (synonyms, likely names): the answer lists terms that no file contains.
Use grep to list every occurrence of a literal text or pattern, and read a file directly if you know its path.`;
