import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readNamedFile } from '#base/files/read-named-file.js';
import { noSuchPlan } from '#ledger/document-store.js';
import { readStoredPlan, type StoredPlan } from '#ledger/stored-plan.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { nameInLedger } from './plan-reference.js';

/** The project and environment whose ledger `ledger:NAME` refers to. */
export type PlanPlace = Pick<ProjectOptions, 'config' | 'environment'>;

/** A saved plan as text, with the ledger's facts about it if it is kept there. */
export interface PlanText {
  readonly text: string;
  readonly stored?: StoredPlan;
}

/** Reads a saved plan by its reference: a file, or `ledger:NAME`. */
export async function planTextAt(reference: string, place: PlanPlace, host: Host): Promise<PlanText> {
  const name = nameInLedger(reference);
  if (name === undefined) return { text: await textOf(reference, host) };
  // A plan file needs no configuration.
  const { withPlans } = await import('#project/connection/plans-of.js');
  return withPlans(place, host, async ({ plans }) => {
    const found = await readStoredPlan(plans, name);
    if (found === undefined) throw noSuchPlan(name);
    return { text: JSON.stringify(found.document), stored: found.stored };
  });
}

/** In bytes: larger than any plan that could be reviewed, and small enough to be read at once. */
const LARGEST = 128 * 1024 * 1024;

async function textOf(file: string, { cwd }: Host): Promise<string> {
  const path = resolve(cwd, file);
  const hint = `\`dexsync plan --out FILE\` saves a plan${/[./]/.test(file) ? '' : '; `dexsync env list` lists the environments'}.`;
  return readNamedFile({ path, what: `The plan ${file}`, hint }, (size) => {
    if (size > LARGEST) throw new Error(`it has ${size} bytes, and a plan has at most ${LARGEST}`);
    return readFile(path, 'utf8');
  });
}
