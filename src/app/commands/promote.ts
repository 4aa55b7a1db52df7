import { type Command, createOption, type Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import { DexsyncError, type PromoteOptions, promote, promoteInto } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { addPairOptions, type PairFlags, pairFlags, readEnvironmentPair } from './environment-pair.js';
import { documentOption } from './json-option.js';
import { addVariableOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { collectTexts, singleValue } from './option-values.js';
import { addPromotionOptions, type PlanningFlags, toPlanningOptions } from './planning-flags.js';
import {
  detailedExitcodeOption,
  type NewPlanFlags,
  planReasonOption,
  printNewPlan,
  savePlanOption,
} from './print-plan.js';
import { summaryOption } from './quiet-option.js';
import { type ReportFlags, reportOption } from './report-option.js';

interface PromoteFlags extends ReportFlags, PairFlags, PlanningFlags, NewPlanFlags {
  readonly fromApplied?: boolean;
  readonly release?: string;
  readonly take?: readonly string[];
  readonly override?: readonly string[];
  readonly withData?: boolean;
}

/** `dexsync promote`: a plan for one environment of what another one has. Sends no write. */
export const promoteCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'promote',
    summary: 'plan for one environment what another one has',
    description:
      'Plans for one environment the objects of another one, with what they refer to. References go by name, and the ' +
      'overlay and the variables of the environment that is promoted to win. Without `--only`, it promotes what this stack ' +
      'owns there. Without `--from`, it takes the newest release that the gates of the chain (`promotion`) let through. Nothing is deleted without `--prune`. Read-only: `dexsync apply FILE` applies the saved plan.',
    shared: [addPairOptions('environment that the plan is for'), addVariableOptions, addPromotionOptions],
    options: promotionOptions(),
    examples: [
      'dexsync promote dev prod',
      'dexsync promote --from dev --to prod --out plan.json',
      'dexsync promote --release r41 --to prod --out plan.json',
      'dexsync promote --to prod --out ledger:next',
      'dexsync promote --release r41 --to prod --with-data --out plan.json',
      'dexsync promote --release previous --to prod --out plan.json',
      'dexsync apply plan.json',
      'dexsync promote --from dev --to prod --only ImportDefinition/Parts',
      'dexsync promote --from dev --to prod --only Import/Nightly --from-applied',
      'dexsync promote --from dev --to prod --out ledger:release-12',
    ],
    flags: pairFlags<PromoteFlags>,
    view: ({ json }) => (json === true ? 'findings' : 'human'),
    run: async (run: CommandRun<PromoteFlags>) =>
      printNewPlan(run, promoteOptionsOf(run), { make: promote, save: promoteInto }),
  });

const promotionOptions = (): Option[] => [
  createOption('--from-applied', 'promote what was last applied, by the ledger, instead of what is there now'),
  createOption(
    '--release <release>',
    'promote this release: dev/r41, r41, its name, or `previous` to go back to the one that was there before',
  )
    .argParser(singleValue)
    .conflicts(['from', 'fromApplied']),
  createOption(
    '--override <gate>',
    'promote though this gate of the chain is closed; needs --reason, and can be repeated',
  ).argParser(collectTexts),
  createOption('--with-data', 'with a release: run its imports too, with the very rows that it has'),
  createOption('--prune', 'with a release: delete what an earlier one brought and this one does not have'),
  createOption(
    '--take <decision...>',
    'decide what both changed: `release KIND/NAME` or `target KIND/NAME#FIELD`; can be repeated',
  ),
  savePlanOption(),
  documentOption(),
  reportOption(),
  detailedExitcodeOption(),
  summaryOption(),
  manualOption(),
  planReasonOption(),
];

function promoteOptionsOf(run: CommandRun<PromoteFlags>): PromoteOptions {
  const { environment: _, files: __, ...project } = run.project;
  const { prune, ...planning } = toPlanningOptions(run.flags);
  const pruning = prune === 'yes' ? { prune: true } : {};
  const as = run.flags.fromApplied === true ? { as: 'applied' as const } : {};
  const { release, from, to = from, override, withData, words } = run.flags;
  const take = decisionsIn(run.flags.take ?? []);
  const released = { ...project, ...planning, take, ...pruning, ...omitUndefined({ override, withData }) };
  if (release !== undefined && to !== undefined) return { ...released, release, to };
  const isOne = from === undefined || run.flags.to === undefined;
  if (isOne && to !== undefined && words.length === 0) return { ...released, to };
  return {
    ...{ ...project, ...planning, ...readEnvironmentPair(run, run.flags.words), ...as, ...pruning },
    ...omitUndefined({ withData }),
  };
}

/** Reads `release KIND/NAME#FIELD` and its like, one after the other. */
function decisionsIn(words: readonly string[]): NonNullable<PromoteOptions['take']> {
  const sides = words.filter((_, index) => index % 2 === 0);
  return sides.map((side, index) => {
    const object = words[2 * index + 1];
    if ((side !== 'release' && side !== 'target') || object === undefined)
      throw new DexsyncError('USAGE', `\`--take ${words.join(' ')}\` is not complete.`, {
        hint: 'Write `--take release KIND/NAME`, `--take target KIND/NAME`, or KIND/NAME#FIELD for one field.',
      });
    return { side, object };
  });
}
