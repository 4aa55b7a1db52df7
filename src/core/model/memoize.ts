/** Memoizes a function by its key: each value is computed on first use. */
export function memoizeBy<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** Memoizes a function without arguments: its value is computed on first use. */
export function memoize<T>(make: () => T): () => T {
  const only = memoizeBy(make);
  return () => only(undefined);
}
