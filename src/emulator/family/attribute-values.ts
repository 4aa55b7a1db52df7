import { additionalAttribute, nullable } from '../routes/schemas.js';
import { Type } from '../routes/type.js';
import { listAdditionalAttributes } from '../rules/additional-attributes.js';
import { customTarget } from '../rules/import/targets.js';
import { parseValue } from '../rules/import/values.js';
import { parseFlag } from '../rules/search.js';
import { refuse } from '../rules/service-error.js';
import { type Attribute, attributeList, ofCategory, readAttributes, type World } from '../store/item-settings.js';
import type { FieldValues } from '../store/items.js';
import { selectAll } from '../store/select.js';
import type { AnswerContext, FieldFactory, StoredRecord } from './field.js';

interface Holder extends StoredRecord {
  readonly additional: FieldValues;
  readonly category?: string;
}

/** The values of the custom attributes of a world, which are stored in the field `additional`. */
export const additionalAttributes = (world: World): FieldFactory<undefined> => {
  const known = oncePerAnswer(({ workspace }) => readAttributes(workspace.settings, world));
  return (name) => ({
    name,
    answer: Type.Array(additionalAttribute),
    show: (_, viewing, record) => listAdditionalAttributes((record() as Holder).additional, known(viewing), false),
  });
};

/**
 * The values of custom attributes for families whose lists are searched by them, each under its GUID (wire-facts 3).
 * The parameter adds the attributes without a value that the category of a record has.
 */
export const searchableAttributes = (world: World, parameter: string): FieldFactory<undefined> => {
  const known = oncePerAnswer(({ workspace }) => readAttributes(workspace.settings, world));
  const ofCategories = oncePerAnswer((viewing) => byCategory(viewing, world));
  const empty = oncePerAnswer(({ query }) => parseFlag({ [parameter]: query[parameter] }, parameter, false));
  return (name) => ({
    ...additionalAttributes(world)(name),
    viewParameters: [parameter],
    searchedToo: (viewing) => {
      const custom = known(viewing).filter((attribute) => attribute.custom);
      return Object.fromEntries(custom.map(({ guid }) => [guid, `CAST(t.additional ->> '$."${guid}"' AS TEXT)`]));
    },
    show: (_, viewing, record) => {
      const { additional, category = '' } = record() as Holder;
      if (!empty(viewing)) return listAdditionalAttributes(additional, known(viewing), false);
      return listAdditionalAttributes(additional, ofCategories(viewing)(category), true);
    },
  });
};

/** Returns a cached lookup of the attributes that objects of a category have. */
function byCategory({ workspace }: AnswerContext, world: World): (category: string) => readonly Attribute[] {
  const ofWorld = { sql: 'world = ?', values: [world] };
  const known = new Map<string, readonly Attribute[]>();
  return (category) => {
    const found = known.get(category) ?? selectAll(workspace.settings, attributeList, ofWorld, ofCategory(category));
    known.set(category, found);
    return found;
  };
}

/** Reads a value once for all entries of an answer. */
function oncePerAnswer<T>(read: (viewing: AnswerContext) => T): (viewing: AnswerContext) => T {
  const known = new WeakMap<AnswerContext, { readonly value: T }>();
  return (viewing) => {
    const found = known.get(viewing) ?? { value: read(viewing) };
    known.set(viewing, found);
    return found.value;
  };
}

interface GivenAttribute {
  readonly guid: string;
  readonly value?: unknown;
}

/** The schema of the values in bodies. */
export const givenAttributesSchema = Type.Optional(
  nullable(
    Type.Array(Type.Object({ guid: Type.String(), value: Type.Unsafe<unknown>({}) }, { additionalProperties: false })),
  ),
);

/** Lets requests set the values of custom attributes, each by its GUID; null removes a value. */
export const givenAttributes = (field: FieldFactory<undefined>, world: World): FieldFactory => {
  return (name) => ({
    ...(field(name) as ReturnType<FieldFactory>),
    given: {
      schema: givenAttributesSchema,
      parse: (given, { settings }) => {
        const custom = readAttributes(settings, world).filter((attribute) => attribute.custom);
        return ((given ?? []) as readonly GivenAttribute[]).map((one) => parseAttribute(one, custom));
      },
    },
    put: (given, draft) => {
      const values = { ...(draft.additional as object), ...Object.fromEntries(given as [string, unknown][]) };
      draft.additional = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
    },
  });
};

function parseAttribute({ guid, value }: GivenAttribute, custom: readonly Attribute[]): [string, unknown] {
  const attribute = custom.find((one) => one.guid === guid);
  if (attribute === undefined) throw refuse.guid(guid);
  if (value === null || value === undefined) return [guid, null];
  const text = Array.isArray(value) ? value.join(';') : String(value);
  return [guid, parseValue(customTarget(attribute), text, { multiSelectDelimiter: ';' })];
}
