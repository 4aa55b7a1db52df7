import { jobRunSchema } from '../model/job-state.js';
import { countSchema, nameSchema, type Shape, Type } from '../model/schema.js';

/** One of several texts. */
export const textEnum = <const V extends string>(...values: readonly V[]) =>
  Type.Unsafe<V>({ type: 'string', enum: values });

/** A text that may be absent. */
export const optionalText = (description?: string) =>
  Type.Optional(Type.String(description === undefined ? {} : { description }));

/** A count that may be absent. */
export const optionalCount = (description?: string) => Type.Optional(countSchema(description));

/** The number of a run, if the service gives it one. */
export const runNumber = Type.Optional(Type.Integer({ description: "The service's number of the run." }));

/** The schema of a finding in a source file, as `--json` prints it. */
const findingSchema = Type.Object({
  severity: textEnum('error', 'warning'),
  code: nameSchema('Stable, in kebab case.'),
  message: Type.String(),
  hint: optionalText(),
  file: Type.String({ description: 'Relative to the working folder.' }),
  worksheet: optionalText(),
  row: optionalCount('Counted from 1 in the file.'),
  column: optionalText('The header of the column.'),
  cell: optionalText('Of a worksheet: H6.'),
  value: optionalText(),
});

/** The schema of the findings in the source of an import. */
export const foundInSourceSchema = Type.Object({
  kept: Type.Array(findingSchema, { description: 'The first findings; the counts are of all.' }),
  groups: Type.Array(
    Type.Object({
      severity: findingSchema.properties.severity,
      code: findingSchema.properties.code,
      column: findingSchema.properties.column,
      count: countSchema(),
      cases: Type.Array(
        Type.Object({
          finding: findingSchema,
          count: countSchema(),
          rows: Type.Array(countSchema(), { description: 'The first of them.' }),
        }),
        { description: 'The first that say different things.' },
      ),
    }),
    { description: 'The findings by cause and column: errors first, and the most frequent first.' },
  ),
  errors: countSchema(),
  warnings: countSchema(),
  byCode: Type.Record(Type.String(), countSchema()),
});

const sampleSchema = {
  row: optionalCount('Absent if neither row number nor key lead to a row.'),
  worksheet: optionalText(),
  key: optionalText(),
  column: optionalText(),
  value: optionalText(),
};

const causeSchema = Type.Object({
  code: Type.Optional(
    Type.Unsafe<number | string>(
      { type: ['number', 'string'] },
      { description: "The service's number, or the name of a finding." },
    ),
  ),
  message: Type.String({ description: 'Without what differs from row to row.' }),
  count: countSchema(),
  explanation: optionalText(),
  advice: optionalText(),
  samples: Type.Array(Type.Object(sampleSchema), { description: 'The first ones.' }),
});

const rowErrorSchema = Type.Object({
  row: sampleSchema.row,
  alsoRows: Type.Optional(
    Type.Array(countSchema(), { description: 'Rows of the file that were added to it (`repeated: sum`).' }),
  ),
  alsoIn: Type.Optional(
    Type.Array(Type.String(), { description: 'The worksheets of these rows, if one of them is in another one.' }),
  ),
  dataRow: optionalCount('Which data row of the import, counted from 1.'),
  orDataRow: optionalCount('The other data row that may be meant.'),
  worksheet: optionalText(),
  key: Type.String(),
  part: optionalText('Of a BOM line: the number of the part.'),
  column: optionalText(),
  value: optionalText(),
  code: Type.Optional(Type.Number()),
  message: Type.String(),
  cause: Type.String({ description: 'The message of its group.' }),
  certainty: textEnum('certain', 'by-row', 'by-key', 'doubtful'),
  doubt: optionalText('What row number and key each say if they disagree.'),
});

const rowsFileSchema = Type.Object({ path: Type.String(), rows: countSchema() });

