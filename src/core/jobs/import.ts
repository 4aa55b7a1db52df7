import { object, ref, serverDefault, set } from '../model/fields.js';
import { type JsonObject, withoutNulls } from '../model/json.js';
import type { Job } from '../model/kind.js';
import { type Static, Type } from '../model/schema.js';
import { WORLDS } from '../model/worlds.js';
import { importSourceSchema } from './source.js';

const LIMIT = '^\\d+(\\.\\d+)?%$';

/** The rule for committing a validated run. `clean`: if no row failed. `never`: left to a person. */
export const commitRuleSchema = Type.Union(
  [
    Type.Literal('never'),
    Type.Literal('clean'),
    Type.Literal('always'),
    object(
      { maxErrors: Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: LIMIT })]) },
      { description: '{ maxErrors: 20 } or { maxErrors: 1% } of the rows' },
    ),
  ],
  {
    description:
      'When the validated rows are committed: never, clean (if none failed), always, or with at most { maxErrors: 20 } or { maxErrors: 1% } failed.',
    ...serverDefault('clean'),
  },
);

/** The number of rows that a file must have. */
export const rowExpectationSchema = object(
  {
    min: Type.Optional(Type.Integer({ minimum: 1, description: 'Smallest number of rows.' })),
    max: Type.Optional(Type.Integer({ minimum: 1, description: 'Largest number of rows.' })),
    changeAtMost: Type.Optional(
      Type.String({
        pattern: LIMIT,
        description:
          'A percentage such as 50%. Nothing is sent if the number of rows differs more from the last import.',
      }),
    ),
  },
  { description: 'How many rows the file must have; otherwise nothing is sent.' },
);

const schema = object({
  definition: ref('ImportDefinition', { description: 'The import definition to run.' }),
  source: importSourceSchema,
  commit: Type.Optional(commitRuleSchema),
  when: Type.Optional(
    Type.Union([Type.Literal('changed'), Type.Literal('always')], {
      description: 'changed: once for each content of file, definition and options. always: on every apply.',
      ...serverDefault('changed'),
    }),
  ),
  expectRows: Type.Optional(rowExpectationSchema),
  failOn: Type.Optional(
    Type.Union([Type.Literal('error'), Type.Literal('warning')], {
      description: 'Which findings in the file stop it from being sent.',
      ...serverDefault('error'),
    }),
  ),
  repeated: Type.Optional(
    Type.Union([Type.Literal('error'), Type.Literal('sum'), Type.Literal('once')], {
      description:
        'Rows of one parent and part in a BOM. error: they are findings. sum: they become one line, quantities added and reference designators joined; in all other columns they must agree. once: like sum, but of rows that agree in all mapped columns, such as one for each maker of a part, the first alone counts.',
      ...serverDefault('error'),
    }),
  ),
  rowsPerRun: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Rows to send in one run; all by default. In mode REPLACE the rows of one parent stay together.',
    }),
  ),
  upload: Type.Optional(
    Type.Union([Type.Literal('normalised'), Type.Literal('original')], {
      description:
        'normalised: the mapped columns as CSV. original: the file itself, if the service can read it as it is.',
      ...serverDefault('normalised'),
    }),
  ),
  preview: Type.Optional(
    Type.Union([Type.Literal('auto'), Type.Literal('none'), Type.Literal('full')], {
      description:
        'Whether a plan compares the rows with the workspace and shows which cells change. auto: if that takes few requests. full: with as many as needed. none: not at all.',
      ...serverDefault('auto'),
    }),
  ),
  send: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('changed'), Type.Literal('new')], {
      description:
        'Which rows are sent. changed: only those that differ from the workspace; in mode REPLACE all lines of a parent with a difference. new: only those without a record, so that no record is changed. Rows that a plan cannot compare within its requests are not sent until `preview: full` compares them.',
      ...serverDefault('all'),
    }),
  ),
  missing: Type.Optional(
    Type.Union([Type.Literal('keep'), Type.Literal('report'), Type.Literal('delete')], {
      description:
        'Records of rows that took effect when they were committed last and are no longer in the file. keep: nothing is said of them. report: a plan lists them. delete: a step of its own deletes them through `deleteDefinition`.',
      ...serverDefault('report'),
    }),
  ),
  covers: Type.Optional(
    object(
      {
        items: Type.Optional(Type.Literal('all', { description: 'All items of the workspace.' })),
        category: Type.Optional(
          ref('Category', {
            partitionBy: 'resource',
            partitions: WORLDS,
            description: 'The items of a category and of those below it, by path or name.',
          }),
        ),
        numberPrefix: Type.Optional(
          Type.String({ minLength: 1, description: 'The items whose number begins with this text.' }),
        ),
      },
      {
        oneOf: [{ required: ['items'] }, { required: ['category'] }, { required: ['numberPrefix'] }],
        description:
          'What the file of item specs is the whole of: { items: all }, { category: Item\\Resistor } or { numberPrefix: P- }. Items of it that are in the workspace and not in the file are missing rows: `missing` says what becomes of them.',
      },
    ),
  ),
  deleteDefinition: Type.Optional(
    ref('ImportDefinition', {
      description: 'The import definition of mode DELETE through which `missing: delete` deletes records.',
    }),
  ),
  verify: Type.Optional(
    Type.Union([Type.Literal('none'), Type.Literal('sample'), Type.Literal('all')], {
      description:
        'Rows to read back and compare after the commit; of BOMs, files and sourcing with a request or more for each item.',
      ...serverDefault('none'),
    }),
  ),
  beforeImage: Type.Optional(
    Type.Boolean({
      description: 'Save the affected records just before the commit, so that `dexsync import undo` can put them back.',
      ...serverDefault(false),
    }),
  ),
  after: Type.Optional(
    set(ref('Import'), {
      description: 'Imports that must be committed first. Item specs come before BOMs automatically.',
    }),
  ),
});

/** The spec of an Import, without the fields that it clears. */
export type ImportSpec = Static<typeof schema>;
/** The expected number of rows; a share such as `50%` is of the rows that were committed last. */
export type RowExpectation = Static<typeof rowExpectationSchema>;
/** The rule for committing a validated run; `{ maxErrors }` counts failed rows, or their share such as `1%`. */
export type CommitRule = Static<typeof commitRuleSchema>;

/** A bulk import: validate, poll, error report, commit (interface, section 1). */
export const importJob = {
  name: 'Import',
  summary: 'Rows of a file, loaded through an import definition; done once for each content.',
  schema,
} satisfies Job;

/** The spec of a manifest that passed its schema, without the fields that it clears. */
export const toImportSpec = (spec: JsonObject): ImportSpec => withoutNulls(spec) as ImportSpec;
