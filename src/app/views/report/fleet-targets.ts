import { omitUndefined } from '#base/omit-undefined.js';
import type { RolloutStatus, RolloutTargetStatus } from '#core/stream/fleet-event.js';
import type { PlanGroup } from '#delivery/fleet/group-plans.js';
import { alike } from '../human/alike.js';
import { quotaTexts } from '../human/fleet-text.js';
import { namesText } from '../human/many-text.js';
import { nextText } from '../human/rollout-text.js';
import { timeText } from '../human/time-text.js';
import { planProblems } from './plan-problems.js';
import { hintProperty, type Problem } from './problem.js';
import type { Report } from './report.js';

/** An environment of a fleet, with its plan or with what a rollout did there. */
export interface ReportedTarget {
  readonly environment: string;
  /** Counts from 1; absent if it is in none. */
  readonly wave?: number;
  /** The number of its group of equal plans, if there are several. */
  readonly group?: number;
  /** One of `RESULTS`. */
  readonly result: string;
  /** How much it needs a person; `waiting`: it was not begun yet. */
  readonly level: 'good' | 'waiting' | 'warning' | 'error';
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  /** The values of its row in the plan, by reference. */
  readonly values?: Readonly<Record<string, string>>;
}

/** What may be said of an environment, in the order of totals. */
const RESULTS = [
  ...['to change', 'blocked', 'unchanged'],
  ...['done', 'failed', 'unknown', 'deferred', 'gone', 'begun', 'waiting', 'not planned'],
] as const;

/** Lists the environments of a fleet's plan or rollout; none for another command. */
export function reportedTargets(report: Report): ReportedTarget[] {
  if (report.rollout !== undefined) return rolloutTargets(report.rollout);
  if (report.fleet === undefined) return [];
  const { plan, waves } = report.fleet;
  const waveOf = new Map(waves.flatMap((names, index) => names.map((name) => [name, index + 1])));
  const several = plan.groups.length > 1;
  const changing = groupReports(report).flatMap(({ group, report: own }, index) => {
    const facts = { ...groupResult(planProblems(own)), ...(several ? { group: index + 1 } : {}) };
    return group.environments.map((environment) =>
      omitUndefined({ environment, wave: waveOf.get(environment), ...facts, values: group.values[environment] }),
    );
  });
  return [
    ...changing,
    ...plan.unchanged.map((environment) =>
      omitUndefined({ environment, wave: waveOf.get(environment), result: 'unchanged', level: 'good' as const }),
    ),
    ...plan.problems.map(
      ({ findings: _, ...problem }) => ({ ...problem, result: 'not planned', level: 'error' }) as const,
    ),
  ];
}

/** Number of messages about a plan that are repeated; others are only counted. */
const MOST_MESSAGES = 5;

function groupResult(problems: readonly Problem[]): Omit<ReportedTarget, 'environment'> {
  const worst = problems.find(({ level }) => level === 'error') ?? problems[0];
  if (worst === undefined) return { result: 'to change', level: 'good' };
  const { level, code } = worst;
  const more = problems.length - MOST_MESSAGES;
  const messages = problems.slice(0, MOST_MESSAGES).map(({ message }) => message);
  const message = [...messages, ...(more > 0 ? [`... and ${more} more`] : [])].join('\n');
  return { result: level === 'error' ? 'blocked' : 'to change', level, code, message };
}

/** The plan of each group as a report of its own. */
export function groupReports(report: Report): { readonly group: PlanGroup; readonly report: Report }[] {
  const { fleet, ...rest } = report;
  return (fleet?.plan.groups ?? []).map((group) => ({
    group,
    report: { ...rest, planned: { type: 'plan', plan: group.plan, reset: null } },
  }));
}

/** The notes of all plans, equal ones once. */
export const notesIn = (report: Report): string[] => {
  const plans = [report, ...groupReports(report).map((one) => one.report)];
  return [...new Set(plans.flatMap(({ planned }) => planned?.plan.notes.map(({ message }) => message) ?? []))];
};

const LEVELS: Readonly<Record<RolloutTargetStatus['is'], ReportedTarget['level']>> = {
  ...{ done: 'good', waiting: 'waiting' },
  ...{ begun: 'warning', deferred: 'warning', gone: 'warning' },
  ...{ failed: 'error', unknown: 'error' },
};

const rolloutTargets = ({ targets, left }: RolloutStatus): ReportedTarget[] => [
  ...targets.map(({ is, at: _, until, ...target }) => {
    const when = until === undefined ? {} : { message: `${target.message ?? ''} Until ${timeText(until)}.`.trim() };
    return { ...target, ...when, result: is, level: LEVELS[is] };
  }),
  ...left.map((one) => ({ ...one, result: 'not planned', level: 'warning' }) as const),
];

/** How many environments ended alike: `3 done, 1 failed`. */
export const targetCounts = (targets: readonly ReportedTarget[]): [result: string, count: number][] =>
  RESULTS.flatMap((result): [string, number][] => {
    const count = targets.filter((one) => one.result === result).length;
    return count === 0 ? [] : [[result, count]];
  });

export const targetCountsText = (targets: readonly ReportedTarget[]): string =>
  targetCounts(targets)
    .map(([result, count]) => `${count} ${result}`)
    .join(', ');

/** The environments of each wave, then those that are in none. */
export const byWave = (targets: readonly ReportedTarget[]): [wave: number | undefined, ReportedTarget[]][] =>
  alike(targets, ({ wave }) => wave)
    .map((own): [number | undefined, ReportedTarget[]] => [own[0]?.wave, own])
    .sort(([one = Number.POSITIVE_INFINITY], [other = Number.POSITIVE_INFINITY]) => one - other);

/**
 * Lists what a reader must look at in a fleet. `each`: one problem for each environment, and one for a rollout that needs
 * a person; `alike`: environments with the same problem together.
 */
export function fleetProblems(report: Report, how: 'each' | 'alike'): Problem[] {
  const targets = reportedTargets(report).filter(({ level }) => level === 'warning' || level === 'error');
  const same =
    how === 'each'
      ? targets.map((target) => [target])
      : alike(targets, ({ environment: _, wave: __, group: ___, values: ____, ...cause }) => cause);
  return [...quotaProblems(report), ...(how === 'each' ? rolloutProblems(report) : []), ...same.map(problemOf)];
}

function problemOf(same: readonly ReportedTarget[]): Problem {
  const [{ level, result, code, message, hint } = { level: 'warning', result: '' } as ReportedTarget] = same;
  const names = namesText(same.map(({ environment }) => environment));
  return {
    about: 'environment',
    level: level === 'error' ? 'error' : 'warning',
    code: code ?? codeOf(result),
    message: `${names}: ${result}${message === undefined ? '' : `: ${message}`}`,
    ...hintProperty(hint),
  };
}

/** The code of a result that has none of its own. */
export const codeOf = (result: string): string => `environment-${result.replaceAll(' ', '-')}`;

function quotaProblems({ fleet }: Report): Problem[] {
  const texts = fleet === undefined ? [] : quotaTexts(fleet.plan.requests);
  return texts.length === 0 ? [] : [{ about: 'fleet', level: 'warning', code: 'quota', message: texts.join(' ') }];
}

function rolloutProblems({ rollout }: Report): Problem[] {
  if (rollout === undefined || !['ask', 'over-budget', 'paused', 'stopped'].includes(rollout.next.is)) return [];
  const level = rollout.exitCode === 1 ? 'error' : 'warning';
  return [{ about: 'fleet', level, code: `rollout-${rollout.next.is}`, message: nextText(rollout) }];
}
