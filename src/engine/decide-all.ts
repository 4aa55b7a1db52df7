import { type Address, splitAddress } from '../model/address.js';
import type { Kind } from '../model/kind.js';
import type { Capability, Observation, Observed } from '../model/observation.js';
import { afterRenames, type Bound } from './bind.js';
import { decide } from './decide.js';
import type { Deciding, Decision } from './decision.js';

export interface DecidingAll {
  readonly bound: readonly Bound[];
  readonly deciding: Deciding;
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
  readonly observation: Observation;
}

/** What has to happen to each object; undefined where nothing has to. */
export function decideAll({ bound, ...all }: DecidingAll): (Decision | undefined)[] {
  const decisions = bound.map((one) => withRetired(decideOne(one, all), all.observation));
  const retired = retiredNames(decisions);
  if (retired.size === 0) return decisions;
  // What refers to a replaced object refers to the retired one, until it is told of the new one.
  return bound.map((one, index) => {
    if (decisions[index]?.action === 'replace') return decisions[index];
    const { schema } = all.kindNamed(one.manifest.kind);
    return decideOne({ ...one, live: afterRenames(one.live, schema, retired) }, all);
  });
}

function decideOne(
  one: Bound,
  { deciding, kindNamed, capabilityOf }: Omit<DecidingAll, 'bound'>,
): Decision | undefined {
  const kind = kindNamed(one.manifest.kind);
  return decide(one, kind, capabilityOf(kind), deciding);
}

/** How many the replacements before this one left behind: the service keeps them for ever. */
function withRetired(decision: Decision | undefined, { objects }: Observation): Decision | undefined {
  if (decision?.action !== 'replace') return decision;
  const { kind, name } = splitAddress(decision.address);
  const start = `${name} ~retired #`;
  const count = (objects.get(kind) as readonly Observed[]).filter((object) => object.name.startsWith(start)).length;
  return count === 0 ? decision : { ...decision, message: `${decision.message} (${count} retired before.)` };
}

/** By the names that references have by now: those of manifests, also where the object has another one still. */
function retiredNames(decisions: readonly (Decision | undefined)[]): ReadonlyMap<Address, string> {
  const names = decisions.flatMap((decision): [Address, string][] => {
    const retire = decision?.writes.find((write) => write.verb === 'retire');
    return decision === undefined || retire === undefined ? [] : [[decision.address, retire.to]];
  });
  return new Map(names);
}
