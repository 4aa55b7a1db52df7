import { object, openEnum, serverDefault } from '../model/fields.js';
import { Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

/** A DataExtract definition (wire-facts 5.2; its type: interface 2.4, since 2024-12-07). */
export const extractDefinition = defineKind({
  name: 'ExtractDefinition',
  shortNames: ['extractdef'],
  summary: 'A copy of the whole workspace as tables: complete, or the changes since the last extract.',
  collection: 'extractDefinitions',
  schema: object({
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the extract runs.', ...serverDefault(true) })),
    type: Type.Optional(
      openEnum(['FULL', 'FULL_AND_DELTA'], {
        description: 'Everything each time, or everything once and then the changes.',
        serverDefault: 'FULL',
        since: { FULL_AND_DELTA: '2024-12' },
      }),
    ),
  }),
});
