/** A quoted part of a message, and the word before it. */
export interface Quote {
  readonly text: string;
  readonly after: string;
}

/** Straight and typographic double quotes, and single quotes that are not apostrophes. */
const QUOTED = /"([^"]*)"|“([^”]*)”|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])/gu;

/** Returns all quoted parts of a message in order, trimmed. */
export const quotesIn = (message: string): Quote[] =>
  [...message.matchAll(QUOTED)].map((match) => ({
    text: (match[1] ?? match[2] ?? match[3] ?? '').trim(),
    after: /(\p{L}+)\s*$/u.exec(message.slice(0, match.index))?.[1]?.toLowerCase() ?? '',
  }));

/** Words after which a quote is a name, not a value (wire-facts 2.1). */
export const NAMING_WORDS = new Set(['attribute', 'column', 'field']);

/** A separate number, such as a count or a length. */
const COUNTED = /(?<=^|[\s(])-?\d+(?:[.,]\d+)*(?=[\s.,;:)]|$)/g;

/**
 * Removes from a message what differs from row to row: an ellipsis replaces quoted values and numbers, quoted names
 * stay. `values` are the cells of the row: one that contains a quote itself is replaced as a whole.
 */
export function messagePattern(
  message: string,
  isName: (text: string) => boolean,
  values: readonly string[] = [],
): string {
  const quoting = values.filter((value) => value.includes('"')).sort((a, b) => b.length - a.length);
  const cleared = quoting.reduce((text, value) => text.replaceAll(`"${value.trim()}"`, '"…"'), message);
  const quotes = quotesIn(cleared);
  let index = 0;
  return cleared
    .split(QUOTED_WHOLE)
    .map((part) => {
      if (!isQuote(part)) return part.replaceAll(COUNTED, '…');
      const quote = quotes[index];
      index += 1;
      return quote !== undefined && (NAMING_WORDS.has(quote.after) || isName(quote.text)) ? part : '"…"';
    })
    .join('');
}

const QUOTED_WHOLE = /("[^"]*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}]))/u;

const isQuote = (part: string): boolean => /^["“'].*["”']$/s.test(part) && part.length > 1;
