import type { FleetPlan, PlanGroup } from '#delivery/fleet/group-plans.js';
import { alike } from './alike.js';
import { countText } from './count-text.js';
import { diagnosticText } from './diagnostic-text.js';
import { namesText } from './many-text.js';
import type { Palette } from './palette.js';
import { changesText, rangeText } from './plan-text.js';
import { tableText } from './table.js';

/** The plans of a fleet: each group once, with the values of its environments, then what could not be planned. */
export function fleetPlanText(found: FleetPlan, palette: Palette, width?: number): string {
  const { fleet, release, targets, sessions, atOnce, inTurn, groups, unchanged, problems } = found;
  const users =
    sessions === targets ? '' : ` of ${countText(sessions, 'user')}: ${atOnce} at once, up to ${inTurn} in turn`;
  return [
    palette.bold(`Plans for the fleet ${fleet}: ${countText(targets, 'environment')}${users}\n`),
    ...(release === undefined ? [] : [`Promotes release ${release}.\n`]),
    ...groups.map((group) => groupText(group, palette, width)),
    ...(unchanged.length === 0
      ? []
      : [`${countText(unchanged.length, 'environment')}: nothing to do: ${namesText(unchanged)}\n`]),
    ...alike(problems, ({ environment: _, ...cause }) => cause).map((same) => problemText(same, palette)),
    priceText(found, palette),
  ].join('\n');
}

function groupText({ environments, plan, values }: PlanGroup, palette: Palette, width?: number): string {
  const references = [...new Set(Object.values(values).flatMap((one) => Object.keys(one)))];
  const rows = environments.map((name) => [name, ...references.map((one) => values[name]?.[one] ?? '-')]);
  const table =
    references.length === 0
      ? ''
      : `\n${tableText(['ENVIRONMENT', ...references.map((one) => `\${${one}}`)], rows, width)}`;
  const head = palette.bold(`${countText(environments.length, 'environment')}: ${namesText(environments)}`);
  return `${head}\n${changesText(plan, palette, width)}${table}`;
}

type Problems = FleetPlan['problems'];

function problemText(same: Problems, palette: Palette): string {
  const [{ message, hint, findings } = { message: '', findings: [] }] = same;
  const names = namesText(same.map(({ environment }) => environment));
  const causes = findings.map((finding) => diagnosticText(finding, palette)).join('');
  return `${palette.red('✗')} ${palette.bold(names)}: ${message}\n${hint === undefined ? '' : `${hint}\n`}${causes}`;
}

type Requests = FleetPlan['requests'];

function priceText(plan: FleetPlan, palette: Palette): string {
  const [shortage, days] = quotaTexts(plan.requests);
  const quotas = shortage === undefined ? '' : `${palette.yellow('Warning:')} ${shortage}\n${days}\n`;
  return `${quotas}${palette.dim(`Requests: ${requestsText(plan)}`)}\n`;
}

/** What the daily quotas mean for the rollout, if they are too small for today. */
export function quotaTexts({ short, days }: Pick<Requests, 'short' | 'days'>): readonly string[] {
  const [longest] = short.toSorted((one, other) => (other.days ?? UNKNOWN) - (one.days ?? UNKNOWN));
  if (longest === undefined) return [];
  const { environment, apply, today, daily } = longest;
  const perDay = daily === null ? '; its service does not say the daily quota' : ` and ${daily} a day`;
  return [
    'The requests that are left today are too few for ' +
      `${countText(short.length, 'environment')}: ${namesText(short.map((one) => one.environment))}. ` +
      `${environment} takes longest: ${rangeText(apply)} requests, with ${today} to spend today${perDay}.`,
    daysText(days, short),
  ];
}

const UNKNOWN = Number.MAX_SAFE_INTEGER;

function daysText(days: number | null, short: Requests['short']): string {
  if (days !== null) return `The rollout takes about ${countText(days, 'day')}, without soaks and approvals.`;
  return short.some(({ daily }) => daily === 0)
    ? 'The rollout cannot end with these quotas: raise them, lower `keepRequests`, or plan less at once.'
    : 'How many days the rollout takes is not known.';
}

export const requestsText = ({ requests: { used, apply } }: Pick<FleetPlan, 'requests'>): string =>
  `${used} used by these plans, ${rangeText(apply)} to apply them.`;
