import { mistypedFrom, nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { SpecFinding } from './kind.js';

/** The code of a finding about a word that resembles a known one. */
export const MISTYPED = 'value-mistyped';

/**
 * Creates the finding about an unknown word: a typo of a known one, or a value that the service decides about. `says`
 * begins the message.
 */
export function unknownWord(
  word: string,
  says: string,
  known: readonly string[],
  /** Words that are known elsewhere. */
  others: readonly string[] = [],
): Omit<SpecFinding, 'pointer'> {
  const meant = mistypedFrom(word, known) ?? mistypedFrom(word, others);
  if (meant !== undefined) {
    const hint = `Write "${meant}". If "${word}" is right, add \`known: any\` to the metadata.`;
    return { code: MISTYPED, message: `${says}, which is probably a typo of "${meant}".`, hint };
  }
  const message = `${says}, which dexsync does not know; the service decides whether it is valid.`;
  const hint = nearestHint(word, known);
  return { severity: 'warning', code: 'value-unknown', message, ...omitUndefined({ hint }) };
}
