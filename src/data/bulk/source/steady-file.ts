import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { unreadableFile } from './unreadable-file.js';

/** In milliseconds. A file that changed this recently may not be complete yet. */
const RECENT = 2000;
const PATIENCE = 50;

/**
 * Records the state of the file. The returned function throws if the file has changed by then; it watches a recently
 * written file for a moment, so that half a file is not read as a whole one. `moment`: what to wait for then.
 */
export async function steadyFile(
  path: string,
  file: string,
  moment: () => Promise<unknown> = () => wait(PATIENCE),
): Promise<() => Promise<void>> {
  const before = await stat(path);
  const watched = Date.now() - before.mtimeMs < RECENT ? moment() : undefined;
  return async () => {
    await watched;
    const { size, mtimeMs, ino } = await stat(path).catch((error: unknown) => {
      throw unreadableFile(`${file} was removed while it was read.`, 'Put it back, then repeat the command.', error);
    });
    if (size === before.size && mtimeMs === before.mtimeMs && ino === before.ino) return;
    const grown = size === before.size ? '' : ` (${before.size} bytes, then ${size})`;
    throw unreadableFile(
      `${file} changed while it was read${grown}.`,
      'Wait until it is complete, then repeat the command. The safest way to export is to write to a temporary file and then rename it.',
    );
  };
}
