import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { atEnd } from '../harness/at-end.js';
import { IS_WHOLE } from '../harness/sample.js';
import { strictProgram, surfaceIn } from './surface.js';

const ENTRIES = [
  { name: 'dexsync', file: 'types/index.d.ts', report: 'library.md' },
  { name: 'dexsync/kind', file: 'types/kind.d.ts', report: 'kind.md' },
] as const;

const headed = (name: string, report: string): string =>
  `# The API of ${name}\n\nWritten by \`npm run api\`, and held equal to the package by a test: a change here is a change for users.\n\n${report}`;

/** A project of somebody who installed the package: `dexsync` is found by name, through the exports of package.json. */
async function consumer(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'consumer-'));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(folder, 'node_modules'));
  await symlink(resolve('.'), join(folder, 'node_modules/dexsync'), 'junction');
  const filter = (source: string): boolean => !source.includes('.dexsync');
  for (const name of ['library', 'own-kind'])
    await cp(`examples/${name}`, join(folder, name), { recursive: true, filter });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

function run(folder: string, file: string): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (part) => out.push(String(part)));
    child.stderr.on('data', (part) => err.push(String(part)));
    child.on('close', (code) => done({ code, out: out.join(''), err: err.join('') }));
  });
}

test('the example of the library plans, applies, prints events, and decides by the code of an error', async () => {
  const folder = await consumer();
  const first = await run(folder, 'library/sync.mjs');
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toBe(
    'Steps: 1. Requests: at most 1.\nUserGroup/Reviewers started\nUserGroup/Reviewers done\nDone: 1. Unchanged: 0. Requests: 3.\n',
  );
  expect((await run(folder, 'library/sync.mjs')).out).toBe(
    'Steps: 0. Requests: at most 0.\nDone: 0. Unchanged: 1. Requests: 1.\n',
  );
  await writeFile(join(folder, 'library/manifests/groups.yaml'), 'apiVersion: dexsync/v1\nkind: UserGrup\n');
  expect(await run(folder, 'library/sync.mjs')).toMatchObject({
    code: 3,
    err: 'There is no kind "UserGrup".\nMANIFESTS_INVALID: 1 error in the manifests; nothing was sent. \n',
  });
});

describe('the declarations of the package', { timeout: 120_000 }, () => {
  let folder: string;
  let program: ts.Program;
  beforeAll(async () => {
    execFileSync('npm', ['run', '--silent', 'types']);
    folder = await consumer();
    await writeFile(join(folder, 'consumer.ts'), await readFile('test/api/consumer.ts.txt', 'utf8'));
    // The example of a kind of one's own takes as long as all others, and is run by `scenarios/own-kind`.
    const files = ['consumer.ts', 'library/sync.mjs', ...(IS_WHOLE ? ['own-kind/kinds/supplier.mjs'] : [])];
    program = strictProgram([...files.map((file) => join(folder, file)), ...ENTRIES.map(({ file }) => resolve(file))]);
  });

  test('user programs compile, and a switch over all events is exhaustive', () => {
    const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${folder}/`));
    expect(sources).toHaveLength(IS_WHOLE ? 3 : 2);
    const told = sources
      .flatMap((source) => program.getSemanticDiagnostics(source))
      .map(({ file, messageText, start }) => {
        const line = file === undefined || start === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
        return `${file?.fileName.slice(folder.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      });
    expect(told).toEqual([]);
  });

  /** `npm run api` writes the files that these compare with. */
  test.each(ENTRIES)('match $report, the report of $name', async ({ name, file, report }) => {
    const surface = surfaceIn(program, file);
    await expect(headed(name, surface.report)).toMatchFileSnapshot(report);
    expect(surface.hidden, 'types that a signature shows and nobody can import').toEqual([]);
    expect(surface.report.match(/^### .*undocumented.*$/gm) ?? []).toEqual([]);
  });
});
