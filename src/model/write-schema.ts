import { validationCountsSchema } from './job-state.js';
import type { Json, JsonObject } from './json.js';
import { countSchema, nameSchema, Type } from './schema.js';

const anyJson = (description: string) => Type.Optional(Type.Unsafe<Json>({}, { description }));

/** What stands in a spec is its kind's business; the plan only carries it. */
export const specSchema = (description?: string) =>
  Type.Unsafe<JsonObject>({ type: 'object' }, description === undefined ? {} : { description });

/** The schema of `FieldChange`. */
export const fieldChangeSchema = Type.Object(
  {
    path: Type.String({
      description: 'Dotted, entries of lists in brackets: `options.mapping[ITEM_SPECS name].sourceName`.',
    }),
    before: anyJson('Absent where the workspace has nothing.'),
    after: anyJson('Absent where the field goes away.'),
    cause: Type.Optional(
      Type.Union([Type.Literal('asked'), Type.Literal('drift'), Type.Literal('both')], {
        description:
          'Who differs from what was last applied: the manifest, the workspace, or both. Absent where nothing was applied.',
      }),
    ),
    applied: anyJson('What was last applied, where it is neither `before` nor `after`.'),
  },
  { description: 'One field of one object.' },
);

/** The schema of `ImportRequest`. */
export const importRequestSchema = Type.Object(
  {
    path: nameSchema('Where the file is, from the folder of the configuration.'),
    files: Type.Optional(nameSchema('Where its physical files are, a folder or a pattern, from the same folder.')),
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
        content: specSchema('The part of it that decides whether rows are the same.'),
      },
      { description: 'The definition as it is once the plan was applied.' },
    ),
  },
  {
    description:
      'What an import asks for, in full: whoever applies a saved plan reads the file again by it, and no manifest.',
  },
);

/** The schema of `OpenRunsSeen`. */
export const openRunsSeenSchema = Type.Object(
  {
    run: nameSchema('Digest of the GUIDs.'),
    parts: Type.Optional(
      Type.Array(Type.Object({ run: nameSchema(), first: countSchema(), last: countSchema() }), {
        description: 'Each run by its own digest, with its rows, so that whoever has another ledger finds them too.',
      }),
    ),
    number: Type.Optional(countSchema("The service's number of the first one.")),
    phase: Type.Union([Type.Literal('posted'), Type.Literal('committing')]),
    validated: Type.Optional(validationCountsSchema),
  },
  { description: 'Runs that were left open; their GUIDs stand in the ledger alone.' },
);

const verb = <const V extends string>(value: V) => Type.Literal(value);

/** The schema of `Write`, told apart by its `verb`. */
export const writeSchema = Type.Tagged(
  'verb',
  [
    Type.Object({
      verb: verb('create'),
      spec: specSchema(),
      name: Type.Optional(nameSchema("Where it is not the address's.")),
    }),
    Type.Object({
      verb: verb('update'),
      name: nameSchema(),
      fields: specSchema('What is sent.'),
      readFirst: Type.Union([Type.Literal('yes'), Type.Literal('no')], {
        description: 'yes: the values that no manifest names are read just before and sent with them.',
      }),
    }),
    Type.Object(
      { verb: verb('retire'), to: nameSchema(), fields: specSchema('The values that travel with its name.') },
      { description: 'Renames the old object away.' },
    ),
    Type.Object({ verb: verb('delete'), name: nameSchema() }, { description: 'Deletes the object of that name.' }),
    Type.Object({ verb: verb('addChild'), field: nameSchema(), name: nameSchema() }),
    Type.Object({ verb: verb('removeChild'), field: nameSchema(), name: nameSchema() }),
    Type.Object({ verb: verb('record') }, { description: 'Changes nothing but the ledger.' }),
    Type.Object({
      verb: verb('import'),
      key: nameSchema('Digest of normalised rows, definition content and run options.'),
      rows: countSchema(),
      request: importRequestSchema,
      resume: Type.Optional(openRunsSeenSchema),
      done: Type.Optional(
        Type.Literal('before', {
          description:
            'The workspace has these rows by runs that the ledger does not know: nothing is sent, the ledger learns of them.',
        }),
      ),
    }),
  ],
  {
    description:
      'One write request. Specs hold names, never GUIDs: a write may refer to an object that an earlier step creates.',
  },
);
