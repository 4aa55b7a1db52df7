import type { JsonObject } from '../model/json.js';
import type { Capability } from '../model/observation.js';
import type { FieldChange } from '../model/plan.js';
import type { Bound } from './bind.js';
import { common, type Decision, factOf } from './decision.js';
import { diffSpec, topOf, withCauses } from './diff.js';
import type { Match } from './find-live.js';
import { replace } from './replace.js';
import { type Changing, canUpdate, named, protectionOnly, updateWrites } from './update.js';

/** How a live object becomes what its manifest says; undefined where it is. */
export function change(bound: Bound, live: Match, changing: Changing): Decision | undefined {
  const { kind, can, deciding } = changing;
  const protection = protectionChange(bound, changing);
  const inSpec = fieldsOf(bound, live, changing);
  const anew = deciding.replace.has(bound.manifest.address);
  const fixed = inSpec.filter(({ path }) => !canUpdate(can).includes(topOf(path)));
  if (anew || fixed.length > 0) return replace(bound, live, { ...changing, fixed, inSpec, protection });
  const fields = [...inSpec, ...protection];
  if (fields.length === 0) return undefined;
  const base = { ...common(bound, kind.schema, fields), fact: factOf(bound, howOf(changing), deciding.stack) };
  if (inSpec.length === 0) return protectionOnly(base, bound);
  return { ...base, ...named(live, inSpec), writes: updateWrites(bound, live.object.spec, inSpec, changing) };
}

const howOf = ({ standing }: Changing): 'created' | 'adopted' =>
  standing.is === 'own' ? standing.fact.how : 'adopted';

function fieldsOf({ manifest, desired }: Bound, live: Match, { kind, can, standing }: Changing): FieldChange[] {
  const observed = live.object.spec;
  const wanted = told(desired, can);
  const differing = diffSpec(kind.schema, wanted, observed);
  const caused =
    standing.is === 'own' && differing.length > 0
      ? withCauses(kind.schema, differing, { desired: wanted, applied: told(standing.fact.applied, can), observed })
      : differing;
  if (live.match === 'name') return caused;
  const cause = live.match === 'moved' ? ({ cause: 'drift' } as const) : {};
  return [{ path: 'name', before: live.object.name, after: manifest.metadata.name, ...cause }, ...caused];
}

/** What the service keeps to itself is left out of the comparison: it would differ for ever. */
const told = (spec: JsonObject, { hidden = [] }: Capability): JsonObject =>
  hidden.length === 0 ? spec : Object.fromEntries(Object.entries(spec).filter(([field]) => !hidden.includes(field)));

/** Protection stands in the ledger too, and goes on until an apply ends it. */
function protectionChange({ manifest }: Bound, { standing }: Changing): FieldChange[] {
  const after = manifest.metadata.protect ?? false;
  const before = standing.is === 'own' ? standing.fact.protect : after;
  return before === after ? [] : [{ path: 'metadata.protect', before, after, cause: 'asked' }];
}
