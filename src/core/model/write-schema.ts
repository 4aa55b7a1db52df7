import { importedFileSchema } from './imported-file.js';
import { validationCountsSchema } from './job-state.js';
import type { Json, JsonObject } from './json.js';
import { countSchema, nameSchema, Type } from './schema.js';

const anyJson = (description: string) => Type.Optional(Type.Unsafe<Json>({}, { description }));

/** The schema of a spec. Its kind defines the content; the plan only carries it. */
export const specSchema = (description?: string) =>
  Type.Unsafe<JsonObject>({ type: 'object' }, description === undefined ? {} : { description });

/** The schema of `FieldChange`. */
export const fieldChangeSchema = Type.Object(
  {
    path: Type.String({
      description: 'Dotted, entries of lists in brackets: `options.mapping[ITEM_SPECS name].sourceName`.',
    }),
    before: anyJson('Absent if the workspace has no value.'),
    after: anyJson('Absent if the field is removed.'),
    cause: Type.Optional(
      Type.Union([Type.Literal('asked'), Type.Literal('drift'), Type.Literal('both')], {
        description:
          'What differs from the last applied value: the manifest, the workspace, or both. Absent if nothing was applied.',
      }),
    ),
    applied: anyJson('The last applied value, if it is neither `before` nor `after`.'),
  },
  { description: 'One field of one object.' },
);

/** The schema of `ImportRequest`. */
export const importRequestSchema = Type.Object(
  {
    path: nameSchema("Path of the file, relative to the configuration's folder."),
    files: Type.Optional(nameSchema('Folder or pattern of its physical files, relative to the same folder.')),
    only: Type.Optional(nameSchema('The data rows that are sent, such as 2,5-9; all by default.')),
    content: Type.Optional(
      nameSchema('The rows as CSV if there is no file: the keys of the records that are deleted.'),
    ),
    shownBy: Type.Optional(
      specSchema(
        'The definition by whose columns a plan shows the records that are deleted; the rows have these columns too.',
      ),
    ),
    released: Type.Optional(
      Type.Object(
        {
          ...importedFileSchema.properties,
          commits: Type.Array(Type.String({ pattern: '^[0-9a-f]{40,64}$' }), {
            description: 'Commits that may have the file, the best first.',
          }),
        },
        { description: 'The very file of a release, wherever it is found; in place of `path`.' },
      ),
    ),
    spec: specSchema("The manifest's spec."),
    definition: Type.Object(
      {
        spec: Type.Unsafe<JsonObject>(
          Type.Object({
            resource: nameSchema(),
            mode: nameSchema(),
            options: Type.Optional(
              Type.Object({
                mapping: Type.Optional(Type.Array(Type.Object({ resource: Type.String(), sourceName: Type.String() }))),
              }),
            ),
          }),
        ),
        content: specSchema('The part that decides whether rows are the same.'),
        fingerprint: Type.Optional(
          nameSchema('Digest of the live definition when the plan was created; absent if there was none.'),
        ),
      },
      { description: 'The definition as it is after the plan is applied.' },
    ),
  },
  {
    description:
      'The complete import request: applying a saved plan reads the file again from it, not from a manifest.',
  },
);

/** The schema of `OpenRunsSeen`. */
export const openRunsSeenSchema = Type.Object(
  {
    run: nameSchema('Digest of the GUIDs.'),
    parts: Type.Optional(
      Type.Array(Type.Object({ run: nameSchema(), first: countSchema(), last: countSchema() }), {
        description: 'Each run by its own digest, with its rows, so that another ledger can find it too.',
      }),
    ),
    number: Type.Optional(countSchema("The service's number of the first run.")),
    phase: Type.Union([Type.Literal('posted'), Type.Literal('committing')]),
    validated: Type.Optional(validationCountsSchema),
  },
  { description: 'Runs that were left open; their GUIDs are in the ledger only.' },
);

const verb = <const V extends string>(value: V) => Type.Literal(value);

/** The schema of `Write`, a union by `verb`. */
export const writeSchema = Type.Tagged(
  'verb',
  [
    Type.Object({
      verb: verb('create'),
      spec: specSchema(),
      name: Type.Optional(nameSchema('If it differs from the address.')),
      back: Type.Optional(
        Type.Object(
          { identity: nameSchema(), name: nameSchema(), fields: specSchema('The values sent with its name.') },
          { description: 'The old object, which gets its name back if the service refuses the new one.' },
        ),
      ),
    }),
    Type.Object({
      verb: verb('update'),
      name: nameSchema(),
      fields: specSchema('The fields sent.'),
      readFirst: Type.Union([Type.Literal('yes'), Type.Literal('no')], {
        description: 'yes: values that are not in the manifest are read just before and sent as well.',
      }),
    }),
    Type.Object(
      { verb: verb('retire'), to: nameSchema(), fields: specSchema('The values sent with its name.') },
      { description: 'Renames the old object to its retired name.' },
    ),
    Type.Object({ verb: verb('delete'), name: nameSchema() }, { description: 'Deletes the object with that name.' }),
    Type.Object({
      ...{ verb: verb('addChild'), field: nameSchema(), name: nameSchema() },
      entry: Type.Optional(specSchema('The entry of a list of values; absent for a member, which `name` refers to.')),
    }),
    Type.Object(
      { verb: verb('updateChild'), field: nameSchema(), name: nameSchema(), entry: specSchema() },
      { description: 'Replaces an entry of a list of values by the whole `entry`.' },
    ),
    Type.Object({ verb: verb('removeChild'), field: nameSchema(), name: nameSchema() }),
    Type.Object({ verb: verb('record') }, { description: 'Changes only the ledger.' }),
    Type.Object({
      verb: verb('import'),
      key: nameSchema('Digest of normalised rows, definition content and run options.'),
      rows: countSchema(),
      request: importRequestSchema,
      resume: Type.Optional(openRunsSeenSchema),
      done: Type.Optional(
        Type.Literal('before', {
          description:
            'The workspace has these rows from runs that are not in the ledger: nothing is sent, the ledger records the runs.',
        }),
      ),
    }),
  ],
  {
    description:
      'One write request. Specs hold names, never GUIDs: a write may refer to an object that an earlier step creates.',
  },
);
