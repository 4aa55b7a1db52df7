import type { Event } from '../../apply/events.js';
import type { Action } from '../../model/plan.js';
import type { Palette } from './palette.js';

const DONE: Readonly<Record<Action, string>> = {
  create: 'created',
  update: 'updated',
  replace: 'replaced',
  delete: 'deleted',
  rename: 'renamed',
  adopt: 'adopted',
  import: 'imported',
  manual: 'left to a person',
  blocked: 'blocked',
};

/** How a step ended, in a line or two; undefined where it only began. */
export function stepLine(
  { address, action, status }: Extract<Event, { type: 'step' }>,
  palette: Palette,
): string | undefined {
  switch (status.is) {
    case 'started':
      return undefined;
    case 'done':
      return `${palette.green('✓')} ${address}  ${DONE[action]}`;
    case 'skipped':
      return `${palette.yellow('-')} ${address}  skipped: ${status.because === 'stopped' ? 'the apply was stopped' : `it needs ${status.because}`}`;
    case 'failed':
    case 'unknown':
    case 'manual':
      return `${palette.red('✗')} ${address}  ${status.message}${status.hint === undefined ? '' : `\n    ${status.hint}`}\n    ${palette.dim(`[${status.code}]`)}`;
  }
  return status satisfies never;
}
