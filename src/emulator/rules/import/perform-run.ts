import type { Dialect } from '../../dialects/dialect.js';
import type { ImportDefinition } from '../../families/import-definitions.js';
import { type ImportRun, importRuns, NO_ROWS } from '../../families/import-runs.js';
import { setFields } from '../../family/records.js';
import { detectFileType, readSource } from '../../sources/read-source.js';
import { SourceError } from '../../sources/source.js';
import { type Database, Interruption } from '../../store/database.js';
import { trackDrafts } from '../../store/extracts.js';
import type { Warning } from '../../store/imports.js';
import { readAttributes } from '../../store/item-settings.js';
import type { RunFiles } from '../../store/run-files.js';
import { zulu } from '../date-times.js';
import { recordEvents } from '../events/record-events.js';
import type { Chance, Clock } from '../guid-source.js';
import { findAttributeWorld, listImportFields } from '../import-fields.js';
import { ServiceError } from '../service-error.js';
import { addToChange } from './add-to-change.js';
import { bindColumns } from './columns.js';
import { FileContents } from './file-contents.js';
import { type ImportContext, openContext } from './import-context.js';
import { type Counts, importRows, type RowSupport } from './import-rows.js';
import type { Importer } from './importer.js';
import { importerFor } from './importer-for.js';
import { Report } from './report.js';
import { indexTargets, type Target } from './targets.js';

/** The resources of an import run. `status` and `data` are separate connections to one workspace. */
export interface RunSupport {
  readonly status: Database;
  readonly data: Database;
  readonly files: RunFiles;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly dialect: Dialect;
  readonly log: (text: string) => void;
}

const EMPTY = 3524;
const UNEXPECTED = 9999;
const PROGRESS_EVERY_MS = 250;

/**
 * Performs a run from CREATED or RUNNING to its end. Validating and committing differ only at the end: the drafts of a
 * committed run are stored, in one transaction with its final counts; those of a validated run are dropped. An
 * unreadable file, or a definition that maps a deleted attribute, ends the run with status ERROR and the reason among
 * its warnings (wire-facts 0, "run states" and "re-created custom attribute").
 */
export async function performRun(run: ImportRun, definition: ImportDefinition, support: RunSupport): Promise<void> {
  setFields(support.status, importRuns, run.guid, { status: 'RUNNING', ...NO_ROWS });
  try {
    await importFile(run, definition, support);
  } catch (error) {
    if (error instanceof Interruption) throw error;
    const ended = { status: 'ERROR', completionDateTime: now(support) } as const;
    setFields(support.status, importRuns, run.guid, { ...ended, ...NO_ROWS, warnings: [reasonOf(error, support)] });
  }
}

async function importFile(run: ImportRun, definition: ImportDefinition, support: RunSupport): Promise<void> {
  const { data, files, dialect, chance } = support;
  const path = files.path(run.guid, 'submit');
  const source = await readSource(path, run.submitFileType ?? (await detectFileType(path)), run.submitWorksheetName);
  const { resource } = definition;
  const targets = indexTargets(listImportFields(resource), readAttributes(data, findAttributeWorld(resource)), dialect);
  const columns = bindColumns(source.header, definition, targets);
  const required = targets.all.filter((target) => target.required);
  const context = contextOf(run, definition, required, support);
  const contents = await FileContents.open(run.guid, files, chance);
  const importer = importerFor(context, contents);
  const report = new Report(files, run.guid, definition, columns);
  try {
    const counts = await importRows(source, context, {
      data,
      importer,
      columns,
      report,
      progress: progressOf(run, support),
    });
    report.close();
    if (run.commit) await contents.store();
    finish(run, counts, [...columns.warnings, ...contents.warnings()], { context, importer }, support);
  } finally {
    report.close();
  }
}

function contextOf(
  run: ImportRun,
  definition: ImportDefinition,
  required: readonly Target[],
  support: RunSupport,
): ImportContext {
  const { mode, options, resource } = definition;
  const { chance, data } = support;
  const rest = { mode, options, required, chance, at: now(support), by: run.creator };
  return { definition, ...openContext(data, resource, rest) };
}

/** Ends a run. Only this thread writes items and BOM lines, so the state that rows were checked against still holds. */
function finish(
  run: ImportRun,
  counts: Counts,
  warnings: readonly Warning[],
  { context: { items, lines, numbers, definition }, importer }: { context: ImportContext; importer: Importer },
  support: RunSupport,
): void {
  const noRows = { code: EMPTY, message: 'The file has a header, but no rows.' };
  const all = counts.totalCount === 0 ? [...warnings, noRows] : warnings;
  support.data.transaction(() => {
    if (run.commit) {
      const { chance, dialect } = support;
      const { resource } = definition;
      recordEvents(support.data, { by: run.creator, at: now(support), chance, dialect });
      trackDrafts(support.data);
      if (run.change !== null) addToChange(support.data, run.change, resource, chance);
      items.merge();
      numbers.merge(support.data);
      lines.merge();
      importer.merge?.();
    }
    // With the warnings, so that a client that sees the end of a run sees them too.
    const ended = { status: 'COMPLETE', completionDateTime: now(support) } as const;
    setFields(support.data, importRuns, run.guid, { ...ended, ...counts, warnings: all });
  });
}

/** Shows the progress of a run from time to time, since each update costs a write. */
function progressOf(run: ImportRun, { status, clock }: RunSupport): RowSupport['progress'] {
  let shown = clock().getTime();
  return (counts) => {
    const at = clock().getTime();
    if (at - shown < PROGRESS_EVERY_MS) return;
    shown = at;
    setFields(status, importRuns, run.guid, counts);
  };
}

function reasonOf(error: unknown, { log }: RunSupport): Warning {
  if (error instanceof SourceError) return { code: error.code, message: error.message };
  if (error instanceof ServiceError && error.details[0]) return error.details[0];
  log(String((error as Error).stack ?? error));
  return { code: UNEXPECTED, message: 'The run failed unexpectedly; the log of the service says why.' };
}

function now({ clock }: RunSupport): string {
  return zulu(clock());
}
