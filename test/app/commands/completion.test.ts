import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { splitWords } from '#app/commands/completion/shell-line.js';
import { SOURCE_WORDS } from '#app/commands/completion/value-source.js';
import { execute } from '#app/commands/program.js';
import { everyCommand, memoryCli, nameOf, openProgram } from './parse-example.js';

let folder: string;

const FILES = {
  'sync.config.yaml': `stack: test
manifests: [manifests]
defaultEnvironment: local
variables: { site: Vienna }
environments:
  local: { workspace: embedded }
  prod: { url: https://plm.example.com/v1, variables: { site: Linz } }
`,
  'manifests/groups.yaml': `apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: "Quality \${var.site}" }
---
kind: UserGroup
metadata: { name: "two\\nlines" }
---
kind: UserGroup
metadata: { name: "Ann's \\"A\\" $team" }
`,
  'manifests/broken.yaml': 'kind: [\n',
  'manifests/imports.yaml': `apiVersion: dexsync/v1
kind: Import
metadata: { name: Nightly parts }
spec: { definition: ERP items, source: { file: a.csv } }
`,
  '.dexsync/ledger/plans/test/prod/release-1/plan.json': '{}',
  '.hidden': '',
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'completion-'));
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function linesOf(shell: string, line: string, replaced = '', cwd = folder): Promise<string[]> {
  const { cli, written } = memoryCli();
  await execute({ ...cli, host: { ...cli.host, cwd } }, ['complete', shell, '--', line, replaced]);
  expect([written.code, written.err]).toEqual([0, '']);
  return written.out.split('\n').slice(0, -1);
}

/** What a line may become, without descriptions. */
const valuesOf = async (line: string, cwd = folder): Promise<string[]> =>
  (await linesOf('fish', line, '', cwd)).map((one) => one.split('\t')[0] ?? '');

test.each([
  ['dexsync pl', ['plan']],
  ['dexsync comp', ['completion']],
  ['dexsync plan re', ['review', 'remove']],
  ['dexsync help dr', ['drift']],
  ['dexsync plan --det', ['--detailed-exitcode']],
  ['dexsync plan --detailed-exitcode --det', []],
  ['dexsync plan --only x --onl', ['--only']],
  ['dexsync plan --en', ['--env']],
  ['dexsync --env prod plan --en', []],
  ['dexsync plan --vers', []],
  ['dexsync --vers', ['--version']],
  ['dexsync plan --manual ', ['fail', 'warn']],
  ['dexsync apply --manual=w', ['--manual=warn']],
  ['dexsync apply --adopt m', ['matching', 'manifests/']],
  ['dexsync plan --env ', ['local', 'prod']],
  ['dexsync plan --env=p', ['--env=prod']],
  ['dexsync env check p', ['prod']],
  ['dexsync get u', []],
  ['dexsync get User', ['UserGroup', 'User']],
  ['dexsync get gr', ['group']],
  ['dexsync get -o ', ['table', 'json', 'yaml', 'csv', 'name']],
  ['dexsync get groups Q', ['Quality Vienna']],
  ['dexsync --env prod get groups Q', ['Quality Linz']],
  ['dexsync orphans Attr', []],
  ['dexsync describe ', ['UserGroup/', 'Import/']],
  ['dexsync describe g', ['group/']],
  ['dexsync describe UserGroup/Q', ['UserGroup/Quality Vienna']],
  ['dexsync describe groups/Q', ['groups/Quality Vienna']],
  ['dexsync forget "UserGroup/Quality Vienna" UserGroup/Q', []],
  ['dexsync plan --only I', ['Import', 'Import/']],
  ['dexsync explain UserGroup.m', ['UserGroup.members']],
  ['dexsync import show N', ['Nightly parts']],
  ['dexsync import --output j', ['junit=', 'json=']],
  ['dexsync import --output md=man', ['md=manifests/']],
  ['dexsync apply --env prod l', ['ledger:release-1']],
  ['dexsync apply l', []],
  ['dexsync show --env prod ', ['ledger:release-1', 'manifests/', 'sync.config.yaml']],
  ['dexsync plan -f manifests/b', ['manifests/broken.yaml']],
  ['dexsync init ', ['manifests/']],
  ['dexsync completion ', ['bash', 'zsh', 'fish']],
  ['dexsync validate -- --', []],
])('%s', async (line, values) => {
  expect((await valuesOf(line)).sort()).toEqual([...values].sort());
});

describe('in a project of any kind', () => {
  test('no configuration, or a broken one, completes words that do not need it', async () => {
    const empty = join(folder, 'manifests');
    expect(await valuesOf('dexsync --config nothing.yaml plan --env ')).toEqual([]);
    expect(await valuesOf('dexsync --config manifests/broken.yaml describe ')).toEqual([]);
    expect(await valuesOf('dexsync --config ../nothing.yaml plan --summ', empty)).toEqual(['--summary']);
  });

  test('completion writes nothing', async () => {
    await valuesOf('dexsync apply --env prod l');
    expect((await readdir(folder)).sort()).toEqual(['.dexsync', '.hidden', 'manifests', 'sync.config.yaml']);
    expect(await readdir(join(folder, '.dexsync'))).toEqual(['ledger']);
  });
});

test('bash gets the replacement for the end of the line, quoted as the word began; zsh learns whether the word is whole', async () => {
  expect(await linesOf('bash', 'dexsync describe UserGroup/', 'UserGroup/')).toEqual([
    `UserGroup/Ann\\'s\\ \\"A\\"\\ \\$team `,
    'UserGroup/Quality\\ Vienna ',
  ]);
  expect(await linesOf('bash', 'dexsync describe "UserGroup/A', 'UserGroup/A')).toEqual([
    `UserGroup/Ann's \\"A\\" \\$team`,
  ]);
  expect(await linesOf('bash', "dexsync describe 'User", 'User')).toEqual([
    `UserGroup/Ann'\\''s "A" $team`,
    'UserGroup/Quality Vienna',
  ]);
  expect(await linesOf('bash', 'dexsync plan --env=pr', 'pr')).toEqual(['prod ']);
  expect(await linesOf('bash', 'dexsync show --env prod ledger:', '')).toEqual(['release-1 ']);
  expect(await linesOf('bash', 'dexsync describe U', 'U')).toEqual(['UserGroup/']);
  expect(await linesOf('zsh', 'dexsync describe U')).toEqual(['open\tUserGroup/\t']);
  expect(await linesOf('zsh', 'dexsync plan --summ')).toEqual([
    'whole\t--summary\tprint totals, problems and price, without the fields of each object',
  ]);
});

test.each([
  ['a ', ['a', '']],
  ['a\\ b "c d', ['a b', 'c d']],
  [`'x y' "a \\" b\\\\" z`, ['x y', 'a " b\\', 'z']],
  ['x/"Qu', ['x/Qu']],
  ["a ''", ['a', '']],
  ['a b\\', ['a', 'b']],
  ['', ['']],
])('a line %j is split into words', (line, words) => {
  expect(splitWords(line).map(({ text }) => text)).toEqual(words);
});

test('every word of the table of values occurs in the help', () => {
  const { program } = openProgram();
  const words = everyCommand(program).flatMap((command) => [
    ...command.registeredArguments.flatMap((one) => [one.name(), `${nameOf(command)} ${one.name()}`]),
    ...command.options.flatMap(({ long, flags }) => {
      const word = /[<[](.+)[>\]]$/.exec(flags)?.[1] ?? '';
      return [word, `${long} ${word}`];
    }),
  ]);
  expect(SOURCE_WORDS.filter((word) => !words.includes(word))).toEqual([]);
});
