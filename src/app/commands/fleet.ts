import { type Command, createArgument, createOption } from 'commander';
import { DexsyncError, planFleet } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { exitCodeOfFleetPlan, type PlanExitFlags } from './exit-codes.js';
import { documentOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { manualOption } from './manual-option.js';
import { pickGiven } from './option-values.js';
import { addPlanningOptions, type PlanningFlags, toPlanningOptions } from './planning-flags.js';
import { detailedExitcodeOption } from './print-plan.js';

const unsuited = ({ env }: FleetPlanFlags): DexsyncError =>
  new DexsyncError(
    'USAGE',
    `\`${env === undefined ? '--preview-pages' : '--env'}\` is for one environment, and a fleet has several.`,
    {
      hint: 'Remove it, or use `dexsync plan ENVIRONMENT`.',
    },
  );

interface FleetPlanFlags extends GlobalOptions, PlanningFlags, PlanExitFlags {
  readonly release?: string;
}

/** `dexsync fleet`: many environments that get one change together. */
export const fleetCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'fleet',
    summary: 'plan one change in many environments',
    description: 'Works in the environments of a fleet, which `fleets` in sync.config.yaml selects.',
    subcommands: [planFleetCommand(cli)],
  });

/** Erases the line that the cursor is in. */
const CLEAR_LINE = '\r\u001b[K';

const planFleetCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'plan',
    summary: 'show what apply would do in each environment of a fleet',
    description:
      'Plans in all environments of a fleet, side by side, and shows equal plans once, with the environments that have ' +
      'them. Values that come from the rows of environments may differ. An environment that cannot be planned hides none of ' +
      'the others. Read-only.',
    arguments: [createArgument('<fleet>', 'a fleet of the configuration')],
    shared: [addManifestOptions, addPlanningOptions],
    options: [
      createOption(
        '--release <release>',
        'promote this release to each environment, instead of what the manifests say',
      ).conflicts('file'),
      documentOption(),
      detailedExitcodeOption(),
      manualOption(),
    ],
    examples: [
      'dexsync fleet plan sites',
      'dexsync fleet plan sites --release r41',
      'dexsync fleet plan sites --json | jq ".groups[].environments"',
    ],
    run: async (run: CommandRun<FleetPlanFlags>, fleet: string) => {
      const { host, project, flags, print } = run;
      if (flags.env !== undefined || flags.previewPages !== undefined) throw unsuited(flags);
      const isLive = cli.progress === 'live' && flags.quiet !== true;
      let planned = 0;
      const onPlanned = (of: number): void => {
        planned += 1;
        if (isLive) cli.err.write(planned < of ? `\r${planned} of ${of} environments are planned` : CLEAR_LINE);
      };
      const found = await planFleet(
        { ...project, ...toPlanningOptions(flags), ...pickGiven(flags, 'release'), fleet, onPlanned },
        host,
      );
      return print(found, (texts) => texts.fleetPlan, exitCodeOfFleetPlan(found, flags));
    },
  });
