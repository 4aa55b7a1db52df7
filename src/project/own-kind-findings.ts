import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { reasonOf } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { builtIn, type Catalog } from '#core/catalog.js';
import { kindsReferredTo } from '#core/engine/references.js';
import { checkSchema } from '#core/manifest/schema-check.js';
import { originsAt } from '#core/model/document.js';
import { object, traitsOf } from '#core/model/fields.js';
import { isObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import { nameSchema, Type } from '#core/model/schema.js';
import { PROFILES } from '#service/profiles/profiles.js';
import type { KindModule } from './config/load-config.js';

const names = Type.Array(nameSchema());

const endpointMembers = {
  path: Type.String({
    pattern: '^/[^?#\\s]*[^/?#\\s]$',
    description: 'A path below the URL of the service, such as /suppliers.',
  }),
  paged: Type.Boolean(),
  query: Type.Optional(Type.Record(Type.String(), Type.String())),
  can: Type.Optional(
    object({
      list: Type.Optional(Type.Boolean()),
      create: Type.Optional(Type.Boolean()),
      update: Type.Optional(names),
      updateBody: Type.Optional(Type.Union([Type.Literal('full'), Type.Literal('partial')])),
      delete: Type.Optional(Type.Boolean()),
      children: Type.Optional(names),
      names: Type.Optional(Type.Literal('unique')),
      hidden: Type.Optional(names),
    }),
  ),
};

const { path, paged } = endpointMembers;
const differing = { ...endpointMembers, path: Type.Optional(path), paged: Type.Optional(paged) };

/** The schema of a kind's data; its functions are checked one by one. */
const kindShape = object({
  name: Type.String({ pattern: '^[A-Z][A-Za-z0-9]*$', description: 'A name of letters and digits such as Supplier.' }),
  summary: nameSchema(),
  collection: nameSchema(),
  endpoints: object({
    ...endpointMembers,
    profiles: Type.Optional(
      object(Object.fromEntries(PROFILES.map(({ name }) => [name, Type.Optional(object(differing))]))),
    ),
  }),
  schema: object({ type: Type.Literal('object'), properties: Type.Unsafe({ type: 'object' }) }),
  children: Type.Record(
    Type.String(),
    object({
      ...{ path: nameSchema(), ref: Type.Optional(nameSchema()) },
      ...{ clears: Type.Optional(Type.Literal('with setnull')), guidIn: Type.Optional(nameSchema()) },
      ...{ toWire: Type.Optional(Type.Unsafe({})), fromWire: Type.Optional(Type.Unsafe({})) },
    }),
  ),
  outputs: Type.Optional(names),
  since: Type.Optional(nameSchema()),
});

const CALLS: readonly string[] = ['toWire', 'fromWire', 'check', 'gather', 'grow'];

/** Whether a value is a kind, provided that it passed `kindFindings`. */
export const isKind = (value: unknown): value is Kind => isObject(value) && typeof value.name === 'string';

/** Reports why a module's export cannot be a kind of a project that has `others`. */
export function kindFindings(value: unknown, module: KindModule, others: readonly Kind[]): Diagnostic[] {
  const { file, origin } = module;
  const finding = (message: string, hint?: string): Diagnostic =>
    withHint(
      { severity: 'error' as const, code: 'kind-invalid', message: `The kind ${file} ${message}`, origin },
      hint,
    );
  if (!isObject(value))
    return [
      finding('exports no kind.', `Export it as default: \`export default defineKind({ … })\`, of dexsync/kind.`),
    ];
  const notCalls = CALLS.filter((name) => value[name] !== undefined && typeof value[name] !== 'function');
  if (notCalls.length > 0) return notCalls.map((name) => finding(`needs a function as \`${name}\`.`));
  if (value.toWire === undefined || value.fromWire === undefined)
    return [
      finding(
        'was not made with `defineKind`.',
        'Import `defineKind` from dexsync/kind; it fills in what is left out.',
      ),
    ];
  const data = Object.fromEntries(Object.entries(value).filter(([name]) => !CALLS.includes(name)));
  const schema = isObject(data.schema) ? { type: data.schema.type, properties: data.schema.properties } : data.schema;
  const shape = checkSchema(
    { ...data, schema },
    { schema: kindShape, base: '', origins: originsAt(origin), name: `The kind ${file}` },
  );
  if (shape.length > 0) return shape.map((one) => ({ ...one, code: 'kind-invalid' }));
  const kind = value as unknown as Kind;
  return [...takenBy(kind, others), ...schemaProblems(kind), ...unknownFields(kind), ...valueProblems(kind)].map(
    ([message, hint]) => finding(message, hint),
  );
}

type Problem = readonly [message: string, hint?: string | undefined];

/**
 * Reports conflicts: two kinds with one name, or for the same objects, would undo each other's work. A kind with name
 * and path of a built-in one replaces that.
 */
function takenBy({ name, endpoints }: Kind, all: readonly Kind[]): Problem[] {
  const isReplaced = (other: Kind): boolean =>
    builtIn.kinds.includes(other) && other.name === name && pathOf(other) === endpoints?.path;
  const others = all.filter((other) => !isReplaced(other));
  const named = [...others, ...builtIn.checked, ...builtIn.settings, ...builtIn.jobs, ...builtIn.lookups];
  if (named.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    return [[`has the name ${name}, which another kind has.`, 'Give it a name of its own; `dexsync kinds` lists all.']];
  const owner = others.find((other) => pathOf(other) === endpoints?.path);
  return owner === undefined ? [] : [[`has the path ${endpoints?.path}, whose objects ${owner.name} describes.`]];
}

const pathOf = ({ endpoints, collection }: Kind): string | undefined =>
  endpoints?.path ?? PROFILES[0]?.collections[collection]?.path;

function schemaProblems({ schema }: Kind): Problem[] {
  if ('name' in schema.properties)
    return [['has a field "name".', 'The name of an object is `metadata.name`; it is sent as `name` by itself.']];
  if (!('additionalProperties' in schema) || schema.additionalProperties !== false)
    return [['accepts unknown fields.', 'Make its schema with `object({ … })` of dexsync/kind.']];
  try {
    checkSchema({}, { schema, base: '', origins: originsAt({ file: '', line: 1, column: 1, layer: '' }), name: '' });
    return [];
  } catch (error) {
    return [[`has a schema that cannot be used: ${reasonOf(error)}.`]];
  }
}

/** Reports fields that the schema does not have. */
function unknownFields({ schema, children, endpoints }: Kind): Problem[] {
  const fields = Object.keys(schema.properties);
  const capabilities = [endpoints, ...Object.values(endpoints?.profiles ?? {})].map((one) => one?.can ?? {});
  const used = [
    ...Object.keys(children).map((field) => ['children', field] as const),
    ...capabilities.flatMap(({ update = [], children: members = [], hidden = [] }) => [
      ...update.filter((field) => field !== 'name').map((field) => ['update', field] as const),
      ...members.map((field) => ['children', field] as const),
      ...hidden.map((field) => ['hidden', field] as const),
    ]),
  ];
  return used
    .filter(([, field]) => !fields.includes(field))
    .map(
      ([where, field]): Problem => [
        `has "${field}" in \`${where}\`, but no such field in its schema.`,
        nearestHint(field, fields),
      ],
    );
}

/** Reports lists of values whose entries cannot be matched or written. */
const valueProblems = ({ schema, children }: Kind): Problem[] =>
  Object.entries(children).flatMap(([field, child]): Problem[] => {
    if (child.ref !== undefined) return [];
    const isWritable = [child.toWire, child.fromWire].every((convert) => typeof convert === 'function');
    return isWritable && traitsOf(schema.properties[field]).keyed !== undefined
      ? []
      : [
          [
            `has the list "${field}", whose entries cannot be written.`,
            'Name in `ref` the kind of its entries; or make it with `keyedList`, and give it `toWire` and `fromWire`.',
          ],
        ];
  });

/** Reports references to types that are not in the catalog. */
export function referenceFindings(
  { schema, children }: Kind,
  { file, origin }: KindModule,
  { kindNamed, lookupNamed, kinds, lookups }: Catalog,
): Diagnostic[] {
  const used = new Set([...kindsReferredTo(schema), ...Object.values(children).flatMap(({ ref }) => ref ?? [])]);
  const strange = [...used].filter((name) => kindNamed(name) === undefined && lookupNamed(name) === undefined);
  const known = [...kinds, ...lookups].map(({ name }) => name);
  return strange.map((name) =>
    withHint(
      {
        severity: 'error' as const,
        code: 'kind-invalid',
        message: `The kind ${file} refers to "${name}", which is not a kind or lookup.`,
        origin,
      },
      nearestHint(name, known),
    ),
  );
}
