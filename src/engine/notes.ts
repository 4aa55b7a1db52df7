import { type Address, splitAddress } from '../model/address.js';
import { type JsonObject, sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Note } from '../model/plan.js';
import type { Decision } from './decision.js';
import type { Facts } from './find-live.js';
import { normalForm } from './normal-form.js';

/** Objects of this stack that no manifest describes, where nothing was asked to happen to them. */
export function leftOverNote(addresses: readonly Address[]): Note[] {
  if (addresses.length === 0) return [];
  const what = addresses.length === 1 ? 'object of this stack is' : 'objects of this stack are';
  const message =
    `${addresses.length} ${what} in no manifest any more: ${listed(addresses)}. ` +
    '`--prune` plans their removal, `dexsync forget` gives them up.';
  return [{ code: 'left-over', message, addresses }];
}

/** Live objects that are as the manifests say, and that this stack would have to take over to own them. */
export function notOwnedNote(addresses: readonly Address[]): Note[] {
  if (addresses.length === 0) return [];
  const what = addresses.length === 1 ? 'object is' : 'objects are';
  const message =
    `${addresses.length} ${what} as the manifests say, but not made by this stack: ${listed(addresses)}. ` +
    '`--adopt` takes them over, so that drift is told and --prune can remove them.';
  return [{ code: 'not-owned', message, addresses }];
}

/** Objects that this stack did not make, and that nobody has agreed to take over yet. */
export function consentNote(addresses: readonly Address[]): Note[] {
  if (addresses.length === 0) return [];
  const what =
    addresses.length === 1 ? 'object that this stack did not make is' : 'objects that this stack did not make are';
  const message =
    `${addresses.length} ${what} to be taken over: ${listed(addresses)}. ` +
    'Whoever applies this plan at a terminal is asked; `--adopt` agrees to it when the plan is made.';
  return [{ code: 'consent-needed', message, addresses }];
}

/** A new object that is like one which no manifest describes any more was probably renamed. */
export function renameNotes(
  decisions: readonly Decision[],
  leftOver: readonly Address[],
  facts: Facts,
  kindNamed: (name: string) => Kind,
): Note[] {
  const created = decisions.filter(({ action }) => action === 'create');
  return created.flatMap((decision): Note[] => {
    const { kind, name } = splitAddress(decision.address);
    const wanted = (decision.fact as ObjectFact).applied;
    const alike = leftOver.filter(
      (address) =>
        splitAddress(address).kind === kind &&
        isLike(kindNamed(kind), wanted, (facts.get(address) as ObjectFact).applied),
    );
    const [former] = alike;
    if (former === undefined || alike.length > 1) return [];
    const before = splitAddress(former).name;
    const message =
      `${decision.address} is created, and ${former}, which no manifest describes any more, is like it. ` +
      `If it was renamed, write "renamedFrom: ${before}" into the metadata of "${name}".`;
    return [{ code: 'looks-renamed', message, addresses: [decision.address, former] }];
  });
}

/** Three of four named fields are equal. */
function isLike({ schema }: Kind, a: JsonObject, b: JsonObject): boolean {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const same = (field: string): boolean => sameJson(normal(schema, a, field), normal(schema, b, field));
  const equal = fields.filter(same).length;
  return equal > 0 && equal * 4 >= fields.length * 3;
}

const normal = (schema: Kind['schema'], spec: JsonObject, field: string) =>
  normalForm(schema.properties[field], spec[field] ?? null);

const SHOWN = 5;

/** The first few of many, as messages list them. */
function listed(addresses: readonly Address[]): string {
  const more = addresses.length - SHOWN;
  const first = addresses.slice(0, SHOWN).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
