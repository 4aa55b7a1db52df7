import type { Catalog } from '#core/catalog.js';
import { type Plan, planSchema } from '#core/model/plan.js';
import { pointerKeys } from '#core/model/pointer.js';
import { type ShapeError, shapeError } from '#core/shape.js';
import { checkSteps } from './check-steps.js';
import { notAPlan } from './plan-errors.js';

/** Returns the value as a plan that can be applied without checking its parts; throws if it is not a plan. */
export function checkPlanShape(value: unknown, file: string, catalog: Catalog): Plan {
  const error = shapeError(planSchema, value);
  if (error !== undefined) throw notAPlan(file, sentenceOf(error, value));
  const plan = value as Plan;
  const found = checkSteps(plan, catalog);
  if (found !== undefined) throw notAPlan(file, found);
  return plan;
}

/** Names an unknown action, which another version may have, by its step; other errors by their place. */
function sentenceOf({ instancePath, message = 'is wrong' }: ShapeError, value: unknown): string {
  const [list, index, field] = pointerKeys(instancePath);
  const step = list === 'steps' && field === 'action' ? (value as Plan).steps[Number(index)] : undefined;
  return step === undefined
    ? `${placeOf(instancePath)} ${message}.`
    : `${step.address} has the unknown action "${step.action}".`;
}

/** Formats `/steps/0/action` for people: `steps[0].action`. */
function placeOf(pointer: string): string {
  const keys = pointerKeys(pointer).map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`));
  return keys.length === 0 ? 'it' : keys.join('').slice(1);
}
