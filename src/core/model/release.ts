import { addressSchema } from './address-schema.js';
import { importedFileSchema } from './imported-file.js';
import type { JsonObject } from './json.js';
import { provenanceSchema } from './provenance.js';
import { countSchema, nameSchema, type Shape, Type } from './schema.js';

const optionalText = (description: string) => Type.Optional(Type.String({ description, minLength: 1 }));
const spec = (description: string) => Type.Unsafe<JsonObject>({ type: 'object' }, { description });

const releasedObjectSchema = Type.Object({
  address: addressSchema,
  lineage: Type.String({
    minLength: 1,
    description: 'Stays the same while the object is renamed or replaced; no two objects of a workspace share it.',
  }),
  protect: Type.Boolean(),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  spec: spec('The fields that its manifest names, with names in place of GUIDs.'),
  unnamed: spec('The other fields, as they were recorded; null: empty.'),
});

const releasedImportSchema = Type.Object({
  address: addressSchema,
  digest: Type.String({ description: 'Digest of the content that was committed last.' }),
  definition: optionalText('The name of its definition.'),
  rows: countSchema('Rows of that content.'),
  file: Type.Optional(importedFileSchema),
  at: Type.String({ description: 'When it was committed, ISO 8601 in UTC.' }),
});

/** The schema of `ReleaseContent`. */
const contentSchema = Type.Object({
  objects: Type.Array(releasedObjectSchema, { description: 'By ascending address.' }),
  imports: Type.Array(releasedImportSchema, { description: 'What each import committed last, by ascending address.' }),
  lookups: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unsafe<JsonObject>({ type: 'object' })), {
    description: 'What is known of the attributes, users and the like that objects refer to: by lookup, by name.',
  }),
});

const changeSchema = Type.Object({
  address: addressSchema,
  is: Type.Union([Type.Literal('created'), Type.Literal('changed'), Type.Literal('renamed'), Type.Literal('deleted')]),
  from: Type.Optional(addressSchema),
});

/** The format of the documents of this version. */
export const RELEASE_FORMAT = 'dexsync-release/1';

/** The schema of `Release`. */
export const releaseSchema = Type.Object(
  {
    format: Type.Literal(RELEASE_FORMAT),
    stack: nameSchema(),
    source: nameSchema('The environment that it comes from.'),
    number: Type.Integer({ minimum: 1, description: 'Counted by source.' }),
    name: optionalText('Another name for it.'),
    note: optionalText('What somebody wrote about it.'),
    at: Type.String({ description: 'ISO 8601 in UTC.' }),
    as: Type.Union([Type.Literal('applied'), Type.Literal('live')], {
      description: 'applied: without any change by others; live: with their changes, and all fields count as named.',
    }),
    workspace: nameSchema('The name of the workspace.'),
    by: provenanceSchema,
    applied: Type.Optional(
      Type.Object(
        { number: Type.Integer(), at: Type.String(), by: Type.Optional(provenanceSchema) },
        { description: 'The newest apply of the stack before it.' },
      ),
    ),
    digest: Type.String({ description: 'SHA-256 of specs, lineage, protection and the digests of imports.' }),
    changes: Type.Array(changeSchema, { description: 'What became of each object since the release before.' }),
    content: contentSchema,
  },
  { description: 'What an environment had of a stack at one time.' },
);

/** What an environment had of a stack at one time. Never changed. */
export interface Release extends Shape<typeof releaseSchema> {}

/** What a release has to bring. */
export type ReleaseContent = Shape<typeof contentSchema>;

/** An object of a release. */
export type ReleasedObject = Shape<typeof releasedObjectSchema>;

/** What became of an object between two releases. */
export type ReleaseChange = Shape<typeof changeSchema>;

/** The name of a release among those of all sources: `dev/r41`. */
export const releaseName = ({ source, number }: Pick<Release, 'source' | 'number'>): string => `${source}/r${number}`;

/** The source and number in the name of a release; undefined if it is none. */
export function releaseKeyOf(name: string): Pick<Release, 'source' | 'number'> | undefined {
  const [, source, number] = /^(.+)\/r(\d+)$/.exec(name) ?? [];
  return source === undefined ? undefined : { source, number: Number(number) };
}
