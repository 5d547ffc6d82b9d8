/** Tokens that embedding has taken and will take, as users read them. */

interface Tokens {
  readonly tokens: number;
  readonly tokensPerSecond: number;
  readonly remainingTokens: number;
  readonly dollarsPerMillionTokens?: number;
}

/** Empty while nothing was embedded and nothing remains. */
export function sayTokens(all: Tokens): string {
  const { tokens, tokensPerSecond, remainingTokens } = all;
  const spent = `${amount(tokens, all)} embedded, ${tokensPerSecond.toLocaleString("en")} per second`;
  return [
    ...(tokens === 0 ? [] : [spent]),
    ...(remainingTokens === 0 ? [] : [`about ${amount(remainingTokens, all)} to embed`]),
  ].join("; ");
}

function amount(tokens: number, { dollarsPerMillionTokens: price }: Tokens): string {
  const counted = `${tokens.toLocaleString("en")} tokens`;
  if (price === undefined) return counted;
  return `${counted} ($${((tokens * price) / 1_000_000).toFixed(2)} by list price)`;
}
