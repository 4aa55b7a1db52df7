import { EXIT, type ExitCode, type Host, type ManualSteps, type Plan, type PlanSaved } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { logText } from './pipeline-log.js';
import { jsonDocument } from './print-document.js';
import type { Running } from './run.js';

/** What decides about the exit code of a command that makes a plan. */
export interface PlanExitFlags {
  readonly manual: ManualSteps;
  readonly detailedExitcode?: boolean;
}

/** Something that an apply could not do counts before what it would do. */
export function exitCodeOfPlan({ summary, steps }: Plan, { manual, detailedExitcode }: PlanExitFlags): ExitCode {
  const left = summary.blocked + (manual === 'fail' ? summary.manual : 0);
  if (left > 0) return EXIT.incomplete;
  return detailedExitcode === true && steps.length > summary.manual ? EXIT.differences : EXIT.done;
}

/** How a command makes a plan, and how it makes and saves one. */
export interface PlanMaking<O> {
  readonly make: (how: O, host: Host) => Promise<Plan>;
  readonly save: (how: O & { readonly out: string }, host: Host) => Promise<PlanSaved>;
}

/** The plan, printed, and saved where that was asked for. */
export async function printMade<O>(
  cli: Cli,
  { json, out, quiet }: GlobalOptions & { readonly out?: string },
  { host, view }: Pick<Running, 'host' | 'view'>,
  how: O,
  { make, save }: PlanMaking<O>,
): Promise<Plan> {
  const print = async (made: Plan): Promise<void> => {
    await view.close();
    if (json === true) cli.out.write(logText(cli, jsonDocument(made), 'json'));
  };
  if (out === undefined) {
    const made = await make(how, host);
    await print(made);
    return made;
  }
  const saved = await save({ ...how, out }, host);
  await print(saved.plan);
  if (quiet === true) return saved.plan;
  // Beside a document it would be no part of it.
  (json === true ? cli.err : cli.out).write(`Saved to ${out}. Apply it with: ${saved.command}\n`);
  return saved.plan;
}
