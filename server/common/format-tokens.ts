/** Tokens that embedding has taken and will take, as users read them. */

interface Tokens {
  readonly tokens: number;
  readonly tokensPerSecond: number;
  readonly remainingTokens: number;
}

/** Empty while nothing was embedded and nothing remains. */
export function formatTokens({ tokens, tokensPerSecond, remainingTokens }: Tokens): string {
  const spent = `${amount(tokens)} embedded, ${tokensPerSecond.toLocaleString("en")} per second`;
  return [
    ...(tokens === 0 ? [] : [spent]),
    ...(remainingTokens === 0 ? [] : [`about ${amount(remainingTokens)} to embed`]),
  ].join("; ");
}

function amount(tokens: number): string {
  return `${tokens.toLocaleString("en")} tokens`;
}
