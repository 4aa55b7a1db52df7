import type { DriftedBriefly, HeldReason, RoundEnd, RoundResult, WatchEvent } from '#core/stream/watch-event.js';
import { driftedPath } from '../report/drifted-path.js';
import { countText } from './count-text.js';
import type { Palette } from './palette.js';
import { timeText } from './time-text.js';

/** A line for an event of a watch; empty if it needs none. */
export function watchText(event: WatchEvent, palette: Palette): string {
  switch (event.is) {
    case 'started':
      return startText(event, palette);
    case 'round':
      return '';
    case 'round-ended':
      return roundText(event, palette);
    case 'stopped':
      return `Stopped after ${countText(event.rounds, 'round')}.`;
  }
  return event satisfies never;
}

function startText(
  { environment, policy, follows, interval, url }: Extract<WatchEvent, { is: 'started' }>,
  palette: Palette,
) {
  const rounds = interval === undefined ? 'as often as the daily quota allows' : `every ${spanText(interval)}`;
  const served = url === undefined ? '' : `\n  Metrics: ${url}/metrics, health: ${url}/healthz and ${url}/readyz`;
  return (
    `${palette.bold(`Watching environment ${environment}`)}: follows ${follows}, applies ${APPLIES[policy]}.\n` +
    `  A round begins after each change, and ${rounds}.${served}`
  );
}

const APPLIES = {
  none: 'nothing (policy none)',
  safe: 'what adds or changes as the manifests ask (policy safe)',
  all: 'every plan that no guard blocks (policy all)',
} as const;

function roundText(end: RoundEnd, palette: Palette): string {
  const { round, requests, next, seconds } = end;
  const left = requests.remaining === null ? '' : `, ${requests.remaining} left`;
  const facts = `${countText(requests.used, 'request')}${left}, ${seconds.toFixed(1)} s`;
  const then = next === undefined ? '' : ` Next round: ${timeText(next)}.`;
  const head = `Round ${round}: ${colourOf(end)(palette)(outcomeText(end))} ${palette.dim(`(${facts})`)}${then}`;
  return [head, ...detailLines(end, palette)].join('\n  ');
}

/** Shows a partial apply as held, not as failed, if the policy held steps back. */
const colourOf = ({ result, held }: RoundEnd): (typeof COLOURS)[RoundResult] =>
  COLOURS[result === 'partial' && held.length > 0 ? 'held' : result];

const COLOURS: Readonly<Record<RoundResult, (palette: Palette) => (text: string) => string>> = {
  unchanged: ({ green }) => green,
  applied: ({ green }) => green,
  held: ({ yellow }) => yellow,
  blocked: ({ yellow }) => yellow,
  partial: ({ red }) => red,
  failed: ({ red }) => red,
};

function outcomeText({ result, pending, held, error }: RoundEnd): string {
  switch (result) {
    case 'unchanged':
      return 'The workspace matches the manifests.';
    case 'applied':
      return `Applied ${countText(pending, 'step')}; the workspace matches the manifests.`;
    case 'held':
      return heldText(pending, held);
    case 'blocked':
      return `${countText(pending, 'step')} blocked or manual; nothing can be applied.`;
    case 'partial':
      return held.length === 0
        ? 'Applied in part; some steps are left.'
        : `Applied what the policy allows; it leaves ${held.length} of ${countText(pending, 'step')} to a person.`;
    case 'failed':
      return `Failed: ${error?.message ?? ''} [${error?.code ?? ''}]`;
  }
  return result satisfies never;
}

function heldText(pending: number, held: RoundEnd['held']): string {
  if (held.length === 0) return 'Nothing was applied: the workspace or the manifests changed in the meantime.';
  const steps = countText(pending, 'step');
  return held.every(({ because }) => because === 'policy')
    ? `${steps} pending; the policy applies nothing.`
    : `${steps} pending; nothing was applied, because the policy leaves ${held.length} of them to a person.`;
}

/** Number of details of a round; more would hide the rounds. */
const MOST_LINES = 10;

function detailLines({ held, drifted, error }: RoundEnd, { dim }: Palette): string[] {
  const all = [
    ...drifted.map(driftLine),
    ...held.map(({ address, because }) => `${address}: ${HELD[because]}`),
    ...(held.some(({ because }) => because !== 'policy')
      ? ['Review with `dexsync plan` and apply with `dexsync apply`.']
      : []),
    ...(error?.hint === undefined ? [] : [error.hint]),
  ];
  const more = all.length - MOST_LINES;
  const shown = more > 0 ? [...all.slice(0, MOST_LINES), `and ${more} more lines; \`--json\` has them all`] : all;
  return shown.map(dim);
}

function driftLine({ address, what, fields, unnamed = [], changedBy, changedAt }: DriftedBriefly): string {
  const who = changedBy === undefined ? '' : ` by ${changedBy}`;
  const at = changedAt === undefined ? '' : ` at ${timeText(changedAt)}`;
  const paths = fields.map((path) => driftedPath({ path, named: !unnamed.includes(path) }));
  const where = fields.length === 0 ? '' : ` (${paths.join(', ')})`;
  return `${address}: ${what} outside dexsync${who}${at}${where}`;
}

const HELD: Readonly<Record<HeldReason, string>> = {
  policy: 'pending',
  deletes: 'would be deleted',
  replaces: 'would be recreated',
  adopts: 'would be adopted',
  overwrites: 'would overwrite a change made outside dexsync',
  'removes-rows': 'would remove rows that the file does not have',
  unapproved: 'waits for an approval',
};

/** `90 s`, `10 min`, `6 h`. */
function spanText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
