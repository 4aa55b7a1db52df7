import type { Event } from '../../apply/events.js';
import type { ImportEvent } from '../../bulk/run/import-event.js';
import type { Palette } from './palette.js';

/** What an import is doing right now, for a line that is written over. */
export function importProgress(address: string, event: ImportEvent): string {
  switch (event.type) {
    case 'reading':
      return `${address}  reading: ${counted(event.rows)}`;
    case 'uploading':
      return `${address}  uploading: ${percent(event.bytes, event.total)}`;
    case 'validating':
    case 'committing':
      return `${address}  ${event.type}: ${event.processed} of ${counted(event.total)}${called(event.number)}`;
    case 'errors-found':
      return `${address}  reading ${event.errors} ${event.errors === 1 ? 'error' : 'errors'}`;
    case 'decided':
      return `${address}  ${DECISIONS[event.decision]}`;
    case 'done':
      return `${address}  ${event.outcome}`;
  }
  return event satisfies never;
}

/** The few moments of an import that are worth a line of their own. */
export function importLine(address: string, event: ImportEvent, palette: Palette): string | undefined {
  if (event.type !== 'decided') return undefined;
  const { errors, rows, decision } = event;
  const count = errors === 0 ? palette.green('0 failed') : palette.red(`${errors} failed`);
  return `  ${address}  ${counted(rows)} validated, ${count}: ${DECISIONS[decision]}`;
}

/** What was imported before, and how to import it all the same. */
export const settledText = ({ address, at, number }: Extract<Event, { type: 'settled' }>): string =>
  `${address}: committed${number === undefined ? '' : ` by run #${number}`} on ${at.slice(0, 10)}; --force sends it again.\n`;

const counted = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

const DECISIONS = {
  commit: 'they are committed',
  reject: 'the commit rule does not allow that; nothing is committed',
  leave: 'the run is left for a person to commit',
} as const;

const percent = (part: number, whole: number): string =>
  whole === 0 ? '100%' : `${Math.floor((100 * part) / whole)}%`;

const called = (number: number | undefined): string => (number === undefined ? '' : ` (run #${number})`);
