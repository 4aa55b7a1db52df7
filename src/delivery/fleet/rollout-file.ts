import { resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { readLines } from '#base/files/json-lines.js';
import { readNamedFile } from '#base/files/read-named-file.js';
import { parseRollout, ROLLOUT_FORMAT, type Rollout } from '#ledger/stored-rollout.js';
import type { Host } from '#project/host.js';

/** The beginning of the file of a rollout. */
export const ROLLOUT = new RegExp(`^\\{"format":"${ROLLOUT_FORMAT}"`);

const PLANS = ',"plans":[';

/** The text of the file of a rollout: its facts in the first line, then each plan in a line of its own. */
export async function* rolloutFileText(rollout: Rollout, plans: AsyncIterable<string>): AsyncGenerator<string> {
  yield `${JSON.stringify(rollout).slice(0, -1)}${PLANS}\n`;
  let before = '';
  for await (const plan of plans) {
    yield `${before}${plan}`;
    before = ',\n';
  }
  yield '\n]}\n';
}

/** A rollout in a file, whose plans are read one by one. */
export interface RolloutFile {
  readonly rollout: Rollout;
  /** The text of each plan. */
  plans(): AsyncIterable<string>;
}

/** Opens the file of a rollout. Throws FILE_UNREADABLE and PLAN_INVALID. */
export async function openRolloutFile(file: string, { cwd }: Pick<Host, 'cwd'>): Promise<RolloutFile> {
  const path = resolve(cwd, file);
  const line = await readNamedFile({ path, what: `The rollout ${file}`, hint: SAVE_ONE }, () => firstLineOf(path));
  const rollout = line.endsWith(PLANS) ? parseRollout(`${line.slice(0, -PLANS.length)}}`) : undefined;
  if (rollout === undefined) throw notARollout(file, line);
  return { rollout, plans: () => plansIn(path) };
}

async function firstLineOf(path: string): Promise<string> {
  for await (const line of readLines(path)) return line;
  return '';
}

async function* plansIn(path: string): AsyncGenerator<string> {
  let number = 0;
  for await (const line of readLines(path)) {
    number += 1;
    if (number > 1 && line.startsWith('{')) yield line.endsWith(',') ? line.slice(0, -1) : line;
  }
}

const SAVE_ONE = '`dexsync fleet plan FLEET --out FILE` saves a rollout.';

function notARollout(file: string, line: string): DexsyncError {
  if (ROLLOUT.test(line))
    return new DexsyncError('PLAN_ALTERED', `${file} was changed after it was saved, or is cut.`, {
      hint: 'Save the rollout again with `dexsync fleet plan`.',
    });
  const isPlan = line.startsWith('{') && !line.includes('dexsync-rollout/');
  const hint = isPlan ? `${SAVE_ONE} \`dexsync apply\` applies the plan of one environment.` : SAVE_ONE;
  return new DexsyncError('PLAN_INVALID', `${file} is not a rollout of this version.`, { hint });
}
