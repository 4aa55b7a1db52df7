import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Diagnostic } from '#base/diagnostics.js';
import { naturalOrder } from '#base/natural-order.js';
import {
  type FoundFiles,
  filesUnder,
  type LoadedFiles,
  leadsOut,
  readSource,
  type SourceFile,
  toSource,
  unreadableFile,
} from '#core/manifest/load.js';
import type { Host } from './host.js';
import { STANDARD_INPUT, shownFile } from './shown-file.js';

/**
 * Loads manifests that were named explicitly: files of any name, folders, and `-` for standard input. They may be
 * outside the project; messages then show their whole path.
 */
export async function loadGiven(project: string, given: readonly string[], host: Host): Promise<LoadedFiles> {
  const root = await realpath(project);
  const paths = [...new Set(given)].filter((path) => path !== '-');
  const found = await Promise.all(paths.map((path) => findGiven(root, host.cwd, path)));
  const shown = shownFile(host.cwd, root);
  const unique = [...new Set(found.flatMap(({ files }) => files))].sort(naturalOrder);
  const sources = await Promise.all(
    unique.map((path) => readSource(path, nameIn(root, path), shown(nameIn(root, path)))),
  );
  const input = given.includes('-') ? [await readStandardInput(host)] : [];
  const all = [...sources, ...input];
  const isSource = (one: SourceFile | Diagnostic): one is SourceFile => 'text' in one;
  const refused = all.filter((one): one is Diagnostic => !isSource(one));
  return { files: all.filter(isSource), diagnostics: [...found.flatMap(({ diagnostics }) => diagnostics), ...refused] };
}

const nameIn = (root: string, path: string): string => (leadsOut(root, path) ? path : relative(root, path));

async function findGiven(root: string, cwd: string, given: string): Promise<FoundFiles> {
  const path = resolve(cwd, given);
  try {
    if (!(await stat(path)).isDirectory()) return { files: [path], diagnostics: [] };
    const folder = await realpath(path);
    const found = await filesUnder(leadsOut(root, folder) ? folder : root, folder);
    if (found.files.length + found.diagnostics.length > 0) return found;
    return missingManifests(`"${given}" contains no .yaml or .yml file.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      return { files: [], diagnostics: [unreadableFile(given, error)] };
    return missingManifests(`Manifests are expected at "${given}", but it does not exist.`);
  }
}

const missingManifests = (message: string): FoundFiles => {
  const hint = 'Give a file, a folder, or "-" for standard input.';
  return { files: [], diagnostics: [{ severity: 'error', code: 'manifests-missing', message, hint }] };
};

async function readStandardInput({ input, cwd }: Host): Promise<SourceFile | Diagnostic> {
  const chunks: Uint8Array[] = [];
  if (input !== undefined) for await (const chunk of input()) chunks.push(chunk);
  return toSource(Buffer.concat(chunks), join(cwd, STANDARD_INPUT), STANDARD_INPUT);
}
