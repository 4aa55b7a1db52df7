/** The value of a key, made when it is first asked for. */
export function keptBy<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** One value, made when it is first asked for. */
export function kept<T>(make: () => T): () => T {
  const only = keptBy(make);
  return () => only(undefined);
}
