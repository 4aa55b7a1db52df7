import { Ajv } from 'ajv';
import type { Plan } from '../model/plan.js';
import { pointerKeys } from '../model/pointer.js';
import { checkSteps } from './check-steps.js';
import { notAPlan } from './plan-errors.js';
import { planSchema } from './plan-schema.js';

const ajv = new Ajv({ discriminator: true, strict: true, strictTypes: false, strictRequired: false });
const validate = ajv.compile(planSchema);

/** The value as a plan that can be carried out without a look at each of its parts; throws where it is none. */
export function checkPlanShape(value: unknown, file: string): Plan {
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    const place = placeOf(error?.instancePath ?? '');
    throw notAPlan(file, `${place} ${error?.message ?? 'is wrong'}.`);
  }
  const plan = value as unknown as Plan;
  const found = checkSteps(plan);
  if (found !== undefined) throw notAPlan(file, found);
  return plan;
}

/** `/steps/0/action` as people write it: `steps[0].action`. */
function placeOf(pointer: string): string {
  const keys = pointerKeys(pointer).map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`));
  return keys.length === 0 ? 'it' : keys.join('').slice(1);
}
