import { isObject } from '../model/json.js';
import type { Action, Plan } from '../model/plan.js';

/** Whether a plan from a file, which anybody may have edited, has what is shown of it. */
export const isPlan = (value: unknown): value is Plan =>
  isObject(value) &&
  value.format === 'dexsync-plan/1' &&
  ['stack', 'environment', 'nonce'].every((key) => typeof value[key] === 'string') &&
  isObject(value.workspace) &&
  typeof value.workspace.name === 'string' &&
  isObject(value.summary) &&
  isObject(value.requests) &&
  isObject(value.requests.apply) &&
  Array.isArray(value.steps) &&
  value.steps.every(isStep);

const isStep = (value: unknown): boolean =>
  isObject(value) &&
  ['address', 'reason', 'message'].every((key) => typeof value[key] === 'string') &&
  Object.hasOwn(ACTIONS, String(value.action)) &&
  Array.isArray(value.writes) &&
  Array.isArray(value.fields) &&
  value.fields.every((field) => isObject(field) && typeof field.path === 'string');

const ACTIONS: Readonly<Record<Action, true>> = {
  create: true,
  update: true,
  replace: true,
  delete: true,
  retire: true,
  rename: true,
  adopt: true,
  forget: true,
  import: true,
  manual: true,
  blocked: true,
};
