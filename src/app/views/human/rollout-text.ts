import type { FleetEvent, RolloutNext, RolloutStatus, RolloutTargetStatus } from '#core/stream/fleet-event.js';
import type { RolloutSaved } from '../../operations/save-rollout.js';
import type { FleetOrphans } from '../../operations/steer-fleet.js';
import { alike } from './alike.js';
import { countText } from './count-text.js';
import { namesText } from './many-text.js';
import type { Palette } from './palette.js';
import { tableText } from './table.js';
import { timeText } from './time-text.js';

type Result = RolloutTargetStatus['is'];

/** A line for an event of a rollout, and its status at the end. */
export function fleetEventText(event: FleetEvent, palette: Palette, width?: number): string {
  switch (event.is) {
    case 'wave':
      return palette.bold(`\nWave ${event.wave}: ${countText(event.environments, 'environment')}\n`);
    case 'begun':
      return '';
    case 'worker':
      return `${event.name} waits for rollouts of the stack ${event.stack}.\n`;
    case 'waiting':
      return `Waits until ${timeText(event.until)}: ${WAITS[event.because]}.\n`;
    case 'checked':
      return `${mark(event.passed ? 'done' : 'failed', palette)} Check of wave ${event.wave}: ${event.passed ? 'passed' : (event.message ?? 'refused')}\n`;
    case 'drift':
      return `${mark(event.objects === 0 ? 'done' : 'deferred', palette)} ${event.environment}: ${event.objects === 0 ? 'no drift' : `${countText(event.objects, 'object')} drifted`}\n`;
    case 'status':
      return `\n${rolloutText(event, palette, width)}`;
    default:
      return `${mark(event.is, palette)} ${event.environment}: ${endText(event)}\n`;
  }
}

const WAITS = { soak: 'the wave soaks', deferred: 'deferred environments are tried again then' } as const;

const mark = (result: Result, { green, red, yellow }: Palette): string => {
  if (result === 'done') return green('✓');
  return result === 'failed' || result === 'unknown' ? red('✗') : yellow('•');
};

function endText({ is, message, until }: Pick<RolloutTargetStatus, 'is' | 'message' | 'until'>): string {
  const when = until === undefined ? '' : ` until ${timeText(until)}`;
  return message === undefined ? `${is}${when}` : `${is}${when}: ${message}`;
}

/** A rollout: its waves, its environments that need attention, and what happens next. */
export function rolloutText(status: RolloutStatus, palette: Palette, width?: number): string {
  const { fleet, name, release, plannedAt, plannedBy, left } = status;
  const what = release === undefined ? '' : `, release ${release}`;
  return [
    palette.bold(`Rollout ${name} of the fleet ${fleet}${what}\n`),
    palette.dim(`Planned ${timeText(plannedAt)} by ${plannedBy}\n`),
    ...(status.targets.length === 0
      ? ['\nNo environment has anything to do.\n']
      : [`\n${tableOfWaves(status, width)}`]),
    ...groupsText(status),
    ...troubleText(status, palette),
    ...left.map(({ environment, message }) => `${palette.yellow('•')} ${environment}: not planned: ${message}\n`),
    `\n${nextText(status)}\n`,
  ].join('');
}

const COLUMNS: readonly Result[] = ['done', 'failed', 'unknown', 'deferred', 'gone', 'begun', 'waiting'];

function tableOfWaves({ targets }: RolloutStatus, width: number | undefined): string {
  const found = COLUMNS.filter((result) => targets.some(({ is }) => is === result));
  const waves = [...new Set(targets.map(({ wave }) => wave))].sort((one, other) => one - other);
  const rows = waves.map((wave) => {
    const own = targets.filter((target) => target.wave === wave);
    const counts = found.map((result) => own.filter(({ is }) => is === result).length);
    return [
      String(wave),
      ...counts.map((count) => (count === 0 ? '-' : String(count))),
      namesText(own.map(({ environment }) => environment)),
    ];
  });
  return tableText(['WAVE', ...found.map((result) => result.toUpperCase()), 'ENVIRONMENTS'], rows, width);
}

