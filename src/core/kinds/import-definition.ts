import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { caselessText, keyedList, object, openEnum, serverDefault } from '../model/fields.js';
import { IMPORT_RESOURCES, resourceNamed } from '../model/import-resources.js';
import { isObject, type Json, type JsonObject, onlyObject } from '../model/json.js';
import type { NameContext, SpecFinding, WireContext } from '../model/kind.js';
import { type Static, Type } from '../model/schema.js';
import {
  guidTargets,
  oneTarget,
  targetFields,
  targetFromWire,
  targetToWire,
  unknownTargets,
} from './attribute-target.js';
import { defineKind } from './define-kind.js';
import { changeFindings, changeOptionFromWire, changeToWire, newChange } from './import-change.js';

const RESOURCES = IMPORT_RESOURCES.map(({ name }) => name);
const SINCE = Object.fromEntries(
  IMPORT_RESOURCES.flatMap(({ name, since }) => (since === undefined ? [] : [[name, since]])),
);
const REPORT = 'IMPORT';
const MODES = ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE', 'DELETE'];

const mappingEntrySchema = object(
  {
    resource: openEnum([...RESOURCES, REPORT], {
      description: 'Record type that the field belongs to; IMPORT for report columns.',
      since: SINCE,
    }),
    ...targetFields,
    sourceName: caselessText({ description: 'Header of the column in the source file.' }),
    inResponse: Type.Optional(
      Type.Boolean({ description: 'Show the column in the result file.', ...serverDefault(true) }),
    ),
    notes: Type.Optional(Type.String({ description: 'Free text.' })),
  },
  { oneOf: oneTarget },
);

const textOption = (description: string, value: string) =>
  Type.Optional(Type.String({ description, ...serverDefault(value) }));

const choiceOption = (description: string, known: readonly string[], value: string) =>
  Type.Optional(openEnum(known, { description, serverDefault: value }));

const options = object(
  {
    matchDuplicates: choiceOption(
      'What happens when a row matches several records.',
      ['ERROR', 'APPLY_TO_ALL'],
      'ERROR',
    ),
    matchDuplicateParents: choiceOption(
      'What happens when a BOM line matches several parents.',
      ['ERROR', 'ALLOW'],
      'ERROR',
    ),
    createDuplicates: choiceOption(
      'Whether CREATE may create a second record with the same key.',
      ['ERROR', 'ALLOW'],
      'ERROR',
    ),
    removeValue: textOption(
      'Cell marker that clears the stored value. An empty cell changes nothing.',
      '[Remove Value]',
    ),
    stripWhiteSpace: choiceOption('What happens to white space around cell values.', ['STRIP', 'RETAIN'], 'STRIP'),
    multiSelectDelimiter: textOption("Separator of a multi-select attribute's values in one cell.", ';'),
    checkRefDes: choiceOption('Compare reference designators with the quantity.', ['CHECK', 'DO_NOT_CHECK'], 'CHECK'),
    timeZone: textOption('Time zone of dates without one.', 'UTC'),
    numberingFreeTextHeader: textOption('Column with the free-text part of a number.', 'Numbering Free Text'),
    useCategoryNumberFormat: Type.Optional(
      Type.String({ minLength: 1, description: 'Marker in a number cell: the category assigns the next number.' }),
    ),
    fileEdition: Type.Optional(
      openEnum(['CREATE_EDITION'], { description: 'What a file import does if the file already exists.' }),
    ),
    addToChange: Type.Optional(
      Type.String({ minLength: 1, description: 'Number of the open change that gets the items of committed rows.' }),
    ),
    newChange: Type.Optional(newChange),
    mapping: Type.Optional(
      keyedList(['resource', 'apiName', 'attribute'], mappingEntrySchema, {
        description: 'Which source column goes into which field. If absent, the service uses its default mapping.',
      }),
    ),
  },
  { description: 'Import options. Some apply to certain modes only.' },
);

const schema = object({
  description: Type.Optional(Type.String({ description: 'Free text.', ...serverDefault('') })),
  resource: openEnum(RESOURCES, { description: 'Record type to import.', since: SINCE }),
  mode: openEnum(MODES, {
    description: 'CREATE, EDIT, OVERWRITE (edit or create), REPLACE (whole BOMs, or all files of items) or DELETE.',
  }),
  options: Type.Optional(options),
});

/** Options that the service keeps in some modes only (wire-facts, section 4); it drops them silently in the others. */
const MODES_OF_OPTION: Readonly<Record<string, readonly string[]>> = {
  createDuplicates: ['CREATE'],
  matchDuplicates: ['EDIT', 'OVERWRITE', 'DELETE'],
  matchDuplicateParents: ['EDIT', 'REPLACE'],
  removeValue: ['EDIT', 'OVERWRITE', 'REPLACE'],
  multiSelectDelimiter: ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE'],
  checkRefDes: ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE'],
  timeZone: ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE'],
  numberingFreeTextHeader: ['CREATE', 'EDIT', 'OVERWRITE'],
  useCategoryNumberFormat: ['CREATE', 'EDIT', 'OVERWRITE'],
  addToChange: ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE'],
  newChange: ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE'],
  fileEdition: ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE'],
};

