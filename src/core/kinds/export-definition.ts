import { omitUndefined } from '#base/omit-undefined.js';
import { keyedList, object, openEnum, serverDefault, set } from '../model/fields.js';
import type { JsonObject } from '../model/json.js';
import { ITEM_SEARCH_FIELDS } from '../model/known-fields.js';
import { type Static, Type } from '../model/schema.js';
import { unknownTargets } from './attribute-target.js';
import { criteriaFromWire, criteriaToWire, criterionFindings, criterionSchema } from './criterion.js';
import { defineKind } from './define-kind.js';

const EXPORT_VIEWS = [
  'SPECS',
  'BOM',
  'BOM_SUBSTITUTES',
  'SOURCING',
  'FILES',
  'FILES_FILE_SUMMARY',
  'SOURCING_SUPPLIERITEM_SPECS',
  'SOURCING_SUPPLIERITEM_SUPPLIER_PROFILE',
  'SOURCING_SUPPLIERITEM_FILES',
  'SOURCING_SUPPLIERITEM_FILES_FILE_SUMMARY',
];

const SEARCHED = { what: 'items', fields: ITEM_SEARCH_FIELDS };

const FILE_CHOICES = ['NONE', 'PRIMARY', 'ALL'];

/** Defaults beyond header and format are assumed: the sources name none. */
const options = object(
  {
    exportViews: Type.Optional(
      set(openEnum(EXPORT_VIEWS), { description: 'The tables to export.', serverDefault: ['SPECS'], minItems: 1 }),
    ),
    bomLevels: Type.Optional(
      openEnum(['NONE', 'SINGLE', 'FULL'], { description: 'How many BOM levels to follow.', serverDefault: 'NONE' }),
    ),
    fileContent: Type.Optional(
      object(
        {
          item: Type.Optional(openEnum(FILE_CHOICES, { description: 'Files of items.', serverDefault: 'NONE' })),
          supplierItem: Type.Optional(
            openEnum(['NONE', 'ALL'], { description: 'Files of supplier items.', serverDefault: 'NONE' }),
          ),
        },
        { description: 'Which files are included.' },
      ),
    ),
    header: Type.Optional(
      Type.Union([Type.Literal('apiName'), Type.Literal('name')], {
        description: 'How columns are named.',
        ...serverDefault('apiName'),
      }),
    ),
    revisionStatus: Type.Optional(
      openEnum(['LATEST', 'WORKING', 'POTENTIAL'], {
        description: 'Which revision of each item.',
        serverDefault: 'LATEST',
      }),
    ),
    format: Type.Optional(
      Type.Union([Type.Literal('csv'), Type.Literal('json')], {
        description: 'Format of the tables.',
        ...serverDefault('csv'),
      }),
    ),
  },
  { description: 'What an export contains and how it is written.' },
);

const schema = object({
  description: Type.Optional(Type.String({ description: 'Free text.', ...serverDefault('') })),
  world: Type.Optional(openEnum(['ITEMS'], { description: 'Record type to export.', serverDefault: 'ITEMS' })),
  options: Type.Optional(options),
  criteria: Type.Optional(
    Type.Array(
      keyedList(['apiName', 'attribute', 'category', 'lifecyclePhase', 'operator', 'value'], criterionSchema, {
        minItems: 1,
      }),
      {
        minItems: 1,
        description:
          'Groups of comparisons: all comparisons of one group must match. If absent, each run needs its own (--criteria).',
      },
    ),
  ),
});

/** An export definition (wire-facts 5.1; interface 4.6). The service neither edits nor deletes one. */
export const exportDefinition = defineKind({
  name: 'ExportDefinition',
  shortNames: ['exportdef'],
  summary: 'Which items to export, which of their tables, and in what format.',
  collection: 'exportDefinitions',
  schema,
  check: ({ criteria }) =>
    (criteria ?? []).flatMap((group, index) => [
      ...criterionFindings(group, `/criteria/${index}`),
      ...unknownTargets(group, SEARCHED, (entry) => `/criteria/${index}/${entry}`),
    ]),
  toWire({ criteria, world = 'ITEMS', ...spec }, context) {
    return { ...spec, world, criteria: criteria === undefined ? null : criteriaToWire(criteria, context) };
  },
  fromWire(body: JsonObject, context) {
    const { description, world, options: given } = body as unknown as Static<typeof schema>;
    const criteria = criteriaFromWire(body.criteria ?? null, context);
    return {
      ...(description === undefined || description === null ? {} : { description }),
      ...omitUndefined({ world, options: given, criteria }),
    };
  },
});
