/** Looks a value up in a map, and creates it on first use. */

interface Entries<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of the key. If the map has none, adds the value that `create` returns. */
export function getOrCreate<K, V>(map: Entries<K, V>, key: K, create: (key: K) => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create(key);
    map.set(key, value);
  }
  return value;
}
