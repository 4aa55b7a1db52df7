import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '#base/errors.js';
import { digestOfManifests } from '#core/engine/normal-form.js';
import { importJob, toImportSpec } from '#core/jobs/import.js';
import type { Manifest } from '#core/model/document.js';
import type { Event } from '#core/stream/event.js';
import { findFile } from '#data/bulk/source/find-file.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openProject, type Project } from '#project/project.js';

/** A summary of a project, which stays equal as long as a plan would find nothing new in the project. */
export interface ProjectStamp {
  /** For a project with errors, the digest of the errors. */
  readonly digest: string;
  /** Imports that run on every apply: a watch would never stop sending them. */
  readonly always: readonly string[];
}

/** Reads the project without reporting its errors. */
export async function readProjectStamp(options: ProjectOptions, host: Host): Promise<ProjectStamp> {
  const found: Event[] = [];
  const project = await openProject(options, { ...host, emit: (event) => void found.push(event) }).catch(reasonOf);
  if (typeof project === 'string') return { digest: digestOf([project, ...found]), always: [] };
  const { config, linked } = project;
  const imports = linked.manifests.filter(({ kind }) => kind === importJob.name);
  const [text, ...sources] = await Promise.all([
    readFile(config.path, 'utf8'),
    ...imports.map((manifest) => sourceStamp(manifest, project)),
  ]);
  return {
    digest: digestOf([text, digestOfManifests(linked.manifests), ...sources]),
    always: imports.filter(({ spec }) => toImportSpec(spec).when === 'always').map(({ address }) => address),
  };
}

const digestOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Returns path, size, time and inode of the files; a file that does not exist yet has a stamp too. */
async function sourceStamp({ origins, spec }: Manifest, { config }: Project): Promise<string> {
  const { source } = toImportSpec(spec);
  const home = resolve(config.folder, dirname(origins.start.file));
  const paths = [findFile(resolve(home, source.file), source).then(({ path }) => path)];
  if (source.files !== undefined) paths.push(Promise.resolve(resolve(home, source.files)));
  const stamps = await Promise.allSettled(
    paths.map(async (path) => {
      const { size, mtimeMs, ino } = await stat(await path);
      return `${await path} ${size} ${mtimeMs} ${ino}`;
    }),
  );
  return stamps.map((one) => (one.status === 'fulfilled' ? one.value : 'none')).join('\n');
}
