import { createOption, type Option } from 'commander';
import { planJson } from '../library/internal.js';
import {
  type ExitCode,
  type Host,
  openRowChanges,
  type Plan,
  type PlanSaved,
  type RowChanges,
  type SavePlanOptions,
} from '../library/library.js';
import type { GlobalOptions } from './cli-context.js';
import type { CommandRun } from './define-command.js';
import { exitCodeOfPlan, type PlanExitFlags } from './exit-codes.js';
import { collectTexts } from './option-values.js';
import { writePieces } from './pipeline-log.js';
import { reasonOption } from './reason-option.js';

/** Flags of a command that prints the plan that it makes. */
export interface NewPlanFlags extends GlobalOptions, PlanExitFlags {
  readonly out?: readonly string[];
}

/** `--out` of such a command. */
export const savePlanOption = (): Option =>
  createOption(
    '--out <file>',
    'save the plan to a file, or in the ledger as ledger:NAME; `dexsync apply FILE` applies exactly this plan. Can be repeated',
  ).argParser(collectTexts);

/** `--detailed-exitcode` of such a command. */
export const detailedExitcodeOption = (): Option =>
  createOption(
    '--detailed-exitcode',
    'exit with 2 if the plan has changes; a plan with blocked steps always exits with 4',
  );

/** `--reason` of such a command. */
export const planReasonOption = (): Option =>
  reasonOption('reason for this plan; `dexsync plan list` and `dexsync history` show it');

/** The operations that make a plan, and that make and save one. */
interface PlanOperations<O> {
  readonly make: (options: O & { readonly changes: RowChanges }, host: Host) => Promise<Plan>;
  readonly save: (
    options: O & Pick<SavePlanOptions, 'out'> & { readonly changes: RowChanges },
    host: Host,
  ) => Promise<PlanSaved>;
}

/** Makes a plan with all changed rows, prints it, saves it under `--out`, and gives the exit code. */
export async function printNewPlan<O>(
  { cli, flags, host, view, report, closeAtEnd }: CommandRun<NewPlanFlags>,
  options: O,
  { make, save }: PlanOperations<O>,
): Promise<ExitCode> {
  const { json, quiet } = flags;
  const [out, ...others] = flags.out ?? [];
  const changes = await openRowChanges();
  closeAtEnd(() => changes.close());
  const saved = out === undefined ? undefined : await save({ ...options, changes, out: [out, ...others] }, host);
  const made = saved?.plan ?? (await make({ ...options, changes }, host));
  const pieces = (): Promise<AsyncIterable<string>> => planJson(made, changes);
  await view.close();
  if (json === true) await writePieces(cli, await pieces());
  report({}, made, pieces);
  if (saved !== undefined && quiet !== true) {
    // Standard output must contain nothing but the JSON document.
    const lines = [
      `Saved to ${[out, ...others].join(' and ')}. Apply it with: ${saved.command}`,
      ...saved.verdicts.map(verdictLine),
    ];
    (json === true ? cli.err : cli.out).write(`${lines.join('\n')}\n`);
  }
  return exitCodeOfPlan(made, flags);
}

/** Whether a verdict on an earlier plan holds for the new one. */
const verdictLine = ({ signer, verdict, plan, because }: PlanSaved['verdicts'][number]): string => {
  const what = `The ${verdict === 'approved' ? 'approval' : 'rejection'} by ${signer} of ${plan}`;
  return because === undefined ? `${what} holds for it, too.` : `${what} does not hold for it: ${because}.`;
};
