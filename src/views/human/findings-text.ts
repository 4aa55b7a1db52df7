import type { Event } from '../../stream/event.js';
import type { Palette } from './palette.js';

/** More than these are counted, not shown. */
const MOST_FINDINGS = 20;

/** Findings of a source file, each at its row. */
export function findingsText({ findings }: Extract<Event, { type: 'findings' }>, palette: Palette): string {
  const { kept, errors, warnings, byCode } = findings;
  const lines = kept.slice(0, MOST_FINDINGS).map((finding) => {
    const { severity, code, file, row, message, hint } = finding;
    const place = row === undefined ? file : `${file}:${row}`;
    const word = severity === 'error' ? palette.red('error') : palette.yellow('warning');
    return `${palette.bold(place)}  ${word}  ${palette.dim(code)}\n  ${message}${hint === undefined ? '' : ` ${hint}`}\n`;
  });
  const hidden = errors + warnings - lines.length;
  const codes = Object.entries(byCode)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `    ${String(count).padStart(6)}  ${code}\n`);
  const all = `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  const more = hidden > 0 ? `... and ${hidden} more (${all} in total). All by cause:\n${codes.join('')}` : '';
  return `${lines.join('')}${more}\n`;
}
