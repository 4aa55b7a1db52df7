import type { Diagnostic } from '#base/diagnostics.js';

/** How many findings of one kind are useful at one place of a manifest of rows. */
const MOST = 20;

/** Drops findings that many rows have at one place of their manifest, and says how many. Keeps all others. */
export function limitRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const counts = new Map<string, number>();
  const kept = diagnostics.filter((one) => {
    const key = placeIn(one);
    if (key === undefined) return true;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= MOST;
  });
  return kept.flatMap((one) => {
    const key = placeIn(one) ?? '';
    const count = counts.get(key) ?? 0;
    counts.delete(key);
    return count <= MOST ? [one] : [one, more(one, count - MOST)];
  });
}

function placeIn({ severity, code, origin }: Diagnostic): string | undefined {
  if (origin?.row === undefined) return undefined;
  return JSON.stringify([severity, code, origin.file, origin.line, origin.column]);
}

function more({ severity, code, origin }: Diagnostic, count: number): Diagnostic {
  const { row: _, ...place } = origin as NonNullable<typeof origin>;
  const message = `${count} more ${count === 1 ? 'finding' : 'findings'} of this kind at this place, in other rows.`;
  return { severity, code, message, origin: place };
}
