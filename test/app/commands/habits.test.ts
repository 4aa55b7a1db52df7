import { describe, expect, test } from 'vitest';
import { COMMAND_HABITS, COMMAND_OPTION_HABITS, OPTION_HABITS } from '#app/commands/habits.js';
import { execute } from '#app/commands/program.js';
import { dexsyncLines, everyCommand, memoryCli, mistakeIn, openProgram } from './parse-example.js';

async function typed(...args: string[]) {
  const { cli, written } = memoryCli();
  await execute(cli, args);
  return written;
}

/** A command that lacks the option. */
const refusedAt = (name: string): string[] => {
  const { program } = openProgram();
  const lacks = everyCommand(program).find(
    (command) =>
      command.parent === program &&
      command.commands.length === 0 &&
      !command.options.some(
        ({ long, short }) => long === `--${name}` || short === `-${name}` || short === `-${name[0]}`,
      ),
  );
  return [lacks?.name() ?? ''];
};

describe('options of other tools get advice', () => {
  test.each(Object.entries(OPTION_HABITS))('%s', async (name, hint) => {
    const forms = name.length === 1 ? [`-${name}`] : [`-${name}`, `--${name}`, `-${name}=x`];
    for (const form of forms) {
      expect(await typed(...refusedAt(name), form)).toEqual({
        code: 3,
        out: form === '--json' ? expect.stringMatching(/^\{\n {2}"error": \{/) : '',
        err: `Error: Unknown option \`${form}\`.\n${hint}\n[USAGE, exit 3]\n`,
      });
    }
  });

  test.each([
    [['apply', '-auto-approve'], '`dexsync apply --yes`'],
    [['apply', '--auto-approve'], '`dexsync apply --yes`'],
    [['destroy', '-auto-approve'], '`dexsync destroy --yes --confirm'],
    [['apply', '-target=UserGroup/Quality'], '`--only KIND/NAME`'],
    [['plan', '-target', 'UserGroup/Quality'], '`--only KIND/NAME`'],
    [['apply', '--dry-run'], '`dexsync plan` is the dry run'],
    [['plan', '-out', 'plan.json'], 'Long options have two dashes: `--out`.'],
    [['plan', '-out=plan.json'], 'Long options have two dashes: `--out`.'],
    [['plan', '-var', 'site=Vienna'], 'Long options have two dashes: `--var`.'],
    [['plan', '-json'], 'Long options have two dashes: `--json`.'],
    [['plan', '-help'], 'Long options have two dashes: `--help`.'],
    [['plan', '-refresh-only'], '`dexsync drift`'],
    [['apply', '-destroy'], '`dexsync destroy`'],
    [['-chdir=../x', 'plan'], '`--config FILE`'],
    [['-v'], '`dexsync --version` prints the version; `--trace`'],
    [['apply', '--paralelism', '2'], 'Did you mean --parallelism?'],
    [['apply', '--zzz'], 'See `dexsync apply --help`.'],
  ])('%j', async (args, hint) => {
    const { code, err } = await typed(...args);
    expect([code, err]).toEqual([3, expect.stringContaining(`\n${hint}`)]);
  });
});

describe('commands of other tools get advice', () => {
  test.each(Object.entries(COMMAND_HABITS))('dexsync %s', async (name, hint) => {
    const { code, out, err } = await typed(...name.split(' '));
    expect([code, out, err]).toEqual([
      3,
      '',
      `Error: Unknown command "${name.split(' ').at(-1)}".\n${hint}\n[USAGE, exit 3]\n`,
    ]);
  });

  test('a word after -- or an unknown word gets the nearest name, or the way to the help', async () => {
    expect((await typed('exprots')).err).toContain('\nDid you mean exports?\n');
    expect((await typed('events', 'lst')).err).toContain('\nDid you mean list?\n');
    expect((await typed('zzzzzzz')).err).toContain('\nSee `dexsync --help`.\n');
  });
});

test.each(Object.values({ ...OPTION_HABITS, ...COMMAND_OPTION_HABITS, ...COMMAND_HABITS }))(
  'the program accepts the advised command: %s',
  async (hint) => {
    const quoted = [...hint.matchAll(/`(dexsync [^`]+)`/g)].map(([, line = '']) => line);
    for (const words of quoted.flatMap(dexsyncLines)) {
      const mistake = await mistakeIn(words.map((word) => (word === 'GUARD' ? 'deletes' : word)));
      if (!/\(outputHelp\)|^0\.0\.0$/.test(mistake ?? '')) expect([words, mistake]).toEqual([words, undefined]);
    }
    const { program } = openProgram();
    const flags = new Set(everyCommand(program).flatMap(({ options }) => options.map(({ long }) => long)));
    const named = [...hint.matchAll(/`(--[\w-]+)[^`]*`/g)].map(([, flag]) => flag);
    expect(named.filter((flag) => !flags.has(flag))).toEqual([]);
    expect(
      quoted.length + named.length + (hint.includes('renamedFrom') || hint.startsWith('Apply the earlier') ? 1 : 0),
    ).toBeGreaterThan(0);
  },
);
