import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { digestOfPlan } from '../engine/normal-form.js';
import { DexsyncError, throwAsDisk } from '../errors.js';
import { replaceFile } from '../files/replace-file.js';
import type { Host } from '../host.js';
import type { Plan } from '../model/plan.js';
import { digestText, planKey, sign } from '../planfile/signature.js';
import { shellWord } from '../shell-word.js';
import { type PlanOptions, plan } from './plan.js';

/** How a plan is made, and where it is saved. */
export interface SavePlanOptions extends PlanOptions {
  /** The file to save the plan to. */
  readonly out: string;
}

/** The plan as it was saved. */
export interface PlanSaved {
  readonly plan: Plan;
  /** What applies it. */
  readonly command: string;
}

/** Plans, and saves the plan so that exactly it can be applied later. With DEXSYNC_PLAN_KEY it is signed. */
export async function planInto(options: SavePlanOptions, host: Host): Promise<PlanSaved> {
  const path = resolve(host.cwd, options.out);
  await refuseOther(path, options.out);
  const made = await plan(options, host);
  const outside = sourceOutside(made);
  if (outside !== undefined) throw outside;
  const text = textOf(made, host);
  const replacing = { mayReplace: () => refuseOther(path, options.out), newMode: OWN };
  await replaceFile(path, text, replacing).catch((error: unknown) =>
    throwAsDisk(error, `The plan file ${options.out}`),
  );
  return { plan: made, command: `dexsync apply ${shellWord(options.out)}` };
}

/** Readable by its owner alone: it tells how a workspace is set up. */
const OWN = 0o600;

function textOf(made: Plan, { variables }: Host): string {
  const digest = digestText(digestOfPlan(made));
  const key = planKey(variables);
  const hmac = key === undefined ? {} : { hmac: sign(digest, key) };
  return `${JSON.stringify({ ...made, digest, ...hmac }, undefined, 1)}\n`;
}

/** How a saved plan begins, whatever its version. */
const PLAN = /^\s*\{\s*"format":\s*"dexsync-plan\//;

/** A slip of the fingers must not cost a manifest. */
async function refuseOther(path: string, file: string): Promise<void> {
  await stat(dirname(path)).catch((error: unknown) => throwAsDisk(error, `The folder of the plan file ${file}`));
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size === 0) return;
  if (found.isFile() && PLAN.test(await readFile(path, 'utf8').catch(() => ''))) return;
  throw new DexsyncError('USAGE', `${file} already exists and is not a plan, so it is not replaced.`, {
    hint: 'Give another file with `--out`.',
  });
}

/** Whoever applies the plan reads the sources of its imports again, from the project. */
function sourceOutside({ steps }: Plan): DexsyncError | undefined {
  for (const { address, writes } of steps) {
    for (const write of writes) {
      if (write.verb !== 'import' || !/^(\.\.(\/|$)|\/|[A-Za-z]:)/.test(write.request.path)) continue;
      const message = `${address} reads a file outside the project folder, so this plan cannot be saved.`;
      return new DexsyncError('USAGE', message, { hint: 'Move the file into the project, or apply without saving.' });
    }
  }
  return undefined;
}
