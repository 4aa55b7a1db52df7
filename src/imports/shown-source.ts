import { isAbsolute } from 'node:path';
import type { Host } from '../host.js';
import { shownFile } from '../project/shown-file.js';
import { type Job, specOf } from './job.js';

/**
 * The file of an import as findings show it: from where the user stands, or as an absolute path where it was given as one.
 * A manifest names it from its own folder, and a plan keeps it relative to the project.
 */
export function shownSource(job: Pick<Job, 'facts' | 'accounting'>, { cwd }: Pick<Host, 'cwd'>): string {
  const { file } = specOf(job).source;
  return isAbsolute(file) ? file : shownFile(cwd, job.accounting.project.folder)(job.facts.request.path);
}

/** Findings of a source, with its file as it is shown. */
export const findingsAt = <Found extends { readonly file: string }>(
  file: string,
  findings: readonly Found[],
): Found[] => findings.map((finding) => ({ ...finding, file }));
