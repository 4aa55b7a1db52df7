import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnostic } from '#base/diagnostics.js';
import type { SpoolFolder } from '#base/files/spool-folder.js';
import type { Bound } from '#core/engine/bind.js';
import { liveIndex } from '#core/engine/live-index.js';
import { liveUnder } from '#core/engine/live-under.js';
import { overlay } from '#core/engine/spec-after.js';
import { importJob } from '#core/jobs/import.js';
import { importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { Config } from '#project/config/load-config.js';
import { emitDiagnostics } from '#project/project.js';
import { crossCheckJobs } from './cross-check-jobs.js';
import { type Definition, definitionContent, fingerprintDefinition } from './definition.js';
import { type FoundFiles, findFiles, findSource, unreadable } from './find-source.js';
import type { Job } from './job.js';
import type { JobInput } from './job-facts.js';
import { blockOddDefinitions } from './odd-definitions.js';
import { prepareJob } from './prepare-job.js';

/** What preparing all imports of a plan needs. */
export interface JobsInput extends Pick<JobInput, 'observation' | 'workspace' | 'state' | 'history' | 'host'> {
  readonly config: Config;
  readonly bound: readonly Bound[];
  /** Definitions of these imports whose manifests the plan leaves out. */
  readonly leftOut: readonly Bound[];
  /** Imports to run again. */
  readonly again: ReadonlySet<Address>;
  readonly spool: SpoolFolder;
  /** The very files of a release, where they were found. */
  readonly files?: FoundFiles;
}

/** Spools the sources of all imports with readable definitions. An unreadable file is a finding of its manifest. */
export async function prepareJobs(input: JobsInput): Promise<readonly Job[]> {
  const odd = new Set(blockOddDefinitions(input).map(({ address }) => address));
  const manifests = input.bound.filter(
    ({ manifest }) => manifest.kind === importJob.name && !odd.has(manifest.address),
  );
  const jobs: Job[] = [];
  for (const [index, bound] of manifests.entries()) {
    const { desired, ...found } = await findSource(input, bound);
    const files = await findFiles(input, bound);
    const own = join(await input.spool.path(), String(index));
    await mkdir(own, { mode: 0o700 });
    const project = input.config;
    const job = {
      ...{ ...input, ...files, ...found, project, folder: own },
      manifest: { ...bound.manifest, spec: desired },
      definition: definitionNamed(input, String(desired.definition)),
    };
    jobs.push(await prepareJob(job).catch((error: unknown) => unreadable(error, bound, project.folder, input.host)));
  }
  emitDiagnostics(input.host, input.config.folder, sameWork(jobs));
  return crossCheckJobs(jobs, input.host);
}

/** Two manifests that ask for the same rows through the same definition would import them twice. */
function sameWork(jobs: readonly Job[]): Diagnostic[] {
  const first = new Map<string, Address>();
  return jobs.flatMap(({ facts: { key, address, origin } }) => {
    const other = first.get(key);
    first.set(key, other ?? address);
    if (other === undefined) return [];
    const message = `${address} imports the same rows through the same definition as ${other}.`;
    return [{ severity: 'error', code: 'import-repeated', message, hint: 'Remove one of the two.', origin }];
  });
}

/** The definition of this name as it will be after the plan. */
export function definitionNamed(
  { bound, leftOut, observation, state }: Pick<JobsInput, 'bound' | 'leftOut' | 'observation' | 'state'>,
  name: string,
): Definition {
  const isIt = ({ manifest }: Bound): boolean =>
    manifest.kind === importDefinition.name && manifest.metadata.name === name;
  const asked = bound.find(isIt);
  const before = state.objects.get(addressOf(importDefinition.name, name));
  const found = asked?.live ?? liveUnder(importDefinition.name, name, liveIndex(observation), before?.identity);
  const live = 'raw' in found ? found.raw.spec : {};
  const spec = asked === undefined ? live : overlay(importDefinition.schema, asked.desired, live);
  return {
    spec: parseImportDefinition(spec),
    content: asked?.desired ?? definitionContent(live, [leftOut.find(isIt)?.desired, before?.applied]),
    ...('raw' in found ? { fingerprint: fingerprintDefinition(live) } : {}),
  };
}
