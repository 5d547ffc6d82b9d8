/** Converts a value to the form that a client gets, for comparisons: definitions of lanes in memory create their texts when they are read. */

export const asSent = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
