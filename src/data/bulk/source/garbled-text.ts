import { decodedText, windowsByte } from './decode.js';

/** A first byte of UTF-8 and the bytes that follow it, as Windows-1252 shows them; most of those look like symbols. */
const GARBLED = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]{1,3}/g;
const FIRST = /[\u00c2-\u00f4]/;
/** Letters and symbols of lists; other characters come about by chance, as in a quotation that ends with an umlaut. */
const LIKELY = /^[\u00a0-\u017f\u0391-\u03c9\u0400-\u045f\u2010-\u20ac\u2100-\u22ff]+$/;

/** The text before UTF-8 was read as Windows-1252 and saved again, such as ü for Ã¼; undefined if it looks as it should. */
export function ungarbled(text: string): string | undefined {
  if (!FIRST.test(text)) return undefined;
  const repaired = text.replace(GARBLED, (part) => originalOf(part) ?? part);
  return repaired === text ? undefined : repaired;
}

/** The match may have characters of the text behind it. */
function originalOf(part: string): string | undefined {
  for (let length = part.length; length > 1; length -= 1) {
    const bytes = [...part.slice(0, length)].map(windowsByte);
    const original = bytes.includes(undefined) ? undefined : utf8Text(bytes as number[]);
    if (original !== undefined && LIKELY.test(original)) return original + part.slice(length);
  }
  return undefined;
}

function utf8Text(bytes: readonly number[]): string | undefined {
  const text = decodedText(Uint8Array.from(bytes), 'utf-8');
  return text !== undefined && [...text].length === 1 ? text : undefined;
}
