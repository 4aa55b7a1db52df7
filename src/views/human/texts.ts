import type { Explanation, KindRow } from '../../operations/explain.js';
import { errorText, type Shown } from './error-text.js';
import { explanationText, kindsText } from './explain-text.js';
import { paletteOf } from './palette.js';
import { printable, printableText } from './printable.js';

export interface Texts {
  error(error: Shown): string;
  kinds(rows: readonly KindRow[]): string;
  explanation(explanation: Explanation): string;
  good(text: string): string;
  /** Any text, safe to print. */
  line(text: string): string;
}

/** The texts that are no event, in or without colour. */
export function texts(color: 'color' | 'plain'): Texts {
  const palette = paletteOf(color);
  return {
    error: (error) => errorText(printable(error), palette),
    kinds: (rows) => kindsText(rows, palette),
    explanation: (explanation) => explanationText(explanation, palette),
    good: (text) => palette.green(text),
    line: printableText,
  };
}
