/** What a client gets of a value, to compare it with: definitions of lanes in memory make their texts when they are read. */

export const asSent = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
