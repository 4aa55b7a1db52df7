import { requestsText } from '../human/fleet-text.js';
import { nextText } from '../human/rollout-text.js';
import { timeText } from '../human/time-text.js';
import type { Report } from './report.js';

/** What a plan or a rollout of a fleet is, as pairs of a title and a text. */
export function fleetFacts({ fleet, rollout }: Report): [title: string, text: string][] {
  if (rollout !== undefined) {
    const { name, fleet: of, release, plannedAt, plannedBy } = rollout;
    return [
      ['Rollout', `${name} of the fleet ${of}`],
      ...(release === undefined ? [] : [['Release', release] as [string, string]]),
      ['Planned', `${timeText(plannedAt)} by ${plannedBy}`],
      ['Next', nextText(rollout)],
    ];
  }
  if (fleet === undefined) return [];
  const { plan, command } = fleet;
  return [
    ...(plan.release === undefined ? [] : [['Release', plan.release] as [string, string]]),
    ['Requests', requestsText(plan)],
    ...(command === undefined ? [] : [['Apply it with', command] as [string, string]]),
  ];
}
