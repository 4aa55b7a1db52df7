import { keyedList, object, openEnum, serverDefault } from '../../model/fields.js';
import { type JsonObject, onlyObjectsIn, pickValues } from '../../model/json.js';
import type { Kind } from '../../model/kind.js';
import { Type } from '../../model/schema.js';
import { checkKind } from './check-kind.js';

const text = (description: string) => Type.Optional(Type.String({ description, ...serverDefault('') }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const lifecyclePhase = checkKind({
  name: 'ItemLifecyclePhase',
  summary: 'A lifecycle phase of items, as the workspace must have it.',
  collection: 'lifecyclePhases',
  schema: object({
    shortName: text('Its short name.'),
    stage: Type.Optional(
      openEnum(['PRELIMINARY', 'DESIGN', 'PRODUCTION'], { description: 'The stage of items in this phase.' }),
    ),
    active: flag('Whether items can enter it.'),
  }),
  fromWire({ stage = null, ...body }) {
    // The object page writes UNRELEASED for the same stage (wire-facts 7).
    const read: JsonObject = { ...body, stage: stage === 'UNRELEASED' ? 'PRELIMINARY' : stage };
    return pickValues(read, ['shortName', 'stage', 'active']);
  },
});

const numberFormat = checkKind({
  name: 'ItemNumberFormat',
  summary: 'A numbering format of items, as the workspace must have it.',
  collection: 'numberFormats',
  schema: object({ default: flag('Whether new items are numbered by it unless their category says otherwise.') }),
  outputs: ['exampleNumber'],
});

const evidence = {
  statementOfRequirement: text('What has to be met.'),
  rationaleHint: text('What a rationale should say.'),
  defaultEvidenceType: Type.Optional(
    openEnum(['NONE', 'DIRECT_FILES', 'AML_AND_FILES'], { description: 'What counts as evidence by default.' }),
  ),
};

const itemRequirement = checkKind({
  name: 'ItemRequirement',
  summary: 'A compliance requirement of items, as the workspace must have it.',
  collection: 'itemRequirements',
  schema: object({
    ...evidence,
    invalidationRule: Type.Optional(openEnum(['RESET_ALL'], { description: 'What a new revision invalidates.' })),
    propagate: flag('Whether assemblies get it from their parts.'),
  }),
});

const supplierItemRequirement = checkKind({
  name: 'SupplierItemRequirement',
  summary: 'A compliance requirement of supplier items, as the workspace must have it.',
  collection: 'supplierItemRequirements',
  schema: object(evidence),
});

const changeRouting = checkKind({
  name: 'ChangeRouting',
  summary: 'A routing of changes, as the workspace must have it.',
  collection: 'changeRoutings',
  schema: object({ description: text('Free text.') }),
});

const ticketTemplate = checkKind({
  name: 'TicketTemplate',
  summary: 'A template of tickets, as the workspace must have it.',
  collection: 'ticketTemplates',
  schema: object({
    description: text('Free text.'),
    active: flag('Whether tickets can be created from it.'),
    defaultTemplate: flag('Whether it is chosen at first.'),
    allowUserDefinedNumber: flag('Whether people may enter a number.'),
  }),
});

const qualityTemplate = checkKind({
  name: 'QualityTemplate',
  summary: 'A template of quality processes, as the workspace must have it.',
  collection: 'qualityTemplates',
  schema: object({
    shortName: text('Its short name.'),
    description: text('Free text.'),
    active: flag('Whether processes can be created from it.'),
    steps: Type.Optional(
      keyedList(
        ['name'],
        object({
          name: Type.String({ minLength: 1, description: 'The name of the step.' }),
          order: Type.Integer({ minimum: 1, description: 'Its place among the steps.' }),
          type: openEnum(['REGULAR', 'SIGNOFF'], { description: 'Whether it is a task or a decision.' }),
        }),
        { description: 'Its steps.' },
      ),
    ),
  }),
  fromWire: (body) => ({
    ...pickValues(body, ['shortName', 'description', 'active']),
    steps: onlyObjectsIn(body.steps).map((step) => pickValues(step, ['name', 'order', 'type'])) as never,
  }),
});

/** The settings that administrators make in the service's own pages, besides attributes and categories. */
export const checkedSettings: readonly Kind[] = [
  ...[lifecyclePhase, numberFormat, itemRequirement, supplierItemRequirement],
  ...[changeRouting, ticketTemplate, qualityTemplate],
];
