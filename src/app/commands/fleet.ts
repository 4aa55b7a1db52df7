import { type Command, createOption } from 'commander';
import { texts } from '../library/internal.js';
import { type ExitCode, planFleet, planFleetInto, type RolloutSaved } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { defineFleetCommand, fleetWord, forOneEnvironment } from './define-fleet-command.js';
import { exitCodeOfFleetPlan, type PlanExitFlags } from './exit-codes.js';
import { fleetApplyCommand, fleetResumeCommand, fleetRetryCommand, fleetWorkerCommand } from './fleet-rollout.js';
import {
  fleetOrphansCommand,
  fleetPauseCommand,
  fleetReviewCommand,
  fleetStatusCommand,
  fleetStopCommand,
} from './fleet-steering.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { collectTexts, pickGiven } from './option-values.js';
import { logText } from './pipeline-log.js';
import { addPlanningOptions, type PlanningFlags, toPlanningOptions } from './planning-flags.js';
import { detailedExitcodeOption } from './print-plan.js';
import { reasonOption } from './reason-option.js';
import { type ReportFlags, reportOption } from './report-option.js';

interface FleetPlanFlags extends ReportFlags, PlanningFlags, PlanExitFlags {
  readonly release?: string;
  readonly override?: readonly string[];
  readonly out?: string;
}

/** `dexsync fleet`: many environments that get one change together. */
export const fleetCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'fleet',
    summary: 'bring one change to many environments',
    description: 'Works in the environments of a fleet, which `fleets` in sync.config.yaml selects.',
    subcommands: [
      planFleetCommand(cli),
      fleetApplyCommand(cli),
      fleetStatusCommand(cli),
      fleetReviewCommand(cli),
      fleetPauseCommand(cli),
      fleetResumeCommand(cli),
      fleetRetryCommand(cli),
      fleetStopCommand(cli),
      fleetOrphansCommand(cli),
      fleetWorkerCommand(cli),
    ],
  });

/** Erases the line that the cursor is in. */
const CLEAR_LINE = '\r\u001b[K';

const releaseOptions = () => [
  createOption(
    '--release <release>',
    'promote this release to each environment; by default, at the end of a chain (`promotion`), the newest one that its gates let through',
  ).conflicts('file'),
  createOption(
    '--override <gate>',
    'promote though this gate of the chain is closed; needs --reason, and can be repeated',
  ).argParser(collectTexts),
];

const saveRolloutOption = () =>
  createOption(
    '--out <rollout>',
    'save the plans, so that exactly they can be applied wave by wave: to a file, or as ledger:NAME',
  );

const planFleetCommand = (cli: Cli): Command =>
  defineFleetCommand(cli, {
    name: 'plan',
    summary: 'show what apply would do in each environment of a fleet',
    description:
      'Plans in all environments of a fleet, side by side, and shows equal plans once, with the environments that have ' +
      'them. Values that come from the rows of environments may differ. An environment that cannot be planned hides none of ' +
      'the others. Read-only.',
    arguments: [fleetWord()],
    shared: [addManifestOptions, addPlanningOptions],
    options: [
      ...releaseOptions(),
      saveRolloutOption(),
      reasonOption('reason for this change, which the rollout records'),
      documentOption(),
      reportOption(),
      detailedExitcodeOption(),
      manualOption(),
    ],
    examples: [
      'dexsync fleet plan sites',
      'dexsync fleet plan sites --release r41 --out rollout.json',
      'dexsync fleet plan sites --output md=plan.md --output junit=report.xml',
      'dexsync fleet plan sites --json | jq ".groups[].environments"',
    ],
    run: printFleetPlan,
  });

async function printFleetPlan(run: CommandRun<FleetPlanFlags>, fleet: string): Promise<ExitCode> {
  const { host, project, flags, print } = run;
  if (flags.previewPages !== undefined) throw forOneEnvironment('--preview-pages');
  const onPlanned = countPlanned(run);
  const { out, ...rest } = flags;
  const chosen = pickGiven(rest, 'release', 'override');
  const options = { ...project, ...toPlanningOptions(rest), ...chosen, fleet, onPlanned };
  const saved = out === undefined ? undefined : await planFleetInto({ ...options, out }, host);
  const found = saved?.plan ?? (await planFleet(options, host));
  run.report({ fleet: saved ?? { plan: found, waves: [] } }, found);
  const exitCode = await print(found, (all) => all.fleetPlan, exitCodeOfFleetPlan(found, flags));
  if (saved !== undefined && flags.quiet !== true) await showSaved(run, saved);
  return exitCode;
}

/** Shows at a terminal how many environments are planned. */
function countPlanned({ cli, flags }: CommandRun<FleetPlanFlags>): (of: number) => void {
  const isLive = cli.progress === 'live' && flags.quiet !== true;
  let planned = 0;
  return (of) => {
    planned += 1;
    if (isLive) cli.err.write(planned < of ? `\r${planned} of ${of} environments are planned` : CLEAR_LINE);
  };
}

async function showSaved({ cli, flags }: CommandRun<FleetPlanFlags>, { waves, command }: RolloutSaved): Promise<void> {
  const { waves: wavesText } = await texts(cli.color, cli.width);
  const text =
    command === undefined
      ? '\nNothing was saved: no environment could be planned.\n'
      : `\n${wavesText(waves)}Saved to ${flags.out}. Apply it with: ${command}\n`;
  // Standard output must contain nothing but the JSON document.
  (flags.json === true ? cli.err : cli.out).write(logText(cli, text));
}
