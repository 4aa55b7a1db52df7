import type { Diagnostic } from '#base/diagnostics.js';
import { readJsonLines } from '#base/files/json-lines.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { type Job, jobDefinition } from '../job.js';
import type { PreviewedRows } from './preview-rows.js';

/**
 * Warns of an import that changes BOMs of released items without a change. The service takes such lines into the
 * working revisions (wire-facts 8.2), which nobody builds from until a change makes them effective.
 */
export async function releasedParents(
  job: Job,
  { changes, released = new Set() }: Pick<PreviewedRows, 'changes' | 'released'>,
): Promise<Diagnostic | undefined> {
  const { resource, options } = jobDefinition(job);
  const isTaken = options?.addToChange !== undefined || options?.newChange !== undefined;
  if (isTaken || changes === undefined || released.size === 0 || resourceNamed(resource).isTree !== true)
    return undefined;
  const parents = new Set<string>();
  for await (const { change, key } of readJsonLines<RowChange>(changes)) {
    const [parent = ''] = key;
    if (CHANGES.includes(change) && released.has(parent)) parents.add(parent);
  }
  return parents.size === 0 ? undefined : finding(job, [...parents]);
}

const CHANGES: readonly RowChange['change'][] = ['new', 'changed', 'removed'];
const MOST = 5;

function finding({ facts: { address, definition, origin } }: Job, parents: readonly string[]): Diagnostic {
  const shown = parents.slice(0, MOST).map((number) => `"${number}"`);
  const more = parents.length > MOST ? ` and ${parents.length - MOST} more` : '';
  const [what, which] = parents.length === 1 ? ['a released item', 'it'] : ['released items', 'them'];
  return {
    ...{ severity: 'warning', code: 'change-missing', origin },
    message: `${address} changes the BOM of ${what} without a change: ${shown.join(', ')}${more}. The lines have no effect until a change releases ${which} again.`,
    hint: `Name an open change by \`addToChange\` in the options of ${definition}, or describe one by \`newChange\`.`,
  };
}
