import type { PageEvent } from '#core/stream/page-event.js';
import type { Output, View } from '../view.js';
import type { Palette } from './palette.js';
import { timeText } from './time-text.js';

/** Writes a line for each login and action of people on the page, and other events as `view` shows them. */
export const auditView = (view: View, out: Output, { dim }: Palette, clock: () => Date): View => ({
  ...view,
  event(event) {
    if (event.type !== 'page') return view.event(event);
    out.write(`${dim(timeText(clock().toISOString()))}  ${auditText(event.event)}\n`);
  },
});

function auditText(event: PageEvent): string {
  switch (event.is) {
    case 'login':
      return `${event.by} logged in from ${event.from} (${event.roles.join(', ')})`;
    case 'login-refused':
      return `A login${event.by === undefined ? '' : ` of ${event.by}`} from ${event.from} was refused: ${event.message}`;
    case 'logout':
      return `${event.by} logged out`;
    case 'action':
      return actionText(event);
  }
  return event satisfies never;
}

const WORDS = {
  pause: 'paused',
  stop: 'stopped',
  'look-for-drift': 'looked for drift in',
  review: 'reviewed',
  'fetch-report': 'fetched the report of',
  'download-rows': 'downloaded the failed rows of',
} as const;
const TRIED = {
  pause: 'pause',
  stop: 'stop',
  'look-for-drift': 'look for drift in',
  review: 'review',
  'fetch-report': 'fetch the report of',
  'download-rows': 'download the failed rows of',
} as const;

function actionText({ by, action, of, reason, error }: Extract<PageEvent, { is: 'action' }>): string {
  const why = reason === undefined ? '' : ` ("${reason}")`;
  return error === undefined
    ? `${by} ${WORDS[action]} ${of}${why}`
    : `${by} could not ${TRIED[action]} ${of}${why}: ${error}`;
}
