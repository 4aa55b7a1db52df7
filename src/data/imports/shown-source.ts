import { isAbsolute } from 'node:path';
import type { Host } from '#project/host.js';
import { shownFile } from '#project/shown-file.js';
import { type Job, jobSpec } from './job.js';

/**
 * The file of an import as findings show it: relative to the current folder, or absolute if it was given so. A manifest
 * names it from its own folder, and a plan keeps it relative to the project.
 */
export const shownSource = (job: Pick<Job, 'facts' | 'project'>, host: Pick<Host, 'cwd'>): string =>
  shownName(jobSpec(job).source.file, job.facts.request.path, job.project, host);

/** The shown name of a source that is about to be read. `path`: from the project. */
export const shownName = (
  file: string,
  path: string,
  { folder }: Job['project'],
  { cwd }: Pick<Host, 'cwd'>,
): string => (isAbsolute(file) ? file : shownFile(cwd, folder)(path));

/** Findings of a source, with its file as it is shown. */
export const findingsAt = <Found extends { readonly file: string }>(
  file: string,
  findings: readonly Found[],
): Found[] => findings.map((finding) => ({ ...finding, file }));
