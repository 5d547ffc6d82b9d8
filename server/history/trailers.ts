/** What people write in the body of a message, apart from what tools add to it. */

/** Lines that tools write: who signed, reviewed and reported. */
export function withoutTrailers(body: string): string {
  return body.replaceAll(
    /^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|cc|change-id|git-svn-id)\s*:.*$/gim,
    "",
  );
}

/** Empty where the body has nothing but such lines. */
export function firstParagraph(body: string): string {
  return (
    withoutTrailers(body)
      .replaceAll("\r\n", "\n")
      .trim()
      .split(/\n\s*\n/, 1)[0] ?? ""
  );
}
