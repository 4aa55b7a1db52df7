import {
  EXIT,
  type ExitCode,
  type Host,
  type ManualSteps,
  openRowChanges,
  type Plan,
  type PlanSaved,
  planJson,
  type RowChanges,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { writePieces } from './pipeline-log.js';
import type { Running } from './run.js';

/** What decides about the exit code of a command that makes a plan. */
export interface PlanExitFlags {
  readonly manual: ManualSteps;
  readonly detailedExitcode?: boolean;
}

/** Something that an apply could not do counts before what it would do. */
function exitCodeOfPlan({ summary, steps }: Plan, { manual, detailedExitcode }: PlanExitFlags): ExitCode {
  const left = summary.blocked + (manual === 'fail' ? summary.manual : 0);
  if (left > 0) return EXIT.incomplete;
  return detailedExitcode === true && steps.length > summary.manual ? EXIT.differences : EXIT.done;
}

/** How a command makes a plan, and how it makes and saves one. */
export interface PlanMaking<O> {
  readonly make: (how: O, host: Host) => Promise<Plan>;
  readonly save: (how: O & { readonly out: string }, host: Host) => Promise<PlanSaved>;
}

/** What a command does with a plan whose changed rows are all at hand, until `use` ends. */
export async function withRowChanges(use: (changes: RowChanges) => Promise<void>): Promise<void> {
  const changes = await openRowChanges();
  try {
    await use(changes);
  } finally {
    await changes.close();
  }
}

/** Makes a plan, prints it, saves it where that was asked for, and gives the exit code. */
export async function printMade<O extends { readonly changes: RowChanges }>(
  cli: Cli,
  flags: PlanFlags,
  { host, view, report }: Running,
  how: O,
  { make, save }: PlanMaking<O>,
): Promise<ExitCode> {
  const { json, out, quiet } = flags;
  const saved = out === undefined ? undefined : await save({ ...how, out }, host);
  const made = saved?.plan ?? (await make(how, host));
  const pieces = (): Promise<AsyncIterable<string>> => planJson(made, how.changes);
  await view.close();
  if (json === true) await writePieces(cli, await pieces());
  report({}, made, pieces);
  if (saved !== undefined && quiet !== true) {
    // Beside a document it would be no part of it.
    (json === true ? cli.err : cli.out).write(`Saved to ${out}. Apply it with: ${saved.command}\n`);
  }
  return exitCodeOfPlan(made, flags);
}

type PlanFlags = GlobalOptions & PlanExitFlags & { readonly out?: string };
