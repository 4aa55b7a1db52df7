import type { Diagnostic } from '#base/diagnostics.js';
import { builtIn } from '#core/catalog.js';
import { interpolate } from '#core/manifest/interpolate.js';
import { parseYaml } from '#core/manifest/parse.js';
import { validateManifests } from '#core/manifest/validate.js';
import { type ObjectsDraft, withRemark } from '../draft.js';
import { readListTable } from './list-rows.js';
import { objectsText } from './objects-text.js';

/** Adds a problem to a draft that the checks of manifests do not accept. */
export const checkObjects = async (path: string, draft: ObjectsDraft): Promise<ObjectsDraft> =>
  withProblem(draft, await objectErrors(path, draft));

/** Adds the first of these errors to a draft as its problem. */
export function withProblem(draft: ObjectsDraft, [first, ...more]: readonly Diagnostic[]): ObjectsDraft {
  if (first === undefined) return draft;
  const row = first.origin?.row;
  const others = more.length === 0 ? '' : ` (${more.length} more)`;
  const problem = `${first.message}${row === undefined ? '' : ` It comes from ${row}.`}${others}`;
  return { ...withRemark(draft, `Open: ${problem}`), problem: draft.problem ?? problem };
}

/** The errors that `validate` would find. */
export async function objectErrors(path: string, draft: ObjectsDraft): Promise<readonly Diagnostic[]> {
  const table = await readListTable(path, draft.source);
  const { documents } = parseYaml(objectsText(draft), draft.source.file);
  const filled = interpolate(documents, {}, undefined, { catalog: builtIn, tableOf: () => table });
  const { diagnostics } = validateManifests(filled.documents, builtIn);
  return [...filled.diagnostics, ...diagnostics].filter(({ severity }) => severity === 'error');
}
