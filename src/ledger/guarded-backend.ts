import type { Secrets } from '#base/secrets.js';
import type { Backend } from './backend.js';
import type { PlanStore } from './plan-store.js';

/** Wraps a backend so that a journal, saved plan or review that contains a secret throws SECRET_RECORDED. */
export const guardedBackend = (backend: Backend, secrets: Secrets): Backend => ({
  ...backend,
  journals: (identity, mayWrite) => ({ ...backend.journals(identity, mayWrite), secrets }),
  plans: (stack, environment) => guardedPlans(backend.plans(stack, environment), secrets),
});

const guardedPlans = (plans: PlanStore, secrets: Secrets): PlanStore => ({
  ...plans,
  add: async (name, text, log) => {
    secrets.refuse(`${name} ${text} ${log}`, `The saved plan "${secrets.redact(name)}"`);
    return plans.add(name, text, log);
  },
  addReview: async (name, review, log) => {
    secrets.refuse(`${review} ${log}`, `The review of "${name}"`);
    return plans.addReview(name, review, log);
  },
});
