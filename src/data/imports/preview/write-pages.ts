import { join } from 'node:path';
import { throwAsDisk } from '#base/files/disk-error.js';
import { readJsonLines } from '#base/files/json-lines.js';
import { makeFolder } from '#base/files/make-folder.js';
import { replaceFile } from '#base/files/replace-file.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { redactPieces, type Secrets } from '#base/secrets.js';
import { splitAddress } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { PreviewPage } from '#core/stream/event.js';
import { changesPage } from '../../bulk/compare/page/changes-page.js';
import { type Job, jobDefinition } from '../job.js';
import { fileName } from '../report-folder.js';

/** The plan that pages show, and where they are written. */
export interface PageTarget {
  readonly plan: Pick<Plan, 'workspace' | 'environment' | 'createdAt'>;
  /** The absolute path, and its name in messages. */
  readonly folder: string;
  readonly shown: string;
  readonly secrets: Secrets;
}

/** Readable only by the owner: a page has rows of the file and values of the workspace. */
const OWN = { newMode: 0o600 } as const;

/** Writes a page for each import whose rows were compared. Throws DISK or FILE_UNWRITABLE. */
export async function writePages(
  jobs: readonly Job[],
  { plan, folder, shown, secrets }: PageTarget,
): Promise<PreviewPage[]> {
  const pages: PreviewPage[] = [];
  const taken = new Set<string>();
  for (const job of jobs) {
    const { address, preview } = job.facts;
    const { compared } = job;
    if (compared === undefined || preview?.counts === undefined) continue;
    const name = freeName(fileName(splitAddress(address).name), taken);
    const page = changesPage({
      facts: {
        ...{ address, definition: job.facts.definition, environment: plan.environment, at: plan.createdAt },
        workspace: plan.workspace.name,
      },
      preview,
      counts: preview.counts,
      columns: job.prepared.columns,
      definition: jobDefinition(job),
      ...omitUndefined({ only: compared.only }),
      table: await job.openTable(),
      changes: readJsonLines<RowChange>(compared.changes),
    });
    const file = join(shown, name);
    await replaceFile(join(folder, name), redactPieces(page, secrets), OWN).catch((error: unknown) =>
      throwAsDisk(error, file),
    );
    pages.push({ address, file });
  }
  return pages;
}

/** Creates the folder of the pages before a request is spent on what they show. */
export const preparePages = (folder: string, shown: string): Promise<void> =>
  makeFolder(folder).catch((error: unknown) => throwAsDisk(error, `The folder of pages ${shown}`));

/** Finds a free name: names that differ only in letter case are one file on some systems. */
function freeName(name: string, taken: Set<string>): string {
  const short = name.slice(0, LONGEST);
  let free = short;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${short}-${number}`;
  taken.add(free.toLowerCase());
  return `${free}.html`;
}

/** In characters; file systems take 255 bytes. */
const LONGEST = 60;
