import { type Address, addressOf } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import { type Finder, finderOf } from './finder.js';
import { type Facts, type Found, type Live, type Match, objectsOf } from './live.js';
import { isRetired } from './retired-name.js';

/** Each manifest's live object: by name, by former name, and by identity where others renamed it or took its name. */
export function findLive(
  manifests: readonly Manifest[],
  observation: Observation,
  facts: Facts,
  /** By any manifest, also by one that is not among these. */
  described: ReadonlySet<Address>,
): readonly Found[] {
  const finder = finderOf(observation, facts);
  const found = manifests.map((manifest) => byName(manifest, finder));
  const claimed = new Set(found.flatMap(({ live }) => objectsOf(live).map(({ identity }) => identity)));
  const planned = new Set(manifests.map(({ address }) => address));
  return found.map((one, index): Found => {
    const { kind, address, metadata } = manifests[index] as Manifest;
    const formerly = one.knownAs === undefined || described.has(one.knownAs) ? {} : { formerly: one.knownAs };
    const fact = facts.get(address);
    const object = finder.known(kind, fact?.identity);
    if (object === undefined || fact === undefined || isAmong(object, objectsOf(one.live)))
      return { ...one, ...formerly };
    const present = addressOf(kind, object.name);
    const isMeant = claimed.has(object.identity) || (described.has(present) && !planned.has(present));
    if (one.live.match !== 'none' || isMeant || isRetired(object.name, metadata.name))
      return { ...one, ...formerly, elsewhere: { object, fact } };
    claimed.add(object.identity);
    return { ...one, live: { match: 'moved', object, raw: object, among: finder.all(kind) } };
  });
}

const isAmong = ({ identity }: Observed, objects: readonly Observed[]): boolean =>
  objects.some((object) => object.identity === identity);

function byName({ kind, metadata }: Manifest, { under, known }: Finder): Found {
  const present = under(kind, metadata.name);
  if (metadata.renamedFrom === undefined) return present;
  const former = under(kind, metadata.renamedFrom);
  if (former.live.match === 'none') return present;
  const formerAddress = addressOf(kind, metadata.renamedFrom);
  if (present.live.match !== 'none') return besides(present, former.live, formerAddress);
  // A rename that was done before is over, whatever others called the object since.
  if (known(kind, present.fact?.identity) !== undefined) return present;
  return former.live.match === 'name' ? renamed({ ...former, live: former.live }, formerAddress) : former;
}

function renamed({ live, ...known }: Found & { readonly live: Match }, formerAddress: Address): Found {
  return {
    ...(isAbout(known.fact, live) ? { knownAs: formerAddress } : {}),
    ...known,
    live: { ...live, match: 'renamed' },
  };
}

/** Of a creation that was never answered it is about whatever has the name. */
const isAbout = (fact: ObjectFact | undefined, { raw }: Match): boolean =>
  fact !== undefined && (fact.identity ?? raw.identity) === raw.identity;

/** A rename that was done before is over, whoever uses the former name now, and whether or not the ledger came to know. */
function besides(present: Found, former: Live, formerAddress: Address): Found {
  const { live, fact, knownAs = formerAddress } = present;
  if (live.match !== 'name' || former.match !== 'name') return present;
  if (isAbout(fact, live) && knownAs === formerAddress) return present;
  return { ...present, live: { match: 'both', object: live.object, former: former.object } };
}
