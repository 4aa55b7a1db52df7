import { object, ref, set } from '../model/fields.js';
import type { Json, JsonObject } from '../model/json.js';
import { deadReference, type Growth } from '../model/kind.js';
import type { Observed } from '../model/observation.js';
import { type Static, Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

const schema = object(
  {
    category: ref('Category', { description: 'The category whose numbering format gives the numbers.' }),
    quantity: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many numbers; the service picks them.' }),
    ),
    itemNumbers: Type.Optional(set(Type.String({ minLength: 1 }), { description: 'These very numbers.' })),
  },
  { oneOf: [{ required: ['quantity'] }, { required: ['itemNumbers'] }] },
);

type ReservationSpec = Static<typeof schema>;

/** A further reservation of the same name carries a number: the service takes a name once. */
const FURTHER = /^(.*\S) #([2-9]|[1-9]\d+)$/s;

/** The live reservations that one of a manifest stands for. */
export const isPartOf = (name: string, of: string): boolean => name === of || FURTHER.exec(name)?.[1] === of;

const RELEASE = '`dexsync reservations release` gives back a whole reservation.';

/** The reservations `N`, `N #2`, `N #3` are one of a manifest; `N #2` without an `N` is one of its own. */
function gather(live: readonly Observed[]): Observed[] {
  const names = new Set(live.map(({ name }) => name));
  const baseOf = (name: string): string => {
    const base = FURTHER.exec(name)?.[1];
    return base !== undefined && names.has(base) ? base : name;
  };
  return [...grouped(live, baseOf)].map(([name, objects]) => {
    const numbers = objects.flatMap(({ spec }) => numbersOf(spec.itemNumbers));
    const [first] = objects.filter((object) => object.name === name);
    const spec = { ...first?.spec, quantity: numbers.length, itemNumbers: numbers };
    return { name, spec, parts: objects.length };
  });
}

function grouped(live: readonly Observed[], by: (name: string) => string): Map<string, Observed[]> {
  const groups = new Map<string, Observed[]>();
  for (const object of live) groups.set(by(object.name), [...(groups.get(by(object.name)) ?? []), object]);
  return groups;
}

const numbersOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Numbers get consumed: what is reserved stays, and a larger wish is a further reservation (design, section 5). */
function grow(desired: JsonObject, { name, spec, parts = 1 }: Observed): Growth {
  const wanted = desired as unknown as ReservationSpec;
  if (wanted.category !== spec.category) {
    const message = `Its numbers were reserved for the category "${String(spec.category)}" and cannot move to "${wanted.category}". ${RELEASE}`;
    return { is: 'refused', message };
  }
  const more = wanted.itemNumbers === undefined ? furtherQuantity(wanted, spec) : furtherNumbers(wanted, spec);
  if (more === undefined || typeof more === 'string') {
    return more === undefined ? { is: 'enough' } : { is: 'refused', message: `${more} ${RELEASE}` };
  }
  return { is: 'more', name: `${name} #${parts + 1}`, ...more };
}

type More = Pick<Extract<Growth, { is: 'more' }>, 'spec' | 'fields'> | string | undefined;

function furtherQuantity({ category, quantity = 0 }: ReservationSpec, { quantity: has }: JsonObject): More {
  const missing = quantity - Number(has);
  if (missing < 0)
    return `${has} numbers are reserved and the manifest asks for ${quantity}; numbers are not handed back one by one.`;
  if (missing === 0) return undefined;
  return {
    spec: { category, quantity: missing },
    fields: [{ path: 'quantity', before: Number(has), after: quantity }],
  };
}

function furtherNumbers({ category, itemNumbers = [] }: ReservationSpec, spec: JsonObject): More {
  const has = numbersOf(spec.itemNumbers);
  const extra = has.filter((number) => !itemNumbers.includes(number));
  if (extra.length > 0)
    return `${extra.join(', ')} ${extra.length === 1 ? 'is' : 'are'} reserved and not in the manifest; numbers are not handed back one by one.`;
  const missing = itemNumbers.filter((number) => !has.includes(number));
  if (missing.length === 0) return undefined;
  const fields = missing.map((number) => ({ path: `itemNumbers[${number}]`, after: number }));
  return { spec: { category, itemNumbers: missing }, fields };
}

/** A reservation of item numbers (wire-facts, sections 0 and 7; interface 2.4, since 2025-03-14). */
export const numberReservation = defineKind({
  name: 'NumberReservation',
  summary: 'Item numbers that nobody else gets. Made once; a larger quantity reserves further ones.',
  collection: 'numberReservations',
  since: '2025-03',
  schema,
  gather,
  grow,
  toWire({ category, ...spec }: ReservationSpec, context) {
    return { ...spec, category: { guid: context.guidOf('Category', category) } };
  },
  fromWire({ category, itemNumbers }: JsonObject, context) {
    const guid = String((category as JsonObject | null | undefined)?.guid ?? '');
    const numbers = numbersOf(itemNumbers);
    return {
      category: context.nameOf('Category', guid) ?? deadReference('Category'),
      quantity: numbers.length,
      itemNumbers: numbers,
    };
  },
});
