import { omitUndefined } from '#base/omit-undefined.js';
import { digest, normalForm, withoutDefaults } from '#core/engine/normal-form.js';
import { hasRetiredName } from '#core/engine/retired-name.js';
import { type ImportDefinitionSpec, importDefinition, optionsInMode } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { JsonObject } from '#core/model/json.js';
import type { Observed } from '#core/model/observation.js';
import type { LostColumn } from '../../bulk/read-back/lost-columns.js';
import { isRelated, RELATED_RESOURCES, type RelatedKind } from '../../bulk/read-back/related-records.js';
import type { RowKind, UndoKind } from '../../bulk/undo/undo-context.js';

const MODES: Readonly<Record<RowKind, string>> = {
  delete: 'DELETE',
  edit: 'EDIT',
  create: 'CREATE',
  replace: 'REPLACE',
};

/** The definition of an import that is undone, and what its rows fill. */
export interface Original {
  readonly name: string;
  readonly spec: ImportDefinitionSpec;
  /** Columns of the rows beyond those of the import. */
  readonly lost: readonly LostColumn[];
  /** The columns of related records, if the before image has some. */
  readonly related: ReadonlyMap<UndoKind, readonly LostColumn[]>;
}

/** The definition that undoes an import: the mapping of the import in another mode, or that of related records. */
export const undoSpec = (kind: UndoKind, { spec, lost, related }: Original): ImportDefinitionSpec =>
  isRelated(kind) ? relatedSpec(kind, related.get(kind) ?? []) : rowSpec(kind, spec, lost);

function relatedSpec(kind: RelatedKind, columns: readonly LostColumn[]): ImportDefinitionSpec {
  const resource = RELATED_RESOURCES[kind];
  const mapping = mappingOf(resource, columns);
  // Designators were accepted with these quantities.
  const options = kind === 'lines' ? { checkRefDes: 'DO_NOT_CHECK', mapping } : { mapping };
  return { resource, mode: 'CREATE', options } as unknown as ImportDefinitionSpec;
}

const mappingOf = (resource: string, columns: readonly LostColumn[]) =>
  columns.map(({ header, target }) => ({ resource, ...target, sourceName: header }));

function rowSpec(kind: RowKind, spec: ImportDefinitionSpec, lost: readonly LostColumn[]): ImportDefinitionSpec {
  const { resource } = spec;
  const mode = MODES[kind];
  const { mapping, ...others } = spec.options ?? {};
  const { name } = resourceNamed(resource);
  const isMaking = kind === 'replace' || kind === 'create';
  const added = isMaking ? mappingOf(name, lost) : [];
  // Without a mapping, headers are apiNames.
  const mapped = mapping === undefined ? {} : { mapping: [...mapping, ...added] };
  const twin = { resource, mode, options: { ...optionsInMode(others as JsonObject, mode), ...mapped } };
  return withoutDefaults(importDefinition.schema, twin as unknown as JsonObject) as unknown as ImportDefinitionSpec;
}

/** A definition of the workspace, or one to create. */
export interface ChosenDefinition {
  readonly name: string;
  readonly is: 'there' | 'new';
}

/**
 * Chooses a definition with exactly this mapping and mode, or else the name of a new one. Definitions cannot be deleted
 * (wire-facts 4), so each is created only once.
 */
export function chooseDefinition(
  kind: UndoKind,
  wanted: ImportDefinitionSpec,
  { name }: Pick<Original, 'name'>,
  live: readonly Observed[],
): ChosenDefinition {
  const form = formOf(wanted);
  const named = (one: string): readonly Observed[] => live.filter((other) => other.name === one);
  const alike = live.filter(
    (one) => !hasRetiredName(one.name) && named(one.name).length === 1 && formOf(specIn(one)) === form,
  );
  const own = undoName(name, kind);
  const best = alike.find((one) => one.name === name) ?? alike.find((one) => one.name === own) ?? alike[0];
  if (best !== undefined) return { name: best.name, is: 'there' };
  let free = own;
  for (let count = 2; named(free).length > 0; count += 1) free = undoName(name, kind, ` ${count}`);
  return { name: free, is: 'new' };
}

/** The name of the definition or import that undoes by one kind of rows. */
export const undoName = (name: string, kind: UndoKind, count = ''): string => `${name} (undo ${kind}${count})`;

const specIn = ({ spec }: Observed): ImportDefinitionSpec => spec as unknown as ImportDefinitionSpec;

/** A digest of what a definition does with rows, without options that the service ignores in its mode. */
function formOf({ resource, mode, options }: ImportDefinitionSpec): string {
  const { mapping, ...others } = options ?? {};
  const entries = mapping?.map(({ inResponse: _, notes: __, ...entry }) => entry);
  const spec = {
    ...{ resource: resource.toUpperCase(), mode: mode.toUpperCase() },
    options: {
      ...optionsInMode(others as JsonObject, mode.toUpperCase()),
      ...omitUndefined({ mapping: entries }),
    },
  } as unknown as JsonObject;
  const { schema } = importDefinition;
  return digest(normalForm(schema, withoutDefaults(schema, spec)));
}