/** What people said about the groups, if anybody said anything. */
function groupsText({ groups, next }: RolloutStatus): string[] {
  const isAsked = next.is === 'new' || groups.some(({ rejectedBy }) => rejectedBy.length > 0);
  return isAsked
    ? groups.map(({ group, environments, approvedBy, rejectedBy }) => {
        const said = [
          ...(approvedBy.length === 0 ? [] : [`approved by ${approvedBy.join(', ')}`]),
          ...(rejectedBy.length === 0 ? [] : [`rejected by ${rejectedBy.join(', ')}`]),
        ];
        return `Group ${group.slice(0, 12)}: ${namesText(environments)}${said.length === 0 ? '' : `: ${said.join('; ')}`}\n`;
      })
    : [];
}

/** The environments that are neither done nor waiting, those with one reason together. */
function troubleText({ targets }: RolloutStatus, palette: Palette): string[] {
  const open = targets.filter(({ is }) => is !== 'done' && is !== 'waiting');
  return alike(open, ({ is, message, hint, until }) => [is, message, hint, until]).map((same) => {
    const [{ is, hint, ...first } = { is: 'waiting' as const, hint: undefined }] = same;
    const names = namesText(same.map(({ environment }) => environment));
    return `${mark(is, palette)} ${names}: ${endText({ is, ...first })}\n${hint === undefined ? '' : `  ${hint}\n`}`;
  });
}

/** What happens next, and which command continues. */
export function nextText({ fleet, name, workers, next, targets, left, exitCode }: RolloutStatus): string {
  const resume = `\`dexsync fleet resume ${fleet}\``;
  const continues = workers ? 'Workers continue' : `${resume} continues`;
  const retry = `\`dexsync fleet retry ${fleet} --failed\``;
  switch (next.is) {
    case 'new':
      return `Nothing has begun. \`dexsync fleet apply ledger:${name}\` begins it.`;
    case 'work':
    case 'check':
      return `Wave ${next.wave} is not complete. ${continues}.`;
    case 'wait':
      return `Wave ${next.wave} is waiting until ${timeText(next.until ?? '')}: ${WAITS[next.because === 'soak' ? 'soak' : 'deferred']}. ${continues} then.`;
    case 'ask':
      return `${askText(next)} ${next.because === 'failed' ? `${retry} tries it again.` : `\`dexsync fleet review ${fleet} --approve\` lets the next wave begin${next.because === 'refused' ? `, ${retry} checks again` : ''}.`}`;
    case 'over-budget':
      return `Stopped: ${next.failed} failed, and the budget is ${next.budget}. Nothing else is begun. ${retry} tries them again.`;
    case 'paused':
      return `Paused by ${next.by}${reasonText(next)}. ${resume} continues.`;
    case 'stopped':
      return `Stopped by ${next.by}${reasonText(next)}. Nothing else is begun.`;
    case 'ended':
      if (exitCode !== 0) return `Ended: ${retry} tries again what failed.`;
      return targets.some(({ is }) => is === 'gone') || left.length > 0
        ? 'All others are done.'
        : 'All environments are done.';
  }
  return next.is satisfies never;
}

const reasonText = ({ message }: RolloutNext): string => (message === undefined ? '' : `: ${message}`);

function askText({ wave, because, by, message }: RolloutNext): string {
  if (because === 'failed') return `No environment of wave ${wave} is done.`;
  if (because === 'approval') return `Wave ${wave} waits for approval.`;
  const who = by === undefined ? `The check refused wave ${wave}` : `${by} rejected wave ${wave}`;
  return message === undefined ? `${who}.` : `${who}: ${message.replace(/([^.!?])$/, '$1.')}`;
}

/** The waves of a rollout, one in each line. */
export const wavesText = (waves: RolloutSaved['waves']): string =>
  waves.map((names, index) => `Wave ${index + 1}: ${namesText(names)}\n`).join('');

/** The environments that left a fleet. */
export function fleetOrphansText({ fleet, orphans }: FleetOrphans, width?: number): string {
  if (orphans.length === 0) return `No environment left the fleet ${fleet}.\n`;
  const rows = orphans.map(({ environment, workspace, rollout, at }) => [
    environment,
    workspace,
    rollout,
    timeText(at),
  ]);
  return tableText(['ENVIRONMENT', 'WORKSPACE', 'LAST ROLLOUT', 'DONE'], rows, width);
}
