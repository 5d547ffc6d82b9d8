/** Formats the tokens that embedding has used and still needs. */

interface Tokens {
  readonly tokens: number;
  readonly tokensPerSecond: number;
  readonly remainingTokens: number;
}

/** Empty if no tokens were embedded and none remain. */
export function formatTokens({ tokens, tokensPerSecond, remainingTokens }: Tokens): string {
  const embedded = `${amount(tokens)} embedded, ${tokensPerSecond.toLocaleString("en")} per second`;
  return [
    ...(tokens === 0 ? [] : [embedded]),
    ...(remainingTokens === 0 ? [] : [`about ${amount(remainingTokens)} to embed`]),
  ].join("; ");
}

function amount(tokens: number): string {
  return `${tokens.toLocaleString("en")} tokens`;
}
