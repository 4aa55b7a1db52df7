import { type Stats, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { COMMAND_LINE } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { openReplacement, replaceFile } from '#base/files/replace-file.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { redactPieces } from '#base/secrets.js';
import { LEDGER } from '#core/engine/prune.js';
import { type Event, NOTHING_DONE } from '#core/stream/event.js';
import { decidedName } from '#project/config/environment-settings.js';
import { type LoadedConfig, loadConfig } from '#project/config/load-config.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { STANDARD_INPUT } from '#project/shown-file.js';
import { collectReport } from '../views/report/collect-report.js';
import type { ReportFormat } from '../views/report/formats.js';
import { renderReport } from '../views/report/render-report.js';
import type { ReportEnd, ReportPart, ReportSetting } from '../views/report/report.js';
import type { Output } from '../views/view.js';

/** One `--output`: a format, and a file or `-` for standard output. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

/** The reports to write, and the command that they are about. */
export interface ReportOptions extends ProjectOptions {
  readonly targets: readonly ReportTarget[];
  /** As typed after `dexsync`. */
  readonly command: string;
  /** The fleet or rollout that the command names. */
  readonly subject?: string | undefined;
  /** The form of the command's `--json`. */
  readonly json: 'document' | 'events';
  readonly out: Output;
}

/** A long text in pieces. */
type Pieces = () => Promise<AsyncIterable<string>>;
type ReportText = string | AsyncIterable<string>;

/** The reports of a running command. */
export interface OpenReport {
  event(event: Event): void;
  /** Adds a result beside the events: `--json` prints `document`, and `pieces` is its text if that is long. */
  add(part: ReportPart, document: unknown, pieces?: () => Promise<AsyncIterable<string>>): void;
  /** Writes all reports. Throws FILE_UNWRITABLE or DISK after the others are written. */
  write(end: ReportEnd): Promise<void>;
}

/** Throws FILE_UNWRITABLE or DISK if a file cannot be written, before any request is spent. */
export async function openReport(options: ReportOptions, host: Host): Promise<OpenReport> {
  for (const { file } of filesIn(options.targets)) await checkWritable(resolve(host.cwd, file), file);
  const setting = await settingOf(options, host);
  const collector = collectReport();
  const isJsonWanted = options.targets.some(({ format }) => format === 'json');
  const json = jsonCollector(options.json);
  return {
    event(event) {
      collector.event(event);
      if (isJsonWanted) json.event(event);
    },
    add(part, document, pieces) {
      collector.add(host.secrets.redactValue(part));
      json.add(document, pieces);
    },
    async write(end) {
      const report = collector.report(setting, end);
      const textOf = async ({ format }: ReportTarget): Promise<ReportText> => {
        const text = format === 'json' ? await json.text(end, report.diagnostics) : await renderReport(format, report);
        return typeof text === 'string' ? host.secrets.redact(text) : redactPieces(text, host.secrets);
      };
      for (const target of options.targets.filter(({ file }) => file === '-'))
        await writeTo(options.out, await textOf(target));
      await writeAll(
        filesIn(options.targets).map((target) => ({ path: resolve(host.cwd, target.file), target })),
        textOf,
      );
    },
  };
}

const filesIn = (targets: readonly ReportTarget[]): ReportTarget[] => targets.filter(({ file }) => file !== '-');

async function writeTo(out: Output, text: ReportText): Promise<void> {
  if (typeof text === 'string') return out.write(text);
  for await (const piece of text) {
    out.write(piece);
    await out.drained?.();
  }
}

async function writeAll(
  files: readonly { readonly path: string; readonly target: ReportTarget }[],
  textOf: (target: ReportTarget) => Promise<ReportText>,
): Promise<void> {
  const tried = await Promise.allSettled(
    files.map(async ({ path, target }) => {
      const text = await textOf(target);
      const writing = isReplaceable(path) ? replaceFile(path, text) : writeFile(path, text);
      await writing.catch((error: unknown) => throwAsDisk(error, `The output file ${target.file}`));
    }),
  );
  for (const one of tried) if (one.status === 'rejected') throw one.reason;
}

async function checkWritable(path: string, file: string): Promise<void> {
  const hint = 'Give another file with `--output FORMAT=FILE`, or create its folder.';
  if (statOf(dirname(path))?.isDirectory() !== true)
    throw new DexsyncError('FILE_UNWRITABLE', `The folder of the output file ${file} does not exist.`, { hint });
  if (statOf(path)?.isDirectory() === true)
    throw new DexsyncError('FILE_UNWRITABLE', `The output file ${file} is a folder.`, { hint });
  if (!isReplaceable(path)) return;
  await openReplacement(path)
    .then((replacement) => replacement.abandon())
    .catch((error: unknown) => throwAsDisk(error, `The output file ${file}`));
}

/** Returns false for a pipe or a device, such as /dev/stderr, which is written to directly. */
function isReplaceable(path: string): boolean {
  const found = statOf(path);
  return found === undefined || found.isFile();
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** Works for a project that cannot be read too: its reports say so. */
async function settingOf(
  { command, subject, config: given, environment }: ReportOptions,
  host: Host,
): Promise<ReportSetting> {
  const { cwd, variables, version, clock } = host;
  const config = await configOf(host, given);
  const folder = config?.folder ?? cwd;
  const root = repositoryOf(folder) ?? folder;
  const fromRoot = (path: string): string => slashed(relative(root, path));
  // `validate` checks all environments unless one was chosen.
  const fallback = command === 'validate' ? undefined : config?.defaultEnvironment;
  const name = subject === undefined ? (decidedName(environment, variables) ?? fallback) : undefined;
  return {
    ...{ command, version, at: clock().toISOString(), root: slashed(root) },
    ...omitUndefined({ environment: name, subject }),
    here: fromRoot(cwd),
    project: fromRoot(folder),
    config: fromRoot(config?.path ?? resolve(cwd, given ?? 'sync.config.yaml')),
    noFiles: [STANDARD_INPUT, COMMAND_LINE.file, LEDGER.file],
  };
}

const configOf = async (host: Host, given: string | undefined): Promise<LoadedConfig | undefined> =>
  loadConfig(host, given).then(
    ({ config }) => config,
    () => undefined,
  );

/** Finds the nearest folder with a `.git`, which in a worktree or a submodule is a file. */
function repositoryOf(folder: string): string | undefined {
  if (statOf(join(folder, '.git')) !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

const slashed = (path: string): string => path.replaceAll(sep, '/');

/** Collects the output of `--json` for a file. */
function jsonCollector(form: ReportOptions['json']) {
  const lines: string[] = [];
  let document: unknown;
  let inPieces: Pieces | undefined;
  return {
    event: (event: Event): void => {
      if (form === 'events') lines.push(`${JSON.stringify(event)}\n`);
    },
    add: (given: unknown, pieces?: Pieces): void => {
      document = given;
      inPieces = pieces;
    },
    async text({ failure }: ReportEnd, diagnostics: readonly unknown[]): Promise<ReportText> {
      if (form === 'events') {
        const { exitCode } = failure ?? {};
        const end =
          failure === undefined
            ? []
            : [
                { type: 'error', ...failure },
                { ...NOTHING_DONE, exitCode },
              ];
        return [...lines, ...end.map((event) => `${JSON.stringify(event)}\n`)].join('');
      }
      if (failure === undefined && inPieces !== undefined) return inPieces();
      const value = failure === undefined ? document : { error: failure, diagnostics };
      return `${JSON.stringify(value, undefined, 2)}\n`;
    },
  };
}
