import { resolve } from 'node:path';
import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { throwAsUnwritable } from '#base/files/disk-error.js';
import { replaceFile } from '#base/files/replace-file.js';
import type { Catalog } from '#core/catalog.js';
import { formatYaml } from '#core/manifest/format.js';
import type { LoadedFiles, SourceFile } from '#core/manifest/load.js';
import { findCatalog } from '#project/find-catalog.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { loadGiven } from '#project/load-given.js';
import { loadAll } from '#project/load-layers.js';
import { emitDiagnostics, openConfig } from '#project/project.js';
import { shownFile } from '#project/shown-file.js';

/** The files to format, and whether to change them. */
export interface FormatOptions extends Pick<ProjectOptions, 'config'> {
  /** Files and folders; by default those of the configuration. */
  readonly paths: readonly string[];
  readonly write: 'changed files' | 'nothing';
}

/** A file that is not formatted, or was not before. */
export interface FormattedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A valid file that has no standard form. */
export interface LeftFile {
  readonly file: string;
  readonly because: string;
}

/** The number of files, and those that were changed or left. */
export interface FormatResult {
  readonly files: number;
  readonly changed: readonly FormattedFile[];
  readonly left: readonly LeftFile[];
}

/** Formats manifests. Leaves a file that is not valid YAML as it is, and formats the others nevertheless. */
export async function format(
  options: FormatOptions,
  host: Host,
  onChanged: (file: FormattedFile) => void = () => undefined,
): Promise<FormatResult> {
  if (options.paths.includes('-')) throw notFromInput();
  const { folder, files, diagnostics, catalog } = await loadFiles(options, host);
  const shown = shownFile(host.cwd, folder);
  const found: Diagnostic[] = [...diagnostics];
  const changed: FormattedFile[] = [];
  const left: LeftFile[] = [];
  for (const source of files) {
    const formatted = formatYaml(source.text, source.file, catalog);
    if ('diagnostics' in formatted) {
      found.push(...formatted.diagnostics);
    } else if ('left' in formatted) {
      left.push({ file: shown(source.file), because: formatted.left });
    } else if (formatted.text !== source.text) {
      const change = { file: shown(source.file), before: source.text, after: formatted.text };
      if (options.write === 'changed files') await write({ ...source, file: change.file }, formatted.text);
      changed.push(change);
      onChanged(change);
    }
  }
  emitDiagnostics(host, folder, found);
  return { files: files.length, changed, left };
}

interface FilesToFormat extends LoadedFiles {
  /** The folder that their names are relative to. */
  readonly folder: string;
  readonly catalog: Catalog;
}

async function loadFiles({ config, paths }: FormatOptions, host: Host): Promise<FilesToFormat> {
  const { cwd } = host;
  const project = config === undefined ? {} : { config };
  if (paths.length > 0)
    return { folder: cwd, catalog: await findCatalog(project, host), ...(await loadGiven(cwd, paths, host)) };
  const opened = await openConfig(project, host);
  return { folder: opened.folder, catalog: opened.catalog, ...(await loadAll(opened, host)) };
}

async function write({ path, file }: SourceFile, text: string): Promise<void> {
  await replaceFile(resolve(path), text).catch((error: unknown) =>
    throwAsUnwritable(error, 'It was not changed.', file),
  );
}

const notFromInput = (): DexsyncError =>
  new DexsyncError('USAGE', '`fmt` changes files in place and cannot read standard input.', {
    hint: 'Give files or folders.',
  });
