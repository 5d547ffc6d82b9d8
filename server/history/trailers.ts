/** Removes trailers such as `Signed-off-by:` from the body of a commit message. */

export function withoutTrailers(body: string): string {
  return body.replaceAll(
    /^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|cc|change-id|git-svn-id)\s*:.*$/gim,
    "",
  );
}

/** The first paragraph without trailers; empty if the body has only trailers. */
export function firstParagraph(body: string): string {
  return (
    withoutTrailers(body)
      .replaceAll("\r\n", "\n")
      .trim()
      .split(/\n\s*\n/, 1)[0] ?? ""
  );
}
