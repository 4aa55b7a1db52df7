import type { Diagnostic } from '#base/diagnostics.js';
import { sourceText } from '../source-text.js';
import type { Palette } from './palette.js';

/** `file:line:column  error  code`, the message, and what to do. */
export function diagnosticText({ severity, code, message, hint, origin }: Diagnostic, palette: Palette): string {
  const place = origin === undefined ? '' : `${origin.file}:${origin.line}:${origin.column}  `;
  const word = severity === 'error' ? palette.red('error') : palette.yellow('warning');
  const advice = hint === undefined ? '' : `\n  ${hint}`;
  const from = sourceText(origin);
  const source = from === undefined ? '' : `\n  ${from}`;
  return `${palette.bold(place)}${word}  ${palette.dim(code)}\n  ${message}${source}${advice}\n`;
}
