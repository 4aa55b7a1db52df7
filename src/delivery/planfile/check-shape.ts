import type { Catalog } from '#core/catalog.js';
import { type Plan, planSchema } from '#core/model/plan.js';
import { pointerKeys } from '#core/model/pointer.js';
import { type ShapeError, shapeError } from '#core/shape.js';
import { checkSteps } from './check-steps.js';
import { notAPlan } from './plan-errors.js';

/** The value as a plan that can be carried out without a look at each of its parts; throws where it is none. */
export function checkPlanShape(value: unknown, file: string, catalog: Catalog): Plan {
  const error = shapeError(planSchema, value);
  if (error !== undefined) throw notAPlan(file, sentenceOf(error, value));
  const plan = value as Plan;
  const found = checkSteps(plan, catalog);
  if (found !== undefined) throw notAPlan(file, found);
  return plan;
}

/** What another version may do has a name of its own; of the rest the place tells more. */
function sentenceOf({ instancePath, message = 'is wrong' }: ShapeError, value: unknown): string {
  const [list, index, field] = pointerKeys(instancePath);
  const step = list === 'steps' && field === 'action' ? (value as Plan).steps[Number(index)] : undefined;
  return step === undefined
    ? `${placeOf(instancePath)} ${message}.`
    : `${step.address} has the unknown action "${step.action}".`;
}

/** `/steps/0/action` as people write it: `steps[0].action`. */
function placeOf(pointer: string): string {
  const keys = pointerKeys(pointer).map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`));
  return keys.length === 0 ? 'it' : keys.join('').slice(1);
}
