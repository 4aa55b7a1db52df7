import type { ImportSource } from '../../jobs/source.js';
import type { JsonObject } from '../../model/json.js';
import type { ColumnSummary } from './column-summary.js';
import { type KnownResource, knownFields } from './known-headers.js';

/** Manifests to start from, and what a person has to look at in them. */
export interface Proposal {
  readonly definition: JsonObject;
  readonly import: JsonObject;
  readonly remarks: readonly string[];
}

const API = 'dexsync/v1';
const PARENT = 'Parent Number';

/** A definition and an Import for a table, as far as its headers have names that are known. */
export function propose(source: ImportSource, columns: readonly ColumnSummary[]): Proposal {
  const headers = columns.map(({ header }) => header);
  const resource = resourceOf(headers);
  const { mapping, remarks, constants } = mappingOf(columns, resource);
  const base = importNameOf(source.file);
  const noun = resource === 'ITEM_BOM' ? 'BOM' : 'items';
  const definition = base.toLowerCase().endsWith(noun.toLowerCase()) ? base : `${base} ${noun}`;
  const entries = mapping.map(([apiName, sourceName]) => ({ resource, apiName, sourceName }));
  const mapped = new Set(mapping.map(([, name]) => name));
  const unmapped = columns.filter(({ name, filled }) => !mapped.has(name) && filled > 0).map(({ name }) => name);
  return {
    definition: {
      apiVersion: API,
      kind: 'ImportDefinition',
      metadata: { name: definition },
      spec: { resource, mode: 'OVERWRITE', options: { mapping: entries } },
    },
    import: {
      apiVersion: API,
      kind: 'Import',
      metadata: { name: base },
      spec: { definition, source: { ...source, ...constants } as unknown as JsonObject },
    },
    remarks: [
      '`file` is relative to the manifest.',
      ...remarks,
      ...(unmapped.length === 0 ? [] : [`Not mapped: ${unmapped.join(', ')}.`]),
    ],
  };
}

/** A BOM has quantities, and parents or reference designators. */
function resourceOf(headers: readonly string[]): KnownResource {
  const fields = knownFields(headers, 'ITEM_BOM');
  return fields.has('quantity') && (fields.has('number') || fields.has('refDes') || fields.has('lineNumber'))
    ? 'ITEM_BOM'
    : 'ITEM_SPECS';
}

interface ProposedMapping {
  /** Field and name of the column. */
  readonly mapping: readonly (readonly [field: string, name: string])[];
  readonly remarks: readonly string[];
  readonly constants: Pick<ImportSource, 'constants'>;
}

function mappingOf(columns: readonly ColumnSummary[], resource: KnownResource): ProposedMapping {
  const headers = columns.map(({ header }) => header);
  const fields: FieldColumns = new Map(
    [...knownFields(headers, resource)].map(([field, at]) => [field, columns[at]?.name ?? '']),
  );
  if (resource === 'ITEM_SPECS') {
    const remarks = [...mapKey(fields, columns, 'number'), ...mapName(fields)];
    return { mapping: [...fields], remarks, constants: {} };
  }
  const constants = fields.has('number') ? {} : { constants: { [PARENT]: 'NUMBER OF THE ASSEMBLY' } };
  const remarks = [...mapKey(fields, columns, 'item.number'), ...mapParent(fields)];
  return { mapping: [...fields], remarks, constants };
}

/** Names of columns by the fields that they feed. What follows adds to it, and says what a person has to look at. */
type FieldColumns = Map<string, string>;

function mapKey(fields: FieldColumns, columns: readonly ColumnSummary[], key: string): string[] {
  if (fields.has(key)) return [];
  const used = new Set(fields.values());
  const likely = columns.find((column) => column.key === 'likely' && !used.has(column.name));
  if (likely !== undefined) fields.set(key, likely.name);
  return [
    likely === undefined
      ? 'No header was recognised as the item number, and no column has a different value in every row: map one.'
      : `No header was recognised as the item number; "${likely.name}" is used.`,
  ];
}

function mapParent(fields: FieldColumns): string[] {
  if (fields.has('number')) return [];
  fields.set('number', PARENT);
  return ['No column contains the parent: write its number under `constants`; it applies to all rows.'];
}

function mapName(fields: FieldColumns): string[] {
  if (fields.has('name')) return [];
  const name = fields.get('description');
  if (name !== undefined) {
    fields.set('name', name);
    fields.delete('description');
  }
  return [
    name === undefined
      ? 'No header was recognised as the name, which new items need: map a column.'
      : `No header was recognised as the name; "${name}" is used.`,
  ];
}

/** `data/parts-2026-11-21.csv` is "parts". */
function importNameOf(file: string): string {
  const base =
    file
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/\.[^.]*$/, '') ?? '';
  return (
    base
      .replace(/[-_ ]*\d{4}-?\d\d-?\d\d$/, '')
      .replaceAll(/[*?]+/g, '')
      .replace(/[-_ ]+$/, '') || 'parts'
  );
}
