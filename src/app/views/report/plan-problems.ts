import type { Step } from '#core/model/plan.js';
import { placeIn, placeProperty } from './place.js';
import { hintProperty, type Problem, sourceProperty } from './problem.js';
import type { Report } from './report.js';

/** Problems of a plan: blocked and manual steps, findings of guards and rules, and steps that an apply failed to do. */
export function planProblems(report: Report): Problem[] {
  const { planned, steps } = report;
  const planSteps = planned?.plan.steps ?? [];
  const byAddress = new Map(planSteps.map((step) => [step.address, step]));
  const problems = planSteps.flatMap((step) => stepProblem(report, step));
  const failed = steps.flatMap((event) => outcomeProblem(report, event, byAddress.get(event.address)));
  return [...problems, ...guardProblems(report, byAddress), ...failed];
}

function stepProblem({ setting }: Report, step: Step): Problem[] {
  const { action, address, reason, message, origin, fields } = step;
  if (action !== 'blocked' && action !== 'manual') return [];
  const place = placeIn(setting, 'project', origin);
  const what = fields.map(({ path }) => path).join(', ');
  return [
    {
      about: 'step',
      level: action === 'blocked' ? 'error' : 'warning',
      code: `${action}-${reason}`,
      message: `${address} is ${action === 'blocked' ? 'blocked' : 'a manual step'}: ${message}`,
      ...(action === 'manual' && what !== '' ? { hint: `To change: ${what}.` } : {}),
      address,
      ...sourceProperty(origin),
      ...placeProperty(place),
    },
  ];
}

/** Omits denials of steps, which these repeat themselves; a denial of the whole plan has no other place. */
function guardProblems({ planned, setting }: Report, steps: ReadonlyMap<string, Step>): Problem[] {
  return (planned?.plan.guards ?? []).flatMap(({ guard, rule, severity, message, addresses }): Problem[] => {
    const concerned = addresses.map((address) => steps.get(address));
    if (severity === 'deny' && concerned.some((step) => step?.action === 'blocked')) return [];
    const [first] = concerned;
    const place = first === undefined ? undefined : placeIn(setting, 'project', first.origin);
    const name = rule === undefined ? `guard-${guard}` : 'rule';
    return [
      {
        about: 'guard',
        level: severity === 'deny' ? 'error' : 'warning',
        code: name,
        message: rule === undefined ? message : `${rule}: ${message}`,
        ...(addresses[0] === undefined ? {} : { address: addresses[0] }),
        ...placeProperty(place),
      },
    ];
  });
}

function outcomeProblem({ setting }: Report, event: Report['steps'][number], step: Step | undefined): Problem[] {
  const { address, status, action } = event;
  if (status.is === 'started' || status.is === 'done' || step?.action === 'manual') return [];
  const place = step === undefined ? undefined : placeIn(setting, 'project', step.origin);
  const about = { about: 'step', address, ...placeProperty(place) } as const;
  if (status.is === 'skipped') {
    const because = status.because === 'stopped' ? 'the apply was stopped' : `it depends on ${status.because}`;
    const message = `${address} was skipped because ${because}.`;
    return [{ ...about, level: 'warning', code: 'step-skipped', message }];
  }
  const { code, hint } = status;
  const message = `${address} (${action}): ${status.message}`;
  const level = status.is === 'manual' ? 'warning' : 'error';
  return [{ ...about, level, code, message, ...hintProperty(hint) }];
}
