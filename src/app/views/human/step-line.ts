import type { Action } from '#core/model/step-schema.js';
import type { Event } from '#core/stream/event.js';
import type { Shown } from '../view.js';
import type { Palette } from './palette.js';

/** The word for each action once it is done. */
export const DONE_WORDS: Readonly<Record<Action, string>> = {
  create: 'created',
  update: 'updated',
  replace: 'replaced',
  delete: 'deleted',
  retire: 'retired',
  rename: 'renamed',
  adopt: 'adopted',
  forget: 'forgotten',
  acknowledge: 'acknowledged',
  import: 'done',
  manual: 'manual',
  blocked: 'blocked',
};

/**
 * How a step ended, in a line or two; undefined if it only began, was one of many that a stop left out, or is done and
 * only problems are shown.
 */
export function stepLine(
  { address, action, status }: Extract<Event, { type: 'step' }>,
  palette: Palette,
  shows: Shown,
): string | undefined {
  switch (status.is) {
    case 'started':
      return undefined;
    case 'done':
      return shows === 'summary' ? undefined : `${palette.green('✓')} ${address}  ${DONE_WORDS[action]}`;
    case 'skipped':
      return status.because === 'stopped'
        ? undefined
        : `${palette.yellow('-')} ${address}  skipped: depends on ${status.because}`;
    case 'failed':
    case 'unknown':
    case 'manual':
      return `${palette.red('✗')} ${address}  ${status.message}${status.hint === undefined ? '' : `\n    ${status.hint}`}\n    ${palette.dim(`[${status.code}]`)}`;
  }
  return status satisfies never;
}

/** Whether a step was left out because the apply was stopped; such steps are counted, not listed. */
export const isStopped = ({ status }: Extract<Event, { type: 'step' }>): boolean =>
  status.is === 'skipped' && status.because === 'stopped';

/** One line for all steps that were no longer begun. */
export const stoppedLine = (count: number, palette: Palette): string =>
  `${palette.yellow('-')} ${count} ${count === 1 ? 'step' : 'steps'} skipped because the apply was stopped`;
