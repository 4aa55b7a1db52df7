import type { Json } from '../model/json.js';
import type { Plan } from '../model/plan.js';
import { digest } from './normal-form.js';

/** Equal for equal plans, however they were written down: what a journal and a saved plan are compared by. */
export const digestOfPlan = (plan: Plan): string => digest(plan as unknown as Json);
