import type { Growth } from '../model/kind.js';
import type { Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import { blocked, common, type Decision, factOf } from './decision.js';

/** What is made once grows by a further object; it never shrinks or changes. */
export function grow(bound: Bound, growth: Growth, schema: object, stack: string): Decision | undefined {
  switch (growth.is) {
    case 'enough':
      return undefined;
    case 'refused':
      return blocked(bound, schema, { reason: 'made-once', message: growth.message });
    case 'more': {
      const { name, spec, fields } = growth;
      const message = `More is wanted than was reserved; what is missing is reserved as "${name}".`;
      const writes: Write[] = [{ verb: 'create', spec, name }];
      const fact = factOf(bound, bound.fact?.how ?? 'created', stack);
      return { ...common(bound, schema, fields), action: 'create', reason: 'grown', message, writes, fact };
    }
  }
  return growth satisfies never;
}
