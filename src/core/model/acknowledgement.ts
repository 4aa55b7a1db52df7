import { nameSchema, type Shape, Type } from './schema.js';

/** The schema of `Acknowledgement`, as ledgers and plans carry it. */
export const acknowledgementSchema = Type.Object(
  {
    stack: nameSchema('The stack whose manifest it is about.'),
    at: Type.String({ description: 'ISO 8601 in UTC.' }),
    by: Type.String({ description: 'Who acknowledged it.' }),
    reason: Type.String({ description: '`--reason` of `acknowledge`.' }),
    fingerprint: nameSchema("Digest of the manifest's spec; a manifest with another one is not acknowledged."),
  },
  { description: 'That somebody did a manual step that the service cannot show.' },
);

/** A record that somebody did a manual step that the service cannot show. Valid while the spec stays the same. */
export type Acknowledgement = Shape<typeof acknowledgementSchema>;
