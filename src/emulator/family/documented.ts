import { type Endpoint, endpointAt } from '../interface/endpoints.js';
import type { Shape } from '../interface/shape.js';
import type { Comparison, Searchable } from '../rules/search.js';
import type { World } from '../store/item-settings.js';
import { givenAttributes, searchableAttributes } from './attribute-values.js';
import { type Description, type Family, family, type Verb } from './family.js';
import type { FieldFactory, Fields, RecordOf, WriteRequest } from './field.js';
import { type GivenKeys, keptValue } from './kept-value.js';
import { link } from './derived-fields.js';
import { creationTime, creator, modificationTime, modifier } from './stamp-fields.js';
import { ownerField } from './owner-field.js';
import { partsField } from './parts-field.js';
import { fieldValues, ruledValues } from './value-fields.js';

/** What the description of the interface says about a family. */
type Described = 'path' | 'fields' | 'search' | 'endpoints' | 'paged';

/** A record of a documented family; `owner` is the GUID of what it belongs to, if it belongs to anything. */
type Kept<F extends Fields> = RecordOf<F & typeof COLUMNS> & { readonly owner: string };

/** What the description of the interface cannot say about a collection. */
type Meaning<F extends Fields> = Omit<Description<F>, Described | 'check' | 'after'> & {
  check?(record: Kept<F>, writing: WriteRequest): Kept<F>;
  after?(record: Kept<F>, writing: WriteRequest): void;
  /** The fields with rules of their own, by name, and those that no answer shows. */
  readonly fields?: F;
  /** The world of its custom attributes. */
  readonly world?: World;
  /** The fields that show the entries of another family that belong to a record, and whose bodies replace those. */
  readonly parts?: Readonly<Record<string, () => Family>>;
  /** Fields that an update may remove (wire-facts 8). */
  readonly clearable: readonly string[];
};

/** The columns of all documented families: plain values by name. */
const COLUMNS = { fields: ruledValues() };

/**
 * Builds a family from the published description of a path, such as `/suppliers`: its operations, searches, answers and
 * bodies. A field that `meaning` does not define is stored and shown as it is given, unless its name says what it is.
 */
export function documented<F extends Fields>(
  path: string,
  { fields: own = {} as F, world, parts = {}, ...meaning }: Meaning<F>,
): Family<RecordOf<F & typeof COLUMNS>> {
  const endpoints = endpointsOf(path);
  const { list, get, create, update } = endpoints;
  const shapes = [get?.answer, list?.answer?.keys?.get('results')?.shape.items, create?.answer, update?.answer];
  const keys = new Map(shapes.flatMap((shape) => [...(shape?.keys ?? [])]).reverse());
  const inferred = [...keys].map(([name, { shape }]): [string, FieldFactory] => {
    const given = givenIn(create ?? update, name);
    const of = parts[name];
    if (of !== undefined) return [name, partsField(of, given)];
    return [name, own[name] ?? inferField(name, shape, { path, world, given })];
  });
  const { guid: _, ...shown } = Object.fromEntries(inferred);
  const fields = {
    ...(meaning.owner === undefined ? {} : { owner: ownerField(meaning.owner) }),
    ...shown,
    ...own,
    ...COLUMNS,
    ...(world === undefined ? {} : { additional: fieldValues() }),
  } as unknown as F & typeof COLUMNS;
  const search = searchOf(list, world !== undefined);
  return family({
    ...(meaning as Omit<Description<F & typeof COLUMNS>, Described>),
    path: path.replace(/\{guid\}/, ':guid').replace(/\{guid\}/, ':member'),
    ...(list?.paged ? { paged: true as const } : {}),
    ...{ endpoints, fields, search },
  });
}

function endpointsOf(path: string): Readonly<Partial<Record<Verb, Endpoint>>> {
  const found: Readonly<Record<Verb, Endpoint | undefined>> = {
    list: endpointAt('GET', path),
    get: endpointAt('GET', `${path}/{guid}`),
    create: endpointAt('POST', path),
    update: endpointAt('PUT', `${path}/{guid}`),
    delete: endpointAt('DELETE', `${path}/{guid}`),
  };
  return Object.fromEntries(Object.entries(found).filter(([, endpoint]) => endpoint !== undefined));
}

/** The keys of a body that give a field, and their form in samples; undefined if no body has it. */
function givenIn(endpoint: Endpoint | undefined, name: string): GivenKeys | undefined {
  const keys = endpoint?.body.filter(({ path }) => path.split(/[.[]/, 1)[0] === name) ?? [];
  return keys.length === 0 ? undefined : { keys, shape: endpoint?.request?.keys?.get(name)?.shape };
}

interface Surroundings {
  readonly path: string;
  readonly world: World | undefined;
  readonly given: GivenKeys | undefined;
}

function inferField(name: string, shape: Shape, { path, world, given }: Surroundings): FieldFactory {
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

/** The documented searches of a list, each with the comparison that follows from the value's type. */
function searchOf(list: Endpoint | undefined, hasAttributes: boolean): Searchable {
  const entry = list?.answer?.keys?.get('results')?.shape.items;
  const names = list?.parameters.filter((name) => !(hasAttributes && name === '{attributeGuid}')) ?? [];
  return Object.fromEntries(names.map((name) => [name, comparisonOf(name, entry)]));
}

function comparisonOf(name: string, entry: Shape | undefined): Comparison {
  if (name.endsWith('From')) return 'dateTimeFrom';
  if (name.endsWith('To')) return 'dateTimeTo';
  const shape = name.split('.').reduce<Shape | undefined>((inner, key) => inner?.keys?.get(key)?.shape, entry);
  if (shape?.types.includes('boolean')) return 'flag';
  if (shape?.types.includes('number')) return 'number';
  return shape?.values === undefined ? 'text' : 'choice';
}
