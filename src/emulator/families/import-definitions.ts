import { family } from '../family/family.js';
import type { RecordOf, WriteRequest } from '../family/field.js';
import { json } from '../family/json-fields.js';
import { choice, serial } from '../family/plain-fields.js';
import { findRecord, setFields } from '../family/records.js';
import { creationTime, creator } from '../family/stamp-fields.js';
import { name, optionalText } from '../family/text-fields.js';
import { nullable } from '../routes/schemas.js';
import { type Static, Type } from '../routes/type.js';
import { choose } from '../rules/enumeration-value.js';
import { findAttributeWorld, listImportFields } from '../rules/import-fields.js';
import { completeOptions, OPTION_NAMES } from '../rules/import-options.js';
import { refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import {
  type AddToChange,
  type ImportOptions,
  type MappingEntry,
  MODES,
  REPORT_COLUMNS,
  REPORT_RESOURCE,
  RESOURCES,
  type Resource,
} from '../store/imports.js';
import { readAttributes } from '../store/item-settings.js';

const text = Type.Optional(Type.String());

const mappingBody = Type.Object(
  {
    resource: Type.String(),
    apiName: Type.String(),
    sourceName: Type.String(),
    inResponse: Type.Optional(Type.Boolean()),
    notes: text,
  },
  { additionalProperties: false },
);

const changeBody = Type.Unsafe<AddToChange | null>({
  anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }],
  description: 'A change by GUID or number, or the body that creates one',
});

const optionsBody = Type.Object(
  {
    ...Object.fromEntries(OPTION_NAMES.map((option) => [option, text])),
    addToChange: Type.Optional(changeBody),
    mapping: Type.Optional(Type.Array(mappingBody)),
  },
  { additionalProperties: false },
);

/** The resources that belong to an item as a whole view of it (wire-facts 4, "mode" and "ITEM_FILES semantics"). */
const REPLACEABLE: readonly Resource[] = ['ITEM_BOM', 'ITEM_FILES'];

const fields = {
  number: serial(),
  name: name('TEXT NOT NULL'),
  description: optionalText(),
  resource: choice(RESOURCES),
  mode: choice(MODES),
  options: json<ImportOptions, ImportOptions>({
    answer: Type.Object({}, { additionalProperties: true }),
    given: optionsBody,
    parse: (given = {}) => given,
  }),
  creationDateTime: creationTime(),
  creator: creator(),
};

/** A stored definition (interface 2.1); after its creation, only name and description change. */
export type ImportDefinition = RecordOf<typeof fields>;

/** Import definitions (interface 2.1, 4.1; wire-facts 0 and 4); names need not be unique. */
export const importDefinitions = family({
  path: '/imports',
  one: 'an import definition',
  many: 'import definitions',
  table: 'import_definitions',
  capability: 'importDefinitions',
  paged: true,
  numbered: true,
  fields,
  search: {
    ...{ name: 'text', number: 'number', description: 'text', mode: 'choice', resource: 'choice' },
    ...{ 'creator.guid': 'text', 'creator.email': 'text', 'creator.fullName': 'text' },
  },
  check: withFittingOptions,
});

/** The body of an update, whose other fields are refused with a code of their own. */
export const definitionUpdate = Type.Object(
  { name: text, description: Type.Optional(nullable(Type.String())) },
  { additionalProperties: true, description: 'name and description; any other field is refused with 3032' },
);

/** Changes name and description; the rest of a definition is fixed once it exists (wire-facts 0). */
export function updateDefinition(workspace: Workspace, guid: string, body: WriteRequest['body']): void {
  const definition = findRecord(workspace, importDefinitions, guid);
  const { update: editable } = workspace.dialect.capabilities.importDefinitions;
  const other = Object.keys(body).find((field) => !editable.includes(field));
  if (other !== undefined) throw refuse.uneditable(other);
  const { name: given, description = definition.description } = body as Static<typeof definitionUpdate>;
  if (given === undefined) throw refuse.required('name');
  if (given.trim() === '') throw refuse.empty('name');
  setFields(workspace.settings, importDefinitions, guid, { name: given, description });
}

/** Completes the options with the defaults of those that the mode knows. */
function withFittingOptions(definition: ImportDefinition, { workspace }: WriteRequest): ImportDefinition {
  const { resource, mode } = definition;
  if (mode === 'REPLACE' && !REPLACEABLE.includes(resource)) throw refuse.option(mode, 'mode');
  const { mapping, ...given } = definition.options;
  const options = completeOptions(given, mode);
  if (mapping === undefined) return { ...definition, options };
  return { ...definition, options: { ...options, mapping: checkedMapping(workspace, mapping, resource) } };
}

/** Checks a mapping, ignoring letter case; the result has the spelling of the fields (wire-facts 4). */
function checkedMapping(
  workspace: Workspace,
  mapping: readonly Static<typeof mappingBody>[],
  resource: Resource,
): MappingEntry[] {
  const targets = targetNames(workspace, resource);
  const taken = new Set<string>();
  return mapping.map(({ resource: entryResource, apiName, sourceName, inResponse = true, notes }, index) => {
    const at = `options.mapping[${index}]`;
    const owner = choose(entryResource, [resource, REPORT_RESOURCE], `${at}.resource`);
    const target = owner === REPORT_RESOURCE ? reportColumn(apiName) : targets.get(apiName.toLowerCase());
    if (target === undefined) throw refuse.unrecognized(apiName);
    if (taken.has(`${owner} ${target}`)) throw refuse.invalid(`${at}.apiName`, `"${apiName}" is mapped twice.`);
    taken.add(`${owner} ${target}`);
    if (sourceName.trim() === '') throw refuse.empty(`${at}.sourceName`);
    return { resource: owner, apiName: target, sourceName, inResponse, ...(notes === undefined ? {} : { notes }) };
  });
}

function reportColumn(apiName: string): string | undefined {
  return REPORT_COLUMNS.find((column) => column.toLowerCase() === apiName.toLowerCase());
}

/** All names that a mapping may use, by lower case. */
function targetNames(workspace: Workspace, resource: Resource): Map<string, string> {
  const byName = workspace.dialect.customAttributes === 'name';
  const custom = readAttributes(workspace.settings, findAttributeWorld(resource)).filter(
    (attribute) => attribute.custom,
  );
  const names = [
    ...listImportFields(resource).map((field) => field.apiName),
    ...custom.map((attribute) => (byName ? attribute.name : attribute.guid)),
  ];
  return new Map(names.map((target) => [target.toLowerCase(), target]));
}
