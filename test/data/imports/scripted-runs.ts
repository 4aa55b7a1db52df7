import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { JobRun } from '#core/model/job-state.js';
import type { ImportEvent } from '#core/stream/import-event.js';
import type { ImportOutcome } from '#core/stream/import-outcome.js';
import type { PreparedImport } from '#data/bulk/prepare.js';
import { commitImport } from '#data/imports/run/commit-import.js';
import type { RunInput } from '#data/imports/run/run-input.js';
import { validateImport } from '#data/imports/run/validate-import.js';
import type { ImportRun, ImportRuns } from '#service/import-runs.js';
import { definitionOf, fileOf, prepare } from '../bulk/support.js';

/** A step of a service's script: what the next answer about the run is, with what it happens to see. */
export type Answer = Partial<ImportRun> | (() => Partial<ImportRun>);

export interface Script {
  readonly post?: Answer;
  readonly commit?: Answer;
  /** Answers to reads, in order; the last one stays. */
  readonly reads: readonly Answer[];
  readonly reports?: readonly string[];
}

export interface Scripted {
  readonly runs: ImportRuns;
  /** Every request and every record, in the order in which they came. */
  readonly log: string[];
  readonly uploaded: Buffer[];
}

const BASE: ImportRun = {
  guid: 'RUN1',
  number: 12,
  status: 'CREATED',
  commit: false,
  totalCount: 0,
  successCount: 0,
  changes: [],
  warnings: [],
};

/** The port of the service, played from a script of states. */
export function scriptedRuns({ post = {}, commit = {}, reads, reports = [] }: Script): Scripted {
  const log: string[] = [];
  const uploaded: Buffer[] = [];
  const left = [...reads];
  const leftReports = [...reports];
  let committed = false;
  const answer = (given: Answer): ImportRun => ({
    ...BASE,
    commit: committed,
    ...(typeof given === 'function' ? given() : given),
  });
  const runs: ImportRuns = {
    async post(upload) {
      log.push('POST');
      for await (const chunk of upload.open()) uploaded.push(Buffer.from(chunk));
      return answer(post);
    },
    async read() {
      log.push('GET');
      return answer((left.length > 1 ? left.shift() : left[0]) ?? {});
    },
    async errorContent() {
      log.push('GET errors');
      return Readable.from([leftReports.shift() ?? '']);
    },
    submitContent: async () => Readable.from(uploaded),
    async commit() {
      log.push('PUT');
      committed = true;
      return answer(commit);
    },
  };
  return { runs, log, uploaded };
}

export const complete = (succeeded: number, failed = 0): Partial<ImportRun> => ({
  status: 'COMPLETE',
  totalCount: succeeded + failed,
  successCount: succeeded,
  errorCount: failed,
});

export const reportOf = (...lines: string[]): string =>
  ['Row Number,Number,Status,Error Code,Error Message', ...lines, ''].join('\r\n');

export async function preparedRows(count: number, rowsPerRun?: number): Promise<PreparedImport> {
  const rows = Array.from({ length: count }, (_, index) => `R${index + 1},part ${index + 1}\n`);
  const path = await fileOf('parts.csv', `Part Number,Description\n\n${rows.join('')}`);
  const definition = definitionOf('ITEM_SPECS', 'OVERWRITE', { number: 'Part Number', name: 'Description' });
  return prepare(path, definition, {}, rowsPerRun === undefined ? {} : { division: { by: 'size', rowsPerRun } });
}

/** What a record of open runs says of them. */
function stageOf(runs: readonly JobRun[], validated: object | undefined): string {
  if (validated !== undefined) return 'validated';
  return runs.length === 1 ? STAGES[runs[0]?.commit ?? 'no'] : runs.map(({ commit }) => STAGES[commit]).join(' ');
}

const STAGES = { no: 'posted', begun: 'committing', done: 'committed' };

/** Both halves of an import, one after another. */
export async function runImport(input: RunInput): Promise<ImportOutcome> {
  const validation = await validateImport(input);
  return validation.is === 'settled' ? validation.outcome : commitImport(validation.sent, input);
}

export interface Played extends Scripted {
  readonly events: ImportEvent[];
  readonly waits: number[];
  readonly outcome: Promise<ImportOutcome>;
}

/** Runs an import against a script; no time passes. */
export async function play(script: Script, rows: number, more: Partial<RunInput> = {}): Promise<Played> {
  const scripted = scriptedRuns(script);
  const events: ImportEvent[] = [];
  const waits: number[] = [];
  const record = (what: string) => async (): Promise<void> => {
    await wait(1);
    scripted.log.push(what);
  };
  const outcome = runImport({
    prepared: await preparedRows(rows),
    definition: 'D',
    runsOf: () => scripted.runs,
    rule: 'clean',
    recorder: {
      open: (runs, validated) => record(stageOf(runs, validated))(),
      settled: async ({ outcome: what }) => record(`settled ${what}`)(),
    },
    emit: (event) => events.push(event),
    signal: new AbortController().signal,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
    ...more,
  });
  outcome.catch(() => {});
  return { ...scripted, events, waits, outcome };
}