/** The options that have an effect in a mode. */
export const optionsInMode = (given: JsonObject, mode: string): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([option]) => MODES_OF_OPTION[option]?.includes(mode) ?? true));

/** The code of a finding about an option that has no effect. */
export const OPTION_DROPPED = 'option-dropped';

/** Reports dropped options, which would always differ. Modes that dexsync does not know are left to the service. */
function droppedOptions({ mode, options: given }: ImportDefinitionSpec): SpecFinding[] {
  if (!MODES.includes(mode)) return [];
  return Object.keys(given ?? {}).flatMap((option) => {
    const modes = MODES_OF_OPTION[option];
    if (modes === undefined || modes.includes(mode)) return [];
    const message = `has the option "${option}", which the service ignores in mode ${mode}.`;
    return [
      {
        code: OPTION_DROPPED,
        pointer: `/options/${option}`,
        message,
        hint: `It applies to ${modes.join(', ')}.`,
      },
    ];
  });
}

/** Checks each entry against its own resource; report columns are not fields. */
const unknownFields = ({ options: given }: ImportDefinitionSpec): SpecFinding[] =>
  (given?.mapping ?? []).flatMap((entry, index) => {
    const { name: what, ...resource } = resourceNamed(entry.resource);
    return what === REPORT ? [] : unknownTargets([entry], { what, ...resource }, () => `/options/mapping/${index}`);
  });

/** The spec of an import definition; custom attributes in its mapping are named, never given by GUID. */
export type ImportDefinitionSpec = Static<typeof schema>;

type MappingEntry = Static<typeof mappingEntrySchema>;

/**
 * Types an external definition: a manifest's was checked against the schema, a live one only for the parts that imports
 * need. Throws ANSWER_UNEXPECTED if one of those is missing.
 */
export function parseImportDefinition(spec: JsonObject): ImportDefinitionSpec {
  const { resource, mode, options = {} } = spec;
  const mapping = isObject(options) ? (options.mapping ?? []) : undefined;
  const isEntry = (entry: Json): boolean =>
    isObject(entry) && typeof entry.resource === 'string' && typeof entry.sourceName === 'string';
  const isWhole =
    typeof resource === 'string' && typeof mode === 'string' && Array.isArray(mapping) && mapping.every(isEntry);
  if (isWhole) return spec as unknown as ImportDefinitionSpec;
  throw new DexsyncError(
    'ANSWER_UNEXPECTED',
    'An import definition has no resource, no mode, or a mapping without columns.',
    {
      hint: '`dexsync get ImportDefinition -o yaml` shows them all.',
    },
  );
}

type Mode = 'CREATE' | 'EDIT' | 'OVERWRITE' | 'REPLACE' | 'DELETE';

/** Whether a definition has one of these modes. The service ignores letter case, and answers in both (wire-facts 4). */
export const hasMode = ({ mode }: Pick<ImportDefinitionSpec, 'mode'>, ...modes: readonly Mode[]): boolean =>
  modes.some((one) => one === mode.toUpperCase());

interface WireEntry extends Omit<MappingEntry, 'attribute' | 'apiName'> {
  readonly apiName: string;
}

function entryToWire({ attribute, apiName, ...entry }: MappingEntry, context: WireContext): WireEntry {
  const target = omitUndefined({ attribute, apiName });
  return { ...entry, apiName: targetToWire(target, entry.resource, context) };
}

const entryFromWire = ({ apiName, ...entry }: WireEntry, context: NameContext): MappingEntry => ({
  ...entry,
  ...targetFromWire(apiName, entry.resource, context),
});

/** The service ignores letter case, and some of its answers echo lower case (wire-facts 4). */
const upperCase = (word: string): string => (typeof word === 'string' ? word.toUpperCase() : word);

/** An import definition (interface 2.1, 4.1). The profile lists the fields of an update (wire-facts section 0). */
export const importDefinition = defineKind({
  name: 'ImportDefinition',
  shortNames: ['importdef', 'def'],
  summary: 'How the columns of a source file become records: resource, mode, options and mapping.',
  collection: 'importDefinitions',
  schema,
  check: (spec) => [
    ...droppedOptions(spec),
    ...guidTargets(spec.options?.mapping ?? [], (index) => `/options/mapping/${index}`),
    ...unknownFields(spec),
    ...changeFindings(spec.options),
  ],
  toWire(spec, context) {
    const { newChange: change, ...rest } = spec.options ?? {};
    const mapping = rest.mapping?.map((entry) => entryToWire(entry, context));
    const addToChange = change && changeToWire(change, context);
    return { ...spec, options: { ...rest, ...omitUndefined({ mapping, addToChange }) } };
  },
  fromWire(body: JsonObject, context) {
    const { description, resource, mode } = body as unknown as ImportDefinitionSpec;
    const { addToChange, ...options } = onlyObject(body.options) ?? {};
    const mapping = (options.mapping as unknown as WireEntry[] | null | undefined)?.map((entry) =>
      entryFromWire({ ...entry, resource: upperCase(entry.resource) }, context),
    );
    return {
      ...(description === undefined || description === null ? {} : { description }),
      resource: upperCase(resource),
      mode: upperCase(mode),
      options: { ...options, ...omitUndefined({ mapping }), ...changeOptionFromWire(addToChange, context) },
    };
  },
});
