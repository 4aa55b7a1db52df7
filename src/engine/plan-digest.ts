import type { Json } from '../model/json.js';
import type { Plan } from '../model/plan.js';
import { digest } from './normal-form.js';

/** The digest of a plan, the same before it was written to a file and after it was read again. */
export const digestOfPlan = (plan: Plan): string => digest(JSON.parse(JSON.stringify(plan)) as Json);
