import type { Growth } from '../model/kind.js';
import type { Write } from '../model/plan.js';
import type { Bound, Match } from './bind.js';
import { blocked, common, type Decision } from './decision.js';
import { digest } from './normal-form.js';

/** What is made once grows by a further object; it never shrinks or changes. */
export function grow(bound: Bound, { object }: Match, growth: Growth): Decision | undefined {
  switch (growth.is) {
    case 'enough':
      return undefined;
    case 'refused':
      return blocked(bound, 'made-once', growth.message, digest(object.spec));
    case 'more': {
      const { name, spec, fields } = growth;
      const message = `More is wanted than was reserved; what is missing is reserved as "${name}".`;
      const writes: Write[] = [{ verb: 'create', spec, name }];
      return { ...common(bound, fields, digest(object.spec)), action: 'create', reason: 'grown', message, writes };
    }
  }
  return growth satisfies never;
}
