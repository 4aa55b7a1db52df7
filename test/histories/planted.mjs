// Plants one mistake after the other into a copy of the program and lets the histories look for it: what they do not find they
// do not test. `npm run histories:planted -- [NAME…] [--minutes 10] [--seed 1]`, after `npm run build`.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const PATCHES = fileURLToPath(new URL('planted/', import.meta.url));
const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));
const PROGRAM = resolve(fileURLToPath(new URL('../..', import.meta.url)));

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());

/** Runs a program to its end, also after an interrupt: until then it may write into the folder that is to go. */
async function run(command, args, { cwd, temporary }) {
  const env = { ...process.env, TMPDIR: temporary };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], signal: stop.signal });
  child.on('error', () => undefined);
  const closed = new Promise((done) => child.on('close', done));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, out, err };
}

async function runOrThrow(command, args, options) {
  const { code, err } = await run(command, args, options);
  if (code !== 0) throw new Error(err.trim().split('\n').slice(0, 8).join('\n'));
}

/**
 * The program with a mistake in it. Only the files that a patch changes are compiled, since each stands alone (`isolatedModules`):
 * the whole takes a minute.
 */
async function plant(patch, temporary) {
  const copy = join(temporary, 'program');
  await mkdir(copy);
  for (const part of ['src', 'dist', 'scripts', 'schema', 'package.json'])
    await cp(join(PROGRAM, part), join(copy, part), { recursive: true });
  await symlink(join(PROGRAM, 'node_modules'), join(copy, 'node_modules'), 'junction');
  await runOrThrow('git', ['apply', join(PATCHES, patch)], { cwd: copy, temporary });
  const changed = (await readFile(join(PATCHES, patch), 'utf8')).matchAll(/^\+\+\+ b\/src\/(.+)\.ts$/gm);
  for (const [, name] of changed) await compile(join(copy, 'src', `${name}.ts`), join(copy, 'dist', `${name}.js`));
  await runOrThrow(process.execPath, ['scripts/bundle.mjs'], { cwd: copy, temporary });
  return copy;
}

const COMPILING = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };

async function compile(source, target) {
  const { outputText } = ts.transpileModule(await readFile(source, 'utf8'), { compilerOptions: COMPILING });
  await writeFile(target, outputText);
}

const histories = (program, seed, temporary, ...limit) =>
  run(process.execPath, [RUN, '--program', program, '--seed', String(seed), '--as-drawn', ...limit], {
    cwd: PROGRAM,
    temporary,
  });

/** The first violation that comes again, and not without the mistake; or how many histories had none. */
async function search(program, temporary) {
  const until = performance.now() + Number(values.minutes) * 60_000;
  let seed = Number(values.seed);
  while (performance.now() < until && !stop.signal.aborted) {
    const minutes = String((until - performance.now()) / 60_000);
    const { out, err } = await histories(program, seed, temporary, '--minutes', minutes);
    const done = /^(\d+) histories/m.exec(out)?.[1];
    if (done === undefined) throw new Error(`The histories ended without a result: ${err}`);
    for (const [, at, law, message] of out.matchAll(/^# seed (\d+) \(\w+\): law (\d+): (.*)/gm)) {
      const again = await histories(program, at, temporary, '--histories', '1');
      const without = await histories(PROGRAM, at, temporary, '--histories', '1');
      if (again.code !== 0 && without.code === 0) return { is: 'found', law, message: `seed ${at}: ${message}` };
    }
    seed += Number(done);
  }
  return { is: 'not found', message: `${seed - Number(values.seed)} histories` };
}

async function judge(patch) {
  const temporary = await mkdtemp(join(tmpdir(), 'dexsync-planted-'));
  try {
    const program = await plant(patch, temporary);
    const began = performance.now();
    const found = await search(program, temporary);
    const seconds = Math.round((performance.now() - began) / 1000);
    return { ...found, seconds };
  } catch (error) {
    return { is: 'failed', message: error.message };
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

const all = (await readdir(PATCHES)).filter((name) => name.endsWith('.patch')).sort();
const chosen = positionals.length === 0 ? all : positionals.map((name) => `${name}.patch`);
for (const name of chosen)
  if (!all.includes(name)) throw new Error(`There is no ${name}; there are ${all.join(', ')}.`);

const nameOf = (patch) => basename(patch, '.patch');
const width = Math.max(...chosen.map((patch) => nameOf(patch).length));
const row = (name, is, seconds, law, message) =>
  console.log(name.padEnd(width), is.padEnd(9), seconds.padStart(7), law.padStart(3), message.slice(0, 120));

row('name', '', 'seconds', 'law', 'message');
for (const patch of chosen) {
  const { is, seconds = '', law = '', message = '' } = await judge(patch);
  if (stop.signal.aborted) process.exit(130);
  row(nameOf(patch), is, String(seconds), law, message);
  if (is !== 'found') process.exitCode = 1;
}
