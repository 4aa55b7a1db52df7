import { type Address, splitAddress } from '../model/address.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observation } from '../model/observation.js';
import { type Facts, liveIndex } from './find-live.js';

/**
 * What the ledger says once it is seen how far a replacement came that nothing was recorded of any more: while the old object
 * has the name, or nothing has it, the old one is still ours.
 */
export function settleFormer(facts: Facts, observation: Pick<Observation, 'objects'>): Facts {
  const open = [...facts].filter(([, { former }]) => former !== undefined);
  if (open.length === 0) return facts;
  const index = liveIndex(observation);
  const settled = open.flatMap(([address, { former }]): [Address, ObjectFact][] => {
    const { kind, name } = splitAddress(address);
    const old = index.withIdentity(kind, former?.identity);
    const named = index.named(kind, name);
    const isOld = old !== undefined && (named.length === 0 || named.includes(old));
    return isOld && former !== undefined ? [[address, former]] : [];
  });
  return new Map([...facts, ...settled]);
}
