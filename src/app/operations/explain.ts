import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import { type SchemaNode, traitsOf } from '#core/model/fields.js';
import type { Json } from '#core/model/json.js';
import type { Named } from '#core/model/kind.js';
import { findCatalog } from '#project/find-catalog.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { parseAnyType } from '#project/parse-type.js';

/** A managed kind, a job or a lookup, as the table of kinds shows it. */
export interface KindRow {
  readonly name: string;
  readonly role: 'kind' | 'checked' | 'job' | 'lookup';
  /** Names that people may type instead. */
  readonly shortNames: readonly string[];
  readonly summary: string;
}

/** The project whose kinds are meant; its own kinds are known if it is trusted. */
export type KindsOptions = Pick<ProjectOptions, 'config'>;

/** Lists all kinds, jobs and lookups, including the own ones of a trusted project. */
export async function listKinds(options: KindsOptions, host: Host): Promise<KindRow[]> {
  return rowsOf(await findCatalog(options, host));
}

const rowsOf = (catalog: Catalog): KindRow[] => [
  ...catalog.kinds.map(rowOf('kind')),
  ...catalog.settings.map(rowOf('kind')),
  ...catalog.checked.map(rowOf('checked')),
  ...catalog.jobs.map(rowOf('job')),
  ...catalog.lookups.map(rowOf('lookup')),
];

const rowOf =
  (role: KindRow['role']) =>
  ({ name, shortNames = [], summary }: Named & { readonly summary: string }): KindRow => ({
    name,
    role,
    shortNames,
    summary,
  });

/** A field as `explain` shows it. */
export interface FieldFacts {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  readonly known?: readonly string[];
  readonly default?: Json;
  readonly fields: readonly FieldFacts[];
}

/** A kind or one of its fields, for people. */
export interface Explanation {
  readonly name: string;
  readonly summary: string;
  readonly fields: readonly FieldFacts[];
}

interface Schema extends SchemaNode {
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: Json;
  readonly required?: readonly string[];
  readonly patternProperties?: object;
}

/** The kind or field to explain. */
export interface ExplainOptions extends KindsOptions {
  /** For example `UserGroup` or `UserGroup.members`. */
  readonly topic: string;
}

/** Explains a kind, or one field of it (`UserGroup.members`), from its schema alone. */
export async function explain({ topic, ...options }: ExplainOptions, host: Host): Promise<Explanation> {
  const catalog = await findCatalog(options, host);
  const [name = '', ...path] = topic.split('.');
  const found = parseAnyType(name, catalog);
  const type = catalog.manifestTypeNamed(found);
  if (type === undefined) return explainLookup(found, catalog);
  const fields = fieldsOf(type.schema as unknown as Schema, '');
  if (path.length === 0) return { name: type.name, summary: type.summary, fields };
  const field = find(fields, path, topic);
  return { name: topic, summary: field.description ?? field.type, fields: [field] };
}

function explainLookup(name: string, catalog: Catalog): Explanation {
  const summary = `${catalog.lookupNamed(name)?.summary} Looked up in the workspace; it has no manifest.`;
  return { name, summary, fields: [] };
}

function find(fields: readonly FieldFacts[], path: readonly string[], topic: string): FieldFacts {
  const [next, ...rest] = path;
  const found = fields.find((field) => lastOf(field.path) === next);
  if (found === undefined) {
    const hint = nearestHint(
      next ?? '',
      fields.map((field) => lastOf(field.path)),
    );
    throw new DexsyncError('UNKNOWN_NAME', `"${topic}" is not a field.`, { hint });
  }
  return rest.length === 0 ? found : find(found.fields, rest, topic);
}

const lastOf = (path: string): string => path.split('.').at(-1)?.replace('[]', '') ?? path;

function fieldsOf({ properties = {}, required = [] }: Schema, base: string): FieldFacts[] {
  return Object.entries(properties).map(([name, node]) => {
    const path = base === '' ? name : `${base}.${name}`;
    return fieldFacts(node as Schema, path, required.includes(name));
  });
}

function fieldFacts(field: Schema, name: string, required: FieldFacts['required']): FieldFacts {
  const value = (field.items ?? field) as Schema;
  const path = field.items === undefined ? name : `${name}[]`;
  const { known } = traitsOf(value);
  return {
    path,
    type: typeName(field),
    required,
    ...omitUndefined({ description: field.description, known, default: field.default }),
    fields: fieldsOf(value, path),
  };
}

function typeName(schema: Schema): string {
  const { ref, set, known } = traitsOf(schema);
  if (ref !== undefined) return `${ref.kind} name`;
  if (schema.items !== undefined) {
    const items = schema.items as Schema;
    const named = traitsOf(items).ref?.kind;
    return `${set === undefined ? 'list' : 'set'} of ${named === undefined ? typeName(items) : `${named} names`}`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeName).join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  if (known !== undefined) return 'value';
  if (schema.patternProperties !== undefined) return 'map of text';
  return [schema.type ?? 'any'].flat().join(' | ');
}
