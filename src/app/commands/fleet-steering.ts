import { type Command, createArgument, createOption, type Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import {
  DexsyncError,
  EXIT,
  type ExitCode,
  type FleetOptions,
  fleetOrphans,
  fleetStatus,
  type Host,
  pauseFleet,
  type RolloutStatus,
  reviewFleet,
  stopFleet,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import type { CommandRun } from './define-command.js';
import { defineFleetCommand, fleetWord } from './define-fleet-command.js';
import { documentOption } from './json-option.js';
import { reasonOption } from './reason-option.js';
import { reportOption } from './report-option.js';

const rolloutWord = () =>
  createArgument('<rollout>', 'a fleet, whose rollout that was begun last is meant, or ledger:NAME');

/** A command that looks at a rollout or says something about it, and prints its status. */
interface SteeringCommand<Flags extends GlobalOptions> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  readonly exitCode?: (status: RolloutStatus) => ExitCode;
  readonly steer: (options: FleetOptions, host: Host, flags: Flags) => Promise<RolloutStatus>;
}

const steeringCommand = <Flags extends GlobalOptions>(
  cli: Cli,
  { steer, options = [], exitCode = () => EXIT.done, ...texts }: SteeringCommand<Flags>,
): Command =>
  defineFleetCommand(cli, {
    ...texts,
    arguments: [rolloutWord()],
    options: [...options, documentOption()],
    run: async ({ project, flags, host, print, report }: CommandRun<Flags>, fleet: string) => {
      const status = await steer({ ...project, fleet }, host, flags);
      report({ rollout: status }, status);
      return print(status, (all) => all.rollout, exitCode(status));
    },
  });

/** `dexsync fleet status`: how far a rollout is. */
export const fleetStatusCommand = (cli: Cli): Command =>
  steeringCommand(cli, {
    name: 'status',
    summary: 'show how far the rollout of a fleet is',
    description:
      'Shows the rollout that was begun last, or if none was, the one that was saved last: its waves, what failed or is ' +
      'deferred and why, and what happens next. Sends no request.',
    options: [reportOption()],
    examples: [
      'dexsync fleet status sites --output html=rollout.html',
      'dexsync fleet status ledger:r41 --json | jq .next',
    ],
    exitCode: ({ exitCode }) => exitCode,
    steer: fleetStatus,
  });

/** `dexsync fleet pause`: pauses a rollout. */
export const fleetPauseCommand = (cli: Cli): Command =>
  steeringCommand(cli, {
    name: 'pause',
    summary: 'begin no other environment until the rollout is resumed',
    description:
      'Pauses a rollout, also one that another process works on: what was begun ends, and no other environment is begun. ' +
      '`dexsync fleet resume` continues. Sends no request.',
    options: [reasonOption('reason for the pause')],
    examples: ['dexsync fleet pause sites --reason "complaints from Graz"'],
    steer: pauseFleet,
  });

/** `dexsync fleet stop`: ends a rollout. */
export const fleetStopCommand = (cli: Cli): Command =>
  steeringCommand(cli, {
    name: 'stop',
    summary: 'end a rollout for good',
    description:
      'Ends a rollout, also one that another process works on: what was begun ends, no other environment is begun, and ' +
      'the plans of the others are removed. What was applied stays. Sends no request.',
    options: [reasonOption('reason for the stop')],
    examples: ['dexsync fleet stop sites --reason "wrong release"'],
    steer: stopFleet,
  });

interface ReviewFlags extends GlobalOptions {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly group?: string;
  readonly key?: string;
}

/** `dexsync fleet review`: a verdict on a rollout or on its wave. */
export const fleetReviewCommand = (cli: Cli): Command =>
  steeringCommand<ReviewFlags>(cli, {
    name: 'review',
    summary: 'approve or reject a rollout, or the wave that waits',
    description:
      'Records a verdict. Before a rollout is begun it is about the changes of its groups, for exactly their environments; ' +
      'afterwards about the wave that waits for approval or that the check refused. The last verdict of a person counts. ' +
      'Sends no request.',
    options: [
      createOption('--approve', 'approve it').conflicts('reject'),
      createOption('--reject', 'reject it'),
      createOption('--group <digest>', 'only the group whose digest begins so; by default all'),
      createOption('--key <file>', 'SSH key to sign with, where verdicts are signed; by default one that is allowed'),
      reasonOption('reason for the verdict'),
    ],
    examples: [
      'dexsync fleet review ledger:r41 --approve',
      'dexsync fleet review sites --reject --reason "canary is slow"',
    ],
    steer: (options, host, { approve, reject, group, key }) => {
      if (approve !== true && reject !== true)
        throw new DexsyncError('USAGE', '`dexsync fleet review` needs a verdict.', {
          hint: 'Add `--approve` or `--reject`.',
        });
      const verdict = approve === true ? 'approved' : 'rejected';
      return reviewFleet({ ...options, verdict, ...omitUndefined({ group, key }) }, host);
    },
  });

/** `dexsync fleet orphans`: what left a fleet. */
export const fleetOrphansCommand = (cli: Cli): Command =>
  defineFleetCommand(cli, {
    name: 'orphans',
    summary: 'list environments that left a fleet',
    description:
      'Lists the environments in which a rollout of the fleet was done and that it no longer selects, such as rows that ' +
      'left the table. Nothing happens to their workspaces. Sends no request.',
    arguments: [fleetWord()],
    options: [documentOption()],
    examples: ['dexsync fleet orphans sites'],
    run: async ({ project, host, print }, fleet: string) =>
      print(await fleetOrphans({ ...project, fleet }, host), (all) => all.fleetOrphans),
  });
