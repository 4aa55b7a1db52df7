/** Puts entries together whose `causeOf` is the same as JSON. */
export function alike<T>(entries: readonly T[], causeOf: (entry: T) => unknown): T[][] {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const key = JSON.stringify([causeOf(entry)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}