const settledRuns = {
  runs: Type.Array(jobRunSchema),
  counts: Type.Array(
    Type.Object({
      number: runNumber,
      first: Type.Integer(),
      last: Type.Integer(),
      succeeded: countSchema(),
      failed: countSchema(),
    }),
  ),
  rows: countSchema('Rows sent.'),
  succeeded: countSchema(),
  failed: countSchema(),
  errors: Type.Object({
    count: countSchema(),
    kept: Type.Array(rowErrorSchema, { description: 'The first failed rows; `count` is of all.' }),
    groups: Type.Array(causeSchema, { description: 'Failed rows by cause, most frequent first.' }),
  }),
  findings: Type.Array(findingSchema),
  changes: Type.Optional(
    Type.Array(Type.String(), { description: 'The numbers of the changes that got the items of the rows.' }),
  ),
  before: Type.Optional(
    Type.Object(
      { before: rowsFileSchema, absent: rowsFileSchema },
      { description: 'What the records contained before the commit; keys of records that did not exist.' },
    ),
  ),
  verified: Type.Optional(Type.Object({ checked: countSchema(), different: countSchema(), missing: countSchema() })),
};

/** The schema of `ImportOutcome`. */
export const outcomeSchema = Type.Tagged('outcome', [
  Type.Object({ ...settledRuns, outcome: Type.Literal('committed') }),
  Type.Object({
    ...settledRuns,
    outcome: Type.Literal('rejected'),
    limit: Type.Number(),
    reason: Type.String(),
  }),
  Type.Object({ ...settledRuns, outcome: Type.Literal('validated') }),
]);

/** The schema of `ReportFiles`. */
export const reportFilesSchema = Type.Object({
  success: Type.String(),
  failed: Type.String(),
  unprocessed: Type.String(),
  json: Type.String(),
  page: Type.String(),
  workbook: Type.Optional(
    Type.Object(
      { path: Type.String(), rows: countSchema() },
      { description: 'The first failed rows, with a comment at each failed cell; absent if no row failed.' },
    ),
  ),
  counts: Type.Object({
    success: countSchema(),
    failed: countSchema(),
    unprocessed: countSchema(),
    rows: countSchema(),
    doubtful: countSchema('Lines of the error reports that may mean another row.'),
    unplaced: countSchema('Lines that lead to no row.'),
  }),
});

/** The written files: paths, and the number of rows in each file of rows. */
export interface ReportFiles extends Shape<typeof reportFilesSchema> {}

/** The schema of `ImportEvent`. */
export const importEventSchema = Type.Union([
  Type.Object({ type: Type.Literal('reading'), rows: countSchema() }),
  Type.Object({
    type: Type.Literal('comparing'),
    what: textEnum('items', 'BOMs', 'BOM lines', 'files', 'items with files', 'items with sourcing'),
    count: countSchema(),
  }),
  Type.Object({ type: Type.Literal('uploading'), bytes: countSchema(), total: countSchema() }),
  Type.Object({
    type: textEnum('validating', 'committing'),
    run: Type.String({ description: 'GUID of the run.' }),
    number: runNumber,
    polls: countSchema(),
    processed: countSchema('Rows that the service has processed, of `total`.'),
    total: countSchema(),
    speed: Type.Optional(Type.Number({ description: 'Rows per second; absent until a poll showed progress.' })),
    wait: Type.Optional(
      Type.Number({ description: 'Milliseconds until the next poll; absent once the run is complete.' }),
    ),
    because: Type.Optional(textEnum('queued', 'rows', 'quota')),
  }),
  Type.Object({
    type: Type.Literal('reading-back'),
    what: textEnum('before image', 'verify'),
    done: countSchema(),
    of: countSchema(),
  }),
  Type.Object({
    type: Type.Literal('errors-found'),
    phase: textEnum('validating', 'committing'),
    errors: countSchema(),
  }),
  Type.Object({
    type: Type.Literal('decided'),
    decision: textEnum('commit', 'reject', 'leave'),
    errors: countSchema(),
    rows: countSchema(),
  }),
  Type.Object({ type: Type.Literal('done'), outcome: textEnum('committed', 'rejected', 'validated') }),
]);
