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
  const { fleet, release, targets, sessions, inTurn, groups, unchanged, problems } = found;
  const users = sessions === targets ? '' : ` of ${countText(sessions, 'user')}, up to ${inTurn} of one user in turn`;
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

function priceText(plan: FleetPlan, palette: Palette): string {
  const lines = plan.requests.short.map((one) => `${palette.yellow('Warning:')} ${shortQuotaText(one)}\n`);
  return `${lines.join('')}${palette.dim(`Requests: ${requestsText(plan)}`)}\n`;
}

export const requestsText = ({ requests: { used, apply } }: Pick<FleetPlan, 'requests'>): string =>
  `${used} used by these plans, ${rangeText(apply)} to apply them.`;

/** Says that the quota of an environment is too small for its plan. */
export const shortQuotaText = ({ environment, apply, remaining }: FleetPlan['requests']['short'][number]): string =>
  `${environment} needs ${rangeText(apply)} requests, but only ${remaining} are left today.`;
