import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { CLI, environment } from '../harness/test-project.js';
import { type Exchange, parseDialogue, writeDialogue } from './dialogue.js';
import type { Block, Page } from './page.js';

/** A page with what its commands write, and what in it cannot be as it says. */
export interface Played {
  readonly text: string;
  readonly problems: readonly string[];
}

interface Stage {
  folder: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly problems: string[];
}

/**
 * Runs the `console` blocks of a page in order, and makes the edits of its `diff` blocks between them. `home` is the reader's.
 */
export async function playPage(page: Page, folder: string, home: string): Promise<Played> {
  const stage: Stage = {
    folder: await realpath(folder),
    home: await realpath(home),
    variables: await variablesIn(home),
    problems: [],
  };
  const parts: string[] = [];
  let from = 0;
  for (const block of page.blocks) {
    parts.push(page.text.slice(from, block.start), await playBlock(block, stage));
    from = block.end;
  }
  return { text: [...parts, page.text.slice(from)].join(''), problems: stage.problems };
}

async function playBlock(block: Block, stage: Stage): Promise<string> {
  await prepare(block, stage);
  if (block.language === 'diff') await edit(block, stage);
  if (block.language !== 'console') return block.text;
  const exchanges = parseDialogue(block.text);
  const ends = await runAll(exchanges, stage);
  const text = writeDialogue(
    exchanges,
    ends.map(({ output }) => output.replaceAll(stage.home, '/home/you')),
  );
  for (const [index, { code, output }] of ends.entries()) {
    const isTold = new RegExp(`exit ${code}\\b`).test(output) || exchanges[index + 1]?.command === 'echo $?';
    if (code !== 0 && !isTold)
      stage.problems.push(`line ${block.line}: \`${exchanges[index]?.command}\` exits with ${code}: ${output}`);
  }
  return text;
}

async function prepare({ hidden, line }: Block, stage: Stage): Promise<void> {
  const ends = await runAll(
    hidden.map((command) => ({ command, output: '' })),
    stage,
  );
  for (const [index, { code, output }] of ends.entries()) {
    if (code !== 0) stage.problems.push(`before line ${line}: \`${hidden[index]}\` exits with ${code}: ${output}`);
  }
}

interface End {
  readonly code: number;
  readonly output: string;
}

/** Runs commands in one shell, which the next block goes on from where this one ends. */
async function runAll(exchanges: readonly Exchange[], stage: Stage): Promise<End[]> {
  if (exchanges.length === 0) return [];
  const script = ['exec 2>&1', ...exchanges.map(({ command }) => `${command}\n${MARK}`)].join('\n');
  const written = await new Promise<string>((done) => {
    execFile('bash', ['-c', script], { cwd: stage.folder, env: stage.variables, encoding: 'utf8' }, (_, out) =>
      done(out),
    );
  });
  const ends = [...written.matchAll(/([\s\S]*?)<<end (\d+) (.*)>>\n/g)];
  stage.folder = ends.at(-1)?.[3] ?? stage.folder;
  return ends.map(([, output = '', code]) => ({ code: Number(code), output }));
}

/** After each command: its exit code, which `$?` has still, and the folder. */
const MARK = `__code=$?; printf '<<end %s %s>>\\n' "$__code" "$PWD"; (exit "$__code")`;

/** The first line of the block names the file; `-` lines and lines without a sign are there, once. */
async function edit({ text, line }: Block, stage: Stage): Promise<void> {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const path = join(stage.folder, head.replace(/^--- /, ''));
  const side = (sign: string): string =>
    lines
      .filter((one) => !one.startsWith(sign))
      .map((one) => `${one.slice(1)}\n`)
      .join('');
  const before = side('+');
  const content = before === '' ? '' : await readFile(path, 'utf8');
  if (before !== '' && content.split(before).length !== 2) {
    stage.problems.push(`line ${line}: the lines before the edit must be in ${head.slice(4)} once`);
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, before === '' ? side('-') : content.replace(before, () => side('-')));
}

/** What a shell of a reader has: the program on its path, and nothing of this machine. */
async function variablesIn(home: string): Promise<Stage['variables']> {
  const bin = join(home, 'bin');
  await mkdir(bin, { recursive: true });
  const program = join(bin, 'dexsync');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  await chmod(program, 0o755);
  const variables = environment();
  return { ...variables, PATH: `${bin}${delimiter}${variables.PATH}`, HOME: home, TZ: 'UTC' };
}
