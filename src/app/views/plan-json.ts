import type { Plan, Step } from '#core/model/plan.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { RowChanges } from '#data/imports/preview/row-changes.js';

/**
 * Writes the document of `plan --json` in pieces: the plan, in which the preview of each import has all its changed
 * rows, one on each line, not only the first.
 */
export async function* planJson(plan: Plan, changes: Pick<RowChanges, 'of'>): AsyncGenerator<string> {
  // The nonce is random, so no value of a plan can equal the mark.
  const mark = `rows ${plan.nonce} `;
  const marking = (step: Step, index: number): unknown => marked(step, changes, `${mark}${index}`);
  const text = JSON.stringify({ ...plan, steps: plan.steps.map(marking) }, undefined, 2);
  const [before = '', ...parts] = text.split(`"${mark}`);
  yield before;
  for (const part of parts) {
    const end = part.indexOf('"');
    const step = plan.steps[Number(part.slice(0, end))];
    const rows = step === undefined ? undefined : changes.of(step.address);
    yield* rows === undefined ? ['[]'] : rowsJson(rows);
    yield part.slice(end + 1);
  }
  yield '\n';
}

function marked(step: Step, changes: Pick<RowChanges, 'of'>, mark: string): unknown {
  const { preview, address } = step;
  if (preview?.rows === undefined || changes.of(address) === undefined) return step;
  return { ...step, preview: { ...preview, rows: mark } };
}

/** Characters of a piece. */
const BATCH = 64 * 1024;
const INDENT = '          ';

async function* rowsJson(rows: AsyncIterable<RowChange>): AsyncGenerator<string> {
  let batch = '[';
  let count = 0;
  for await (const row of rows) {
    batch += `${count === 0 ? '' : ','}\n${INDENT}${JSON.stringify(row)}`;
    count += 1;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = '';
  }
  yield count === 0 ? '[]' : `${batch}\n${INDENT.slice(2)}]`;
}
