import type { Diagnostic } from '#base/diagnostics.js';
import type { ExitCode } from '#base/errors.js';
import type { Event, Summary } from '#core/stream/event.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import type { Comparison } from '#delivery/planning/comparison.js';
import type { Drift } from '#delivery/planning/drift-in-plan.js';
import type { RolloutSaved } from '../../operations/save-rollout.js';
import type { Validated } from '../../operations/validate.js';

/** Everything that one command found, did and failed at: each format of `--output` is a pure function of it. */
export interface Report {
  readonly setting: ReportSetting;
  readonly diagnostics: readonly Diagnostic[];
  readonly findings: readonly Extract<Event, { type: 'findings' }>[];
  readonly planned?: Extract<Event, { type: 'plan' }>;
  readonly drift?: Drift;
  readonly compared?: Comparison;
  readonly validated?: Validated;
  /** The plans of a fleet; without waves if they were not saved. */
  readonly fleet?: RolloutSaved;
  readonly rollout?: RolloutStatus;
  /** The last event of each step. */
  readonly steps: readonly Extract<Event, { type: 'step' }>[];
  readonly rows: readonly Extract<Event, { type: 'rows' }>[];
  readonly settled: readonly Extract<Event, { type: 'settled' }>[];
  readonly sent: readonly Extract<Event, { type: 'sent' }>[];
  readonly reviewed: readonly Extract<Event, { type: 'reviewed' }>[];
  readonly summary?: Summary;
  readonly failure?: ReportedFailure;
  readonly exitCode: ExitCode;
}

/** The command of a report, and its surroundings. */
export interface ReportSetting {
  /** As typed after `dexsync`. */
  readonly command: string;
  readonly version: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Absent if none is chosen. */
  readonly environment?: string;
  /** The fleet or rollout that the command names, instead of an environment. */
  readonly subject?: string;
  /** The repository, or else the folder of the configuration: paths in reports start there. With `/`. */
  readonly root: string;
  /** The working folder and that of the configuration, relative to the root; empty if they are the root. */
  readonly here: string;
  readonly project: string;
  /** The configuration, where formats place problems that have no place of their own. */
  readonly config: string;
  /** Names in origins that are not files, such as `<stdin>`. */
  readonly noFiles: readonly string[];
}

/** The error that ended the command. */
export interface ReportedFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly exitCode: ExitCode;
}

/** Results of a command beside its events. */
export type ReportPart = Pick<Report, 'drift' | 'compared' | 'validated' | 'fleet' | 'rollout'>;

/** How a command ended. */
export type ReportEnd = Pick<Report, 'exitCode' | 'failure'>;
