import type { ImportEvent } from '#core/stream/import-event.js';
import type { Palette } from './palette.js';
import { rowPhrase } from './row-phrase.js';
import { runSuffix } from './run-text.js';

/** The current activity of an import, for a line that is redrawn. */
export function importProgress(address: string, event: ImportEvent): string {
  switch (event.type) {
    case 'reading':
      return `${address}  reading: ${rowPhrase(event.rows)}`;
    case 'comparing':
      return `${address}  comparing: ${event.count} ${event.what} read`;
    case 'uploading':
      return `${address}  uploading: ${percent(event.bytes, event.total)}`;
    case 'validating':
    case 'committing':
      return `${address}  ${event.type}: ${event.processed} of ${rowPhrase(event.total)}${runSuffix(event.number)}${paceText(event)}`;
    case 'reading-back':
      return `${address}  ${event.what}: ${event.done} of ${rowPhrase(event.of)}`;
    case 'errors-found':
      return `${address}  reading ${event.errors} ${event.errors === 1 ? 'error' : 'errors'}`;
    case 'decided':
      return `${address}  validated${DECISIONS[event.decision]}`;
    case 'done':
      return `${address}  ${event.outcome}`;
  }
  return event satisfies never;
}

/** A permanent line for the few important moments of an import. */
export function importLine(address: string, event: ImportEvent, palette: Palette): string | undefined {
  if (event.type !== 'decided') return undefined;
  const { errors, rows, decision } = event;
  const count = errors === 0 ? palette.green('0 failed') : palette.red(`${errors} failed`);
  return `  ${address}  ${rowPhrase(rows)} validated, ${count}${DECISIONS[decision]}`;
}

/** The speed, the time that is left, and the reason for waiting. */
function paceText({ speed, processed, total, wait, because }: Extract<ImportEvent, { type: Phase }>): string {
  const fast = speed === undefined ? '' : `, ${Math.round(speed)} rows/s`;
  const left = speed === undefined || processed >= total ? '' : `, ${duration((total - processed) / speed)} left`;
  const next = wait === undefined || wait < LONG_PAUSE ? '' : `; next check in ${duration(wait / 1000)}`;
  const why = because === undefined || because === 'rows' ? '' : `, ${PAUSE_REASONS[because]}`;
  return `${fast}${left}${next}${why}`;
}

type Phase = 'validating' | 'committing';

const LONG_PAUSE = 2000;
const PAUSE_REASONS = { queued: 'the service has not started yet', quota: 'few requests are left' } as const;

function duration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const DECISIONS = {
  commit: '; ready to commit',
  reject: '; nothing is committed, as the commit rule requires',
  leave: '; not committed (`commit: never`)',
} as const;

const percent = (part: number, whole: number): string =>
  whole === 0 ? '100%' : `${Math.floor((100 * part) / whole)}%`;
