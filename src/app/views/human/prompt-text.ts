import { fold } from './fold-lines.js';

/** A question and the expected answer, on one line if the terminal has room for both. */
export function promptText(question: string, expected: string, width: number | undefined): string {
  const last = question.slice(question.lastIndexOf('\n') + 1);
  const fits = width === undefined || last.length + expected.length + 2 < width;
  return `${fold(question, width)}${fits ? ' ' : '\n'}${expected} `;
}
