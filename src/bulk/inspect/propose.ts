import type { ImportSource } from '../../jobs/source.js';
import type { JsonObject } from '../../model/json.js';
import { type KnownResource, knownFields } from './known-headers.js';
import type { ColumnProfile } from './profile.js';

/** Manifests to start from, and what a person has to look at in them. */
export interface Proposal {
  readonly definition: JsonObject;
  readonly import: JsonObject;
  readonly remarks: readonly string[];
}

const API = 'dexsync/v1';
const PARENT = 'Parent Number';

/** A definition and an Import for a table, as far as its headers have names that are known. */
export function propose(source: ImportSource, columns: readonly ColumnProfile[]): Proposal {
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
      '`file` is relative to the folder of the manifest.',
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

function mappingOf(columns: readonly ColumnProfile[], resource: KnownResource): ProposedMapping {
  const fields = new Map(
    [
      ...knownFields(
        columns.map(({ header }) => header),
        resource,
      ),
    ].map(([field, at]) => [field, columns[at]?.name ?? '']),
  );
  const remarks: string[] = [];
  let constants: ProposedMapping['constants'] = {};
  const key = resource === 'ITEM_BOM' ? 'item.number' : 'number';
  if (!fields.has(key)) {
    const used = new Set(fields.values());
    const likely = columns.find((column) => column.key === 'likely' && !used.has(column.name));
    if (likely !== undefined) fields.set(key, likely.name);
    const from = likely === undefined ? 'no column is different in every row: map one' : `"${likely.name}" is taken`;
    remarks.push(`No header is known as the number of an item; ${from}.`);
  }
  if (resource === 'ITEM_BOM' && !fields.has('number')) {
    fields.set('number', PARENT);
    constants = { constants: { [PARENT]: 'NUMBER OF THE ASSEMBLY' } };
    remarks.push('No column holds the parent: its number is the same in all rows, and stands under `constants`.');
  }
  if (resource === 'ITEM_SPECS' && !fields.has('name')) {
    const name = fields.get('description');
    if (name !== undefined) {
      fields.set('name', name);
      fields.delete('description');
    }
    const from = name === undefined ? 'new items need one: map a column' : `"${name}" is taken`;
    remarks.push(`No header is known as the name; ${from}.`);
  }
  return { mapping: [...fields], remarks, constants };
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
