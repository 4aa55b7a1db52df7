import type { World } from '../harness/world.js';
import { type SentLines, undoOfLines, withRows } from '../model/bom.js';
import type { Rows } from '../model/rows.js';
import { Violation } from '../violation.js';

/** The name of the list of BOM lines. */
export const LINES = 'Lines';

/** Laws 1 and 2: the BOMs of the workspace have the lines that the model says, with their quantities. */
export async function judgeLines({ workspace: { rows }, records }: World): Promise<void> {
  if (rows.commits.every((commit) => commit.lines === undefined)) return;
  const seen = await records.lines.read();
  for (const key of seen.keys())
    if (!rows.lines.has(key)) throw new Violation(1, `The line ${key} is in the workspace, and nobody made it.`);
  for (const [key, right] of rows.lines) {
    const is = seen.get(key);
    if (is !== right)
      throw new Violation(1, `The quantity of ${key} is ${is ?? 'that of no line'}, where ${right} is right.`);
  }
}

/**
 * Whether the service accepts the lines that an undo sends: it refuses items that no longer exist, and assemblies that
 * would be parts of themselves. Assemblies are put back one after the other, the last one that was sent first.
 */
export function canBePutBack({ records, lines }: Rows, sent: SentLines | undefined): boolean {
  if (sent === undefined) return true;
  const { back, deletes } = undoOfLines(lines, sent);
  const stay = new Map([...lines].filter(([key]) => !deletes.includes(key)));
  const areThere = back.every(({ Assembly, Part }) => records.has(Assembly) && records.has(Part));
  return areThere && withRows(stay, sent.mode, back) !== undefined;
}
