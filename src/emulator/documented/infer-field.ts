import { givenAttributes, searchableAttributes } from '../family/attribute-values.js';
import { categoryField } from '../family/category-field.js';
import { link } from '../family/derived-fields.js';
import type { AnswerContext, FieldFactory, StoredRecord } from '../family/field.js';
import { creationTime, creator, modificationTime, modifier } from '../family/stamp-fields.js';
import type { Shape } from '../interface/shape.js';
import { isCategoryWorld, type World } from '../store/item-settings.js';
import { type GivenKeys, keptValue } from './kept-value.js';
import { linkedCollection, linkedField, linkedFields, type Unknown } from './linked-field.js';

/** The collections that fields refer to; null for a field that refers to none although its name says so. */
export type Links = Readonly<Record<string, string | null>>;

/** What else decides how a field is stored and shown. */
interface Surroundings {
  readonly path: string;
  readonly world: World | undefined;
  readonly links: Links;
  readonly unknown: Readonly<Record<string, Unknown>>;
  /** The documented searches of the list. */
  readonly searched: readonly string[];
}

/** Builds a field from its documented name and form: a time, a person, a reference, or a plain value. */
export function inferField(
  name: string,
  shape: Shape,
  given: GivenKeys | undefined,
  { path, world, links, unknown, searched }: Surroundings,
): FieldFactory {
  const linked = links[name] === undefined ? linkedCollection(name) : links[name];
  if (linked && shape.keys !== undefined) return linkedField(linked, shape, given, searched, unknown[name]);
  if (linked && shape.items !== undefined) return linkedFields(linked, shape, given);
  if (name === 'category' && world !== undefined && isCategoryWorld(world)) return categoryField(world);
  switch (name) {
    case 'url':
      return link(path);
    case 'creator':
      return creator();
    case 'creationDateTime':
      return creationTime();
    case 'lastModifiedDateTime':
    case 'modifyDateTime':
      return modificationTime();
    case 'modifyUser':
      return modifier();
    case 'additionalAttributes':
      return world === undefined
        ? keptValue(shape, given)
        : givenAttributes(searchableAttributes(world, 'includeEmptyAdditionalAttributes'), world);
    default:
      return keptValue(shape, given);
  }
}

/** Turns a stored value of a record into what answers show. */
export type Show = (value: unknown, record: StoredRecord, viewing: AnswerContext, shape?: Shape) => unknown;

/** Shows a field as the function says, if there is one. */
export function shownBy(field: FieldFactory, show: Show | undefined): FieldFactory {
  if (show === undefined) return field;
  return (name) => {
    const own = field(name);
    return {
      ...own,
      show: (row, viewing, record, shape) => show(own.show?.(row, viewing, record, shape), record(), viewing, shape),
    };
  };
}
