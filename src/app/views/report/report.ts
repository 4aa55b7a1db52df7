import type { Diagnostic } from '#base/diagnostics.js';
import type { ExitCode } from '#base/errors.js';
import type { Event, Summary } from '#core/stream/event.js';
import type { Comparison } from '#delivery/planning/comparison.js';
import type { Drift } from '#delivery/planning/drift-in-plan.js';
import type { Validated } from '../../operations/validate.js';

/** Everything that one command found, did and failed at: what each format of `--output` is a pure function of. */
export interface Report {
  readonly setting: ReportSetting;
  readonly diagnostics: readonly Diagnostic[];
  readonly findings: readonly Extract<Event, { type: 'findings' }>[];
  readonly planned?: Extract<Event, { type: 'plan' }>;
  readonly drift?: Drift;
  readonly compared?: Comparison;
  readonly validated?: Validated;
  /** The last that was heard of each step. */
  readonly steps: readonly Extract<Event, { type: 'step' }>[];
  readonly rows: readonly Extract<Event, { type: 'rows' }>[];
  readonly settled: readonly Extract<Event, { type: 'settled' }>[];
  readonly sent: readonly Extract<Event, { type: 'sent' }>[];
  readonly reviewed: readonly Extract<Event, { type: 'reviewed' }>[];
  readonly summary?: Summary;
  readonly failure?: ReportedFailure;
  readonly exitCode: ExitCode;
}

/** Which command that was, and where. */
export interface ReportSetting {
  /** As it is typed, after `dexsync`. */
  readonly command: string;
  readonly version: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Absent where none is chosen. */
  readonly environment?: string;
  /** The repository, else the folder of the configuration: paths in reports count from there. With `/`. */
  readonly root: string;
  /** The working folder and that of the configuration, from the root; empty where they are the root. */
  readonly here: string;
  readonly project: string;
  /** The configuration: where formats place what has no place of its own. */
  readonly config: string;
  /** What stands for a file in origins and is none, such as `<stdin>`. */
  readonly noFiles: readonly string[];
}

/** The error that ended the command. */
export interface ReportedFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly exitCode: ExitCode;
}

/** What a command hands over beside its events. */
export type ReportPart = Pick<Report, 'drift' | 'compared' | 'validated'>;

/** How a command ended. */
export type ReportEnd = Pick<Report, 'exitCode' | 'failure'>;
