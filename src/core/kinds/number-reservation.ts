import { omitUndefined } from '#base/omit-undefined.js';
import { object, ref, set } from '../model/fields.js';
import { type JsonObject, textsIn, textsOnlyIn, withoutNulls } from '../model/json.js';
import { deadReference, type Growth } from '../model/kind.js';
import type { Observed } from '../model/observation.js';
import { type Static, Type } from '../model/schema.js';
import { WORLDS } from '../model/worlds.js';
import { defineKind } from './define-kind.js';

const schema = object(
  {
    category: ref('Category', {
      partitionBy: 'resource',
      partitions: WORLDS,
      description: 'The category whose numbering format provides the numbers.',
    }),
    quantity: Type.Optional(
      Type.Integer({ minimum: 1, description: 'How many numbers to reserve; the service picks them.' }),
    ),
    itemNumbers: Type.Optional(set(Type.String({ minLength: 1 }), { description: 'The exact numbers to reserve.' })),
  },
  { oneOf: [{ required: ['quantity'] }, { required: ['itemNumbers'] }] },
);

const ITEMS = 'ITEMS';

type ReservationSpec = Static<typeof schema>;

/** A further reservation of the same name gets a numbered suffix, since the service accepts a name only once. */
const FURTHER = /^(.*\S) #([2-9]|[1-9]\d+)$/s;

const baseOf = (name: string): string | undefined => FURTHER.exec(name)?.[1];

/** Whether the live reservation `name` belongs to the manifest's reservation `of`. */
export const isPartOf = (name: string, of: string): boolean => name === of || baseOf(name) === of;

const RELEASE = '`dexsync reservations release` releases a whole reservation.';

/** Merges `N`, `N #2` and `N #3` into one; an `N #2` that a manifest describes, or without an `N`, stays separate. */
function gather(live: readonly Observed[], alone: (name: string) => boolean): Observed[] {
  const names = new Set(live.map(({ name }) => name));
  const groups = new Map<string, Observed[]>();
  for (const object of live) {
    const base = baseOf(object.name);
    const owner = base !== undefined && names.has(base) && !alone(object.name) ? base : object.name;
    groups.set(owner, [...(groups.get(owner) ?? []), object]);
  }
  return [...groups].map(([name, objects]) => {
    const [first = objects[0] as Observed] = objects.filter((object) => object.name === name);
    const itemNumbers = objects.flatMap(({ spec }) => textsIn(spec.itemNumbers));
    // A fact that is unknown about a part is unknown about the whole.
    const odd = objects.find((object) => object.odd !== undefined)?.odd;
    return {
      ...first,
      name,
      spec: { ...first.spec, itemNumbers },
      ...omitUndefined({ odd }),
      further: furtherName(name, (taken) => names.has(taken) || alone(taken)),
    };
  });
}

function furtherName(name: string, isTaken: (name: string) => boolean): string {
  for (let count = 2; ; count += 1) {
    const further = `${name} #${count}`;
    if (!isTaken(further)) return further;
  }
}

/** Numbers get consumed, so reservations stay, and a larger quantity is a further reservation (design, section 5). */
function grow(desired: JsonObject, { name, spec, further = `${name} #2` }: Observed): Growth {
  const wanted = withoutNulls(desired) as unknown as ReservationSpec;
  if (wanted.category !== spec.category) {
    const message = `Its numbers were reserved for the category "${String(spec.category)}" and cannot move to "${wanted.category}". ${RELEASE}`;
    return { is: 'refused', message };
  }
  const more = wanted.itemNumbers === undefined ? furtherQuantity(wanted, spec) : furtherNumbers(wanted, spec);
  if (more === undefined || typeof more === 'string') {
    return more === undefined ? { is: 'enough' } : { is: 'refused', message: `${more} ${RELEASE}` };
  }
  return { is: 'more', name: further, ...more };
}

type More = Pick<Extract<Growth, { is: 'more' }>, 'spec' | 'fields'> | string | undefined;

function furtherQuantity({ category, quantity = 0 }: ReservationSpec, { itemNumbers }: JsonObject): More {
  const has = textsIn(itemNumbers).length;
  const missing = quantity - has;
  if (missing < 0) {
    return `${has} numbers are reserved, but the manifest has a quantity of ${quantity}; single numbers cannot be released.`;
  }
  if (missing === 0) return undefined;
  return { spec: { category, quantity: missing }, fields: [{ path: 'quantity', before: has, after: quantity }] };
}

function furtherNumbers({ category, itemNumbers = [] }: ReservationSpec, spec: JsonObject): More {
  const has = textsIn(spec.itemNumbers);
  const extra = has.filter((number) => !itemNumbers.includes(number));
  if (extra.length > 0)
    return `${extra.join(', ')} ${extra.length === 1 ? 'is' : 'are'} reserved but not in the manifest; single numbers cannot be released.`;
  const missing = itemNumbers.filter((number) => !has.includes(number));
  if (missing.length === 0) return undefined;
  const fields = missing.map((number) => ({ path: `itemNumbers[${number}]`, after: number }));
  return { spec: { category, itemNumbers: missing }, fields };
}

/** A reservation of item numbers (wire-facts, sections 0 and 7; interface 2.4, since 2025-03-14). */
export const numberReservation = defineKind({
  name: 'NumberReservation',
  shortNames: ['reservation'],
  summary: 'Reserved item numbers. Created once; a larger quantity reserves further numbers.',
  collection: 'numberReservations',
  since: '2025-03',
  schema,
  gather,
  grow,
  otherwise: ({ itemNumbers }) => ({ quantity: textsIn(itemNumbers).length }),
  toWire({ category, ...spec }: ReservationSpec, context) {
    return { ...spec, category: { guid: context.guidOf('Category', category, ITEMS) } };
  },
  fromWire({ category, itemNumbers }: JsonObject, context) {
    const guid = String((category as JsonObject | null | undefined)?.guid ?? '');
    return {
      category: context.nameOf('Category', guid, ITEMS) ?? deadReference('Category'),
      itemNumbers: textsOnlyIn(itemNumbers),
    };
  },
});
