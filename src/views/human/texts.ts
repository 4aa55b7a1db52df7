import type { Explanation, KindRow } from '../../operations/explain.js';
import { errorText, type Shown } from './error-text.js';
import { explanationText, kindsText } from './explain-text.js';
import { fileDiffText } from './file-diff-text.js';
import { paletteOf } from './palette.js';

export interface Texts {
  error(error: Shown): string;
  kinds(rows: readonly KindRow[]): string;
  explanation(explanation: Explanation): string;
  fileDiff(change: Parameters<typeof fileDiffText>[0]): string;
  good(text: string): string;
}

/** The texts that are no event, in or without colour. */
export function texts(color: 'color' | 'plain'): Texts {
  const palette = paletteOf(color);
  return {
    error: (error) => errorText(error, palette),
    kinds: (rows) => kindsText(rows, palette),
    explanation: (explanation) => explanationText(explanation, palette),
    fileDiff: (change) => fileDiffText(change, palette),
    good: (text) => palette.green(text),
  };
}
