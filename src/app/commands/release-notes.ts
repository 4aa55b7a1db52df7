import { type Command, createArgument, createOption, type Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import { type NoteReleaseOptions, noteRelease } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';
import { singleValue } from './option-values.js';
import { reasonOption } from './reason-option.js';

/** A release as people name it. */
export const releaseArgument = (name = '<release>', what = 'release'): ReturnType<typeof createArgument> =>
  createArgument(name, `${what}: dev/r41, r41 if one environment has it, or its name`);

interface NoteFlags extends GlobalOptions {
  readonly at?: string;
  readonly to?: string;
  readonly name?: string;
  readonly failed?: boolean;
}

/** `dexsync release check`: what the gates behind an environment ask for. */
export const releaseCheckCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'check',
    summary: 'record the result of a check of a release',
    description:
      'Records that a check of a release passed in an environment, for the gates of the stage behind it ' +
      '(`before.passed`). It counts from the time when the release was applied there; of several results the last counts. ' +
      'Sends no request.',
    arguments: [releaseArgument()],
    options: [
      createOption('--at <environment>', 'environment in which it was checked')
        .argParser(singleValue)
        .makeOptionMandatory(),
      createOption('--name <name>', 'name of the check').argParser(singleValue).makeOptionMandatory(),
      createOption('--failed', 'record that it failed'),
      reasonOption('what was found'),
      documentOption(),
    ],
    examples: [
      'dexsync release check r41 --at test --name smoke',
      'dexsync release check r41 --at test --name smoke --failed',
    ],
    run: noteAs(({ at, name, failed }) => ({ is: failed === true ? 'failed' : 'passed', at, check: name })),
  });

/** `dexsync release hold`: a stop by a person. */
export const releaseHoldCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'hold',
    summary: 'keep a release from going on',
    description:
      'Keeps a release from being promoted along the chain (`promotion`), with the reason, until `dexsync release lift`. ' +
      'Also refuses plans of it that were saved before. Sends no request.',
    arguments: [releaseArgument()],
    options: [
      toOption('must not go; by default anywhere'),
      reasonOption('why').makeOptionMandatory(),
      documentOption(),
    ],
    examples: ['dexsync release hold r41 --to prod --reason "audit until Friday"'],
    run: noteAs(({ to }) => ({ is: 'held', at: to })),
  });

/** `dexsync release lift`: the end of a hold, or of a rollback. */
export const releaseLiftCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'lift',
    summary: 'let a release go on again',
    description:
      'Ends what `dexsync release hold` began. With `--to`, a release that the environment went back from is also taken ' +
      'again. Sends no request.',
    arguments: [releaseArgument()],
    options: [toOption('may go again; by default anywhere'), reasonOption('why'), documentOption()],
    examples: ['dexsync release lift r41 --to prod'],
    run: noteAs(({ to }) => ({ is: 'lifted', at: to })),
  });

const toOption = (what: string): Option =>
  createOption('--to <environment>', `environment to which it ${what}, or the fleet at the end of the chain`).argParser(
    singleValue,
  );

/** What a command says about a release. */
interface Said {
  readonly is: NoteReleaseOptions['is'];
  readonly at: string | undefined;
  readonly check?: string | undefined;
}

const noteAs =
  (saidBy: (flags: NoteFlags) => Said) =>
  async ({ flags, host, project, printOutcome }: CommandRun<NoteFlags>, release: string) => {
    const { is, ...said } = saidBy(flags);
    return printOutcome(
      await noteRelease({ ...project, release, is, ...omitUndefined(said) }, host),
      (texts) => texts.releaseNote,
    );
  };
