import { type Address, splitAddress } from '../model/address.js';
import { type JsonObject, sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Note } from '../model/plan.js';
import type { Decision } from './decision.js';
import type { Facts } from './find-live.js';
import { normalForm } from './normal-form.js';

/** What a plan creates, and what no manifest describes. */
export interface SuggestionInput {
  /** Decisions about the objects that manifests describe. */
  readonly changes: readonly Decision[];
  /** Addresses of this stack that are no longer in any manifest. */
  readonly left: readonly Address[];
  readonly facts: Facts;
  readonly kindNamed: (name: string) => Kind;
}

/** Suggests a rename for a new object that resembles one that is no longer in any manifest. */
export function suggestRenames({ changes, left, facts, kindNamed }: SuggestionInput): Note[] {
  const creations = changes.filter(({ action }) => action === 'create');
  return creations.flatMap((decision): Note[] => {
    const { kind, name } = splitAddress(decision.address);
    const wanted = (decision.fact as ObjectFact).applied;
    const alike = left.filter(
      (address) =>
        splitAddress(address).kind === kind &&
        isLike(kindNamed(kind), wanted, (facts.get(address) as ObjectFact).applied),
    );
    const [former] = alike;
    if (former === undefined || alike.length > 1) return [];
    const before = splitAddress(former).name;
    const message = `${decision.address} is created, and ${former}, which is no longer in any manifest, is similar. If it was renamed, add \`renamedFrom: ${before}\` to the metadata of "${name}".`;
    return [{ code: 'looks-renamed', message, addresses: [decision.address, former] }];
  });
}

/** Whether at least three of four named fields are equal. */
function isLike({ schema }: Kind, a: JsonObject, b: JsonObject): boolean {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const same = (field: string): boolean => sameJson(normalField(schema, a, field), normalField(schema, b, field));
  const equal = fields.filter(same).length;
  return equal > 0 && equal * 4 >= fields.length * 3;
}

const normalField = (schema: Kind['schema'], spec: JsonObject, field: string) =>
  normalForm(schema.properties[field], spec[field] ?? null);
