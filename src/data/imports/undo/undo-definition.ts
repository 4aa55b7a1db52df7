import { omitUndefined } from '#base/omit-undefined.js';
import { digest, normalForm, withoutDefaults } from '#core/engine/normal-form.js';
import { hasRetiredName } from '#core/engine/retired-name.js';
import { type ImportDefinitionSpec, importDefinition, optionsInMode } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { JsonObject } from '#core/model/json.js';
import type { Observed } from '#core/model/observation.js';
import { lostColumns } from '../../bulk/read-back/lost-columns.js';
import { foldName } from '../../bulk/source/headers.js';
import type { UndoKind } from '../../bulk/undo/undo-context.js';

const MODES: Readonly<Record<UndoKind, string>> = {
  delete: 'DELETE',
  edit: 'EDIT',
  create: 'CREATE',
  replace: 'REPLACE',
};

/** The definition of an import that is undone, and what its rows fill. */
export interface Original {
  readonly name: string;
  readonly spec: ImportDefinitionSpec;
  /** `whole`: values of records beyond the columns of the import are restored too. */
  readonly lines: 'as mapped' | 'whole';
}

/** The definition that undoes an import: the mapping of the import in another mode. */
export function undoSpec(kind: UndoKind, { spec, lines }: Original): ImportDefinitionSpec {
  const { resource } = spec;
  const mode = MODES[kind];
  const { mapping, ...others } = spec.options ?? {};
  const columns = (mapping ?? []).map(({ apiName, attribute, sourceName }) => ({
    header: sourceName,
    fields: [foldName(apiName ?? attribute ?? '')],
  }));
  const { name, lost = [] } = resourceNamed(resource);
  const isMaking = kind === 'replace' || kind === 'create';
  const more = isMaking && lines === 'whole' ? lostColumns(columns, spec) : [];
  const added = more.map(({ header, fields }) => ({
    resource: name,
    apiName: lost.find((field) => field.toLowerCase() === fields[0]) ?? '',
    sourceName: header,
  }));
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
