import { object } from '../model/fields.js';
import { Type } from '../model/schema.js';

const API_VERSION = 'dexsync/v1';

/** Control characters, and the marks that change the direction of text: a name is shown to people. */
const UNPRINTABLE = '[\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]';

const tags = Type.Optional(Type.Record(Type.String(), Type.String()));

/** The fields around the `spec` of every manifest (design, section 2: the Kubernetes resource model). */
export const envelope = object({
  apiVersion: Type.Literal(API_VERSION, { description: 'The version of this format.' }),
  kind: Type.String({ description: 'What the manifest describes.' }),
  metadata: object({
    name: Type.String({
      pattern: `^(?!.*${UNPRINTABLE})\\S(.*\\S)?$`,
      description: 'A name without leading or trailing white space and without control characters.',
    }),
    protect: Type.Optional(
      Type.Boolean({ description: 'If true, plans that would delete or replace the object are blocked.' }),
    ),
    renamedFrom: Type.Optional(
      Type.String({ minLength: 1, description: 'The former name: the object is renamed, not recreated.' }),
    ),
    ignore: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        uniqueItems: true,
        description:
          'Fields that are managed elsewhere, such as description or options.removeValue: set when the object is created, not compared or changed later.',
      }),
    ),
    manage: Type.Optional(
      Type.Literal('full', {
        description:
          'full: fields that the spec does not name stay as they were last applied or first seen; changes from outside are planned back. Otherwise such changes are only reported as drift.',
      }),
    ),
    known: Type.Optional(
      Type.Literal('any', {
        description: 'any: values that look like typos of known ones are meant as they are; otherwise they are errors.',
      }),
    ),
    labels: tags,
    annotations: tags,
  }),
  spec: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'The desired state.' })),
});
