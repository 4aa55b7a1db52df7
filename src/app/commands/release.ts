import { type Command, createArgument, createOption } from 'commander';
import {
  createRelease,
  diffReleases,
  EXIT,
  exportRelease,
  importRelease,
  listReleases,
  readRelease,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { formatOption } from './format-option.js';
import { documentOption } from './json-option.js';
import { singleValue } from './option-values.js';
import { releaseArgument, releaseCheckCommand, releaseHoldCommand, releaseLiftCommand } from './release-notes.js';

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
      releaseCheckCommand(cli),
      releaseHoldCommand(cli),
      releaseLiftCommand(cli),
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
