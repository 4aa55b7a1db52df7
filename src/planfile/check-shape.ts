import { type Plan, planSchema } from '../model/plan.js';
import { pointerKeys } from '../model/pointer.js';
import { shapeError } from '../shape.js';
import { checkSteps } from './check-steps.js';
import { notAPlan } from './plan-errors.js';

/** The value as a plan that can be carried out without a look at each of its parts; throws where it is none. */
export function checkPlanShape(value: unknown, file: string): Plan {
  const error = shapeError(planSchema, value);
  if (error !== undefined) throw notAPlan(file, `${placeOf(error.instancePath)} ${error.message ?? 'is wrong'}.`);
  const plan = value as Plan;
  const found = checkSteps(plan);
  if (found !== undefined) throw notAPlan(file, found);
  return plan;
}

/** `/steps/0/action` as people write it: `steps[0].action`. */
function placeOf(pointer: string): string {
  const keys = pointerKeys(pointer).map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`));
  return keys.length === 0 ? 'it' : keys.join('').slice(1);
}
