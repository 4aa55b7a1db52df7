import type { PlacedItem } from '../../store/item-pages.js';
import type { Attribute } from '../../store/item-settings.js';
import type { BomLineRecord, FieldValue, ItemRecord } from '../../store/items.js';
import type { EventState } from '../../store/outbound-events.js';
import type { Names } from '../criteria/item-fields.js';
import { BOM_ATTRIBUTE } from './trigger-fields.js';

const PLAIN = ['number', 'name', 'description'] as const;
const REFERENCES = [
  ['category', 'category'],
  ['lifecyclePhase', 'phase'],
  ['owner', 'owner'],
] as const;

/** Finds the attributes that an edit changed: those of the item and of its `fields` by name, custom ones by GUID. */
export function changedAttributes(before: ItemRecord, after: ItemRecord): Set<string> {
  const direct = [
    ...PLAIN.filter((name) => before[name] !== after[name]),
    ...REFERENCES.filter(([, column]) => before[column] !== after[column]).map(([name]) => name),
  ];
  return new Set([
    ...direct,
    ...changedKeys(before.fields, after.fields),
    ...changedKeys(before.additional, after.additional),
  ]);
}

type Values = Readonly<Record<string, FieldValue>>;

function changedKeys(before: Values, after: Values): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** Returns some attributes of an item in the form in which the item itself shows them (wire-facts 3, "Item object"). */
export function itemState(item: PlacedItem, attributes: ReadonlySet<string>, names: Names): EventState {
  const state: Record<string, unknown> = {};
  const custom = names.attributes.filter(({ guid }) => attributes.has(guid));
  const known = new Set([...custom.map(({ guid }) => guid), BOM_ATTRIBUTE]);
  for (const name of attributes) {
    if (!known.has(name)) state[name] = shownValue(item, name, names);
  }
  if (custom.length > 0) {
    state.additionalAttributes = custom.map(({ guid, apiName, name, fieldType }) => {
      return { guid, apiName, name, fieldType, value: item.additional[guid] ?? null };
    });
  }
  return state;
}

function shownValue(item: PlacedItem, name: string, { categories, phases, users }: Names): unknown {
  switch (name) {
    case 'number':
    case 'name':
    case 'description':
      return item[name];
    case 'category':
      return { guid: item.category, name: categories.get(item.category)?.name ?? null };
    case 'lifecyclePhase':
      return { guid: item.phase, name: phases.get(item.phase)?.name ?? null };
    case 'owner':
      return { fullName: users.get(item.owner)?.fullName ?? null };
    default:
      return item.fields[name] ?? null;
  }
}

/** Returns BOM lines as events show them, with the values of their custom attributes. */
export function bomState(lines: readonly BomLineRecord[], custom: readonly Attribute[]): EventState {
  const shown = lines.map(({ child, lineNumber, quantity, refDes, notes, additional }) => {
    const additionalAttributes = custom
      .filter(({ guid }) => additional[guid] !== undefined)
      .map(({ guid, apiName, name, fieldType }) => ({ guid, apiName, name, fieldType, value: additional[guid] }));
    return { item: { guid: child }, lineNumber, quantity, refDes, notes, additionalAttributes };
  });
  return { [BOM_ATTRIBUTE]: shown };
}
