import { type Command, createArgument, createOption, type Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import {
  createRelease,
  diffReleases,
  EXIT,
  exportRelease,
  importRelease,
  listReleases,
  noteRelease,
  readRelease,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { formatOption } from './format-option.js';
import { documentOption } from './json-option.js';
import { singleValue } from './option-values.js';
import { reasonOption } from './reason-option.js';

/** `dexsync release`: what an environment has, frozen and numbered. */
export const releaseCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'release',
    summary: 'freeze what an environment has, list and compare releases',
    description:
      'A release is what an environment has of this stack at one time: every object with all its fields, references by ' +
      'name, and the digests of the imports that were committed. Releases are numbered by environment (dev/r41), kept in ' +
      'the ledger and never changed.',
    subcommands: [
      createCommand(cli),
      listCommand(cli),
      showCommand(cli),
      diffCommand(cli),
      checkCommand(cli),
      holdCommand(cli),
      liftCommand(cli),
      exportCommand(cli),
      importCommand(cli),
    ],
  });

interface CreateFlags extends GlobalOptions {
  readonly from?: string;
  readonly live?: boolean;
  readonly name?: string;
  readonly note?: string;
}

const releaseArgument = (name = '<release>', what = 'release'): ReturnType<typeof createArgument> =>
  createArgument(name, `${what}: dev/r41, r41 if one environment has it, or its name`);

const createCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'create',
    summary: 'create a release of an environment',
    description:
      'Creates a release of what an environment has, as this stack last applied it: while others changed something there, ' +
      'it creates none and exits with 4. If nothing changed since the newest release, it shows that one. Sends no write to ' +
      'the service.',
    arguments: [environmentWord()],
    options: [
      createOption('--from <environment>', 'environment to release; the same as --env').argParser(singleValue),
      createOption('--live', 'release what is there now, with the changes of others; all fields count as named'),
      createOption('--name <name>', 'another name for it, such as 2026-spring').argParser(singleValue),
      createOption('--note <text>', 'what is in it, for those who promote it').argParser(singleValue),
      documentOption(),
    ],
    examples: [
      'dexsync release create dev',
      'dexsync release create --from dev --name 2026-spring --note "new ECO policy"',
    ],
    run: async ({ flags, host, project, printOutcome }: CommandRun<CreateFlags>) => {
      const { from, live, name, note } = flags;
      const created = await createRelease(
        {
          ...project,
          ...(from !== undefined && { environment: from }),
          ...(live === true && { as: 'live' }),
          ...(name !== undefined && { name }),
          ...(note !== undefined && { note }),
        },
        host,
      );
      return printOutcome(created, (texts) => texts.createdRelease);
    },
  });

const listCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'list',
    summary: 'list the releases',
    description: 'Lists the releases of this stack, the newest of each environment first. Sends no request.',
    options: [
      createOption('--from <environment>', 'only releases of this environment').argParser(singleValue),
      formatOption(),
      documentOption(),
    ],
    examples: ['dexsync release list', 'dexsync release list --from dev --json | jq ".releases[0].changes"'],
    run: async ({ flags, host, project, printList }: CommandRun<CreateFlags>) =>
      printList(
        await listReleases({ ...project, ...(flags.from !== undefined && { from: flags.from }) }, host),
        (texts) => texts.releases,
        ({ releases }) => releases.map(({ source, number }) => `${source}/r${number}`),
      ),
  });

const showCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'show',
    summary: 'show a release',
    description:
      'Shows who created a release, when and from what, and what became of each object since the release before. ' +
      '`--json` prints all of it. Sends no request.',
    arguments: [releaseArgument()],
    options: [documentOption()],
    examples: ['dexsync release show r41', 'dexsync release show dev/r41 --json | jq ".content.objects[].address"'],
    run: async ({ host, project, print }, release: string) =>
      print(await readRelease({ ...project, release }, host), (texts) => texts.release),
  });

const diffCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'diff',
    summary: 'compare two releases',
    description:
      'Compares two releases object by object. An object that was renamed or replaced in between is the same object. ' +
      'Sends no request. Exits with 2 if they differ.',
    arguments: [releaseArgument('<from>', 'earlier release'), releaseArgument('<to>', 'later release')],
    options: [documentOption()],
    examples: ['dexsync release diff r40 r41', 'dexsync release diff dev/r41 test/r7'],
    run: async ({ host, project, print }, from: string, to: string) => {
      const found = await diffReleases({ ...project, from, to }, host);
      const isEqual = found.objects.length + found.imports.length === 0;
      return print(found, (texts) => texts.releaseDifferences, isEqual ? EXIT.done : EXIT.differences);
    },
  });

interface NoteFlags extends GlobalOptions {
  readonly at?: string;
  readonly to?: string;
  readonly name?: string;
  readonly failed?: boolean;
}

const checkCommand = (cli: Cli): Command =>
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
    run: async ({ flags, host, project, printOutcome }: CommandRun<NoteFlags>, release: string) =>
      printOutcome(
        await noteRelease(
          {
            ...project,
            ...{ release, is: flags.failed === true ? 'failed' : 'passed' },
            ...omitUndefined({ at: flags.at, check: flags.name }),
          },
          host,
        ),
        (texts) => texts.releaseNote,
      ),
  });

const holdCommand = (cli: Cli): Command =>
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
    run: noteAs('held'),
  });

const liftCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'lift',
    summary: 'let a release go on again',
    description:
      'Ends what `dexsync release hold` began. With `--to`, a release that the environment went back from is also taken ' +
      'again. Sends no request.',
    arguments: [releaseArgument()],
    options: [toOption('may go again; by default anywhere'), reasonOption('why'), documentOption()],
    examples: ['dexsync release lift r41 --to prod'],
    run: noteAs('lifted'),
  });

const toOption = (what: string): Option =>
  createOption('--to <environment>', `environment to which it ${what}`).argParser(singleValue);

const noteAs =
  (is: 'held' | 'lifted') =>
  async ({ flags, host, project, printOutcome }: CommandRun<NoteFlags>, release: string) =>
    printOutcome(
      await noteRelease({ ...project, release, is, ...omitUndefined({ at: flags.to }) }, host),
      (texts) => texts.releaseNote,
    );

const exportCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'export',
    summary: 'write a release to a file',
    description: 'Writes a release to a file, for an environment whose ledger does not see this one. Sends no request.',
    arguments: [releaseArgument()],
    options: [
      createOption('--out <file>', 'file to write').argParser(singleValue).makeOptionMandatory(),
      documentOption(),
    ],
    examples: ['dexsync release export r41 --out r41.json'],
    run: async (
      { flags, host, project, printOutcome }: CommandRun<GlobalOptions & { readonly out: string }>,
      release: string,
    ) =>
      printOutcome(
        await exportRelease({ ...project, release, out: flags.out }, host),
        (texts) => texts.transferredRelease,
      ),
  });

const importCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'import',
    summary: 'add the release of a file to the ledger',
    description:
      'Adds the release of a file to the ledger of this project, under its own number. A file that was changed is ' +
      'refused, and a release that is there is never replaced. Sends no request.',
    arguments: [createArgument('<file>', 'file that `dexsync release export` wrote')],
    options: [documentOption()],
    examples: ['dexsync release import r41.json --env prod'],
    run: async ({ host, project, printOutcome }, file: string) =>
      printOutcome(await importRelease({ ...project, file }, host), (texts) => texts.transferredRelease),
  });
