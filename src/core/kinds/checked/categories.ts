import { UNCATEGORIZED } from '../../lookups/category.js';
import { object, ref, serverDefault } from '../../model/fields.js';
import { isObject, type JsonObject, pickValues } from '../../model/json.js';
import { deadReference, type Kind } from '../../model/kind.js';
import { Type } from '../../model/schema.js';
import { checkKind } from './check-kind.js';

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const common = {
  description: Type.Optional(Type.String({ description: 'Free text.', ...serverDefault('') })),
  activated: flag('Whether it is activated.'),
  assignable: flag('Whether objects can have it.'),
};

const structural = flag('Whether it only groups other categories.');
const numberPrefix = text('The prefix of the numbers of new objects.');

/** Categories are known by their paths: several may have one name. Nobody configures the one for objects without any. */
const entry = (body: JsonObject): JsonObject | undefined =>
  body.name === UNCATEGORIZED ? undefined : { ...body, name: body.path ?? body.name ?? null };

const itemCategory = checkKind({
  name: 'ItemCategory',
  summary: 'A category of items by its path, as the workspace must have it.',
  collection: 'categories',
  schema: object({
    ...{ ...common, structural },
    numberFormat: Type.Optional(ref('NumberFormat', { description: 'The numbering format of new items.' })),
  }),
  entry,
  fromWire(body, context) {
    const { numberFormat } = body;
    const own = pickValues(body, [...Object.keys(common), 'structural']);
    if (!isObject(numberFormat)) return own;
    return {
      ...own,
      numberFormat: context.nameOf('NumberFormat', String(numberFormat.guid)) ?? deadReference('NumberFormat'),
    };
  },
});

const changeSchema = object({
  ...common,
  allowDuplicateRevisions: flag('Whether a change may give a revision that an item had before.'),
  allowManualRevisionEntry: flag('Whether people may enter revisions.'),
  effectivityType: text('When its changes take effect.'),
  enforceDefaultEffectivityType: flag('Whether changes keep that type.'),
  enforceDefaultNumberSequence: flag('Whether changes keep the default prefix.'),
  initialImplementationStatus: text('The implementation status of new changes.'),
  numberPrefix,
});

const requestSchema = object({ ...common, structural, numberPrefix });

/** The prefix is an object of its own in answers. */
const withPrefix = (fields: readonly string[]) => (body: JsonObject) => {
  const { numberingSequencePrefixDefault: prefix } = body;
  return pickValues({ ...body, numberPrefix: isObject(prefix) ? (prefix.value ?? null) : null }, fields);
};

const changeCategory = checkKind({
  name: 'ChangeCategory',
  summary: 'A category of changes by its path, as the workspace must have it.',
  collection: 'changeCategories',
  ...{ schema: changeSchema, entry, fromWire: withPrefix(Object.keys(changeSchema.properties)) },
});

const requestCategory = checkKind({
  name: 'RequestCategory',
  summary: 'A category of requests by its path, as the workspace must have it.',
  collection: 'requestCategories',
  ...{ schema: requestSchema, entry, fromWire: withPrefix(Object.keys(requestSchema.properties)) },
});

const fileCategory = checkKind({
  name: 'FileCategory',
  summary: 'A category of files by its path, as the workspace must have it.',
  collection: 'fileCategories',
  ...{ schema: object(common), entry },
});

/** The categories of each world. */
export const checkedCategories: readonly Kind[] = [itemCategory, changeCategory, requestCategory, fileCategory];
