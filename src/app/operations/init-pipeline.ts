import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';
import { packageFolder } from '#base/files/package-folder.js';
import { pathExists } from '#base/files/path-exists.js';
import { replaceFile } from '#base/files/replace-file.js';
import type { Host } from '#project/host.js';
import { addLines, nameStack, writeIfAbsent } from './init.js';

/** Where pipelines run. */
export type Forge = 'github' | 'gitlab';

const SHOWN = join(packageFolder(), 'examples', 'pipelines');

/** Files of the guide, with their paths in a repository. */
const COMMON = {
  'sync.config.yaml': 'sync.config.yaml',
  'manifests/groups.yaml': 'manifests/groups.yaml',
  'ci/check.sh': 'ci/check.sh',
  'ci/plan.sh': 'ci/plan.sh',
  'ci/take.sh': 'ci/take.sh',
  'ci/apply.sh': 'ci/apply.sh',
  'ci/drift.sh': 'ci/drift.sh',
  'ci/release.sh': 'ci/release.sh',
  'ci/promote.sh': 'ci/promote.sh',
  'pre-commit.yml': '.pre-commit-config.yaml',
  Dockerfile: 'Dockerfile',
};
const OWN: Readonly<Record<Forge, Readonly<Record<string, string>>>> = {
  github: { 'github.yml': '.github/workflows/dexsync.yml', 'ci/github.mjs': 'ci/github.mjs' },
  gitlab: { 'gitlab.yml': '.gitlab-ci.yml', 'ci/gitlab.mjs': 'ci/gitlab.mjs' },
};

/**
 * Creates the files that a repository needs for its pipelines, from the guide's own files, and packs this package to
 * install from, since no registry has it. Keeps existing files, and only adds to `.gitignore` and `package.json`.
 * Returns one line for each action.
 */
export async function initPipeline(
  folder: string,
  stack: string,
  forge: Forge,
  { variables }: Pick<Host, 'variables'>,
): Promise<string[]> {
  const done: string[] = [];
  for (const [source, target] of Object.entries({ ...COMMON, ...OWN[forge] })) {
    const text = (await readFile(join(SHOWN, source), 'utf8')).replace(
      /^stack: .*$/m,
      `stack: ${JSON.stringify(nameStack(stack))}`,
    );
    await makeFolder(dirname(join(folder, target)));
    done.push((await writeIfAbsent(join(folder, target), text)) ? `Created ${target}` : `Left ${target} as it is`);
  }
  const ignored = (await readFile(join(SHOWN, 'gitignore'), 'utf8')).trimEnd().split('\n');
  const file = await packInto(join(folder, 'vendor'), variables);
  return [
    ...done,
    ...(await addLines(join(folder, '.gitignore'), ignored)),
    `Created vendor/${file}`,
    ...(await dependOn(join(folder, 'package.json'), `file:vendor/${file}`)),
  ];
}

/** Packs this package into a file that `npm install` accepts, and returns the name of that. */
async function packInto(folder: string, variables: Host['variables']): Promise<string> {
  await makeFolder(folder);
  const args = ['pack', packageFolder(), '--pack-destination', folder, '--ignore-scripts', '--json'];
  try {
    const options = { cwd: folder, env: { ...variables }, shell: process.platform === 'win32' };
    const { stdout } = await promisify(execFile)('npm', args, options);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return filename;
  } catch (error) {
    throw new DexsyncError('USAGE', `\`npm pack\` could not put dexsync into ${folder}: ${reasonOf(error)}.`, {
      hint: 'npm comes with Node; check that `npm --version` works here, and run this command again.',
      cause: error,
    });
  }
}

async function dependOn(path: string, source: string): Promise<string[]> {
  const before = (await pathExists(path)) ? readPackage(path, await readFile(path, 'utf8')) : undefined;
  if (before?.dependencies?.dexsync === source) return [];
  const after = { ...(before ?? { private: true }), dependencies: { ...before?.dependencies, dexsync: source } };
  await replaceFile(path, `${JSON.stringify(after, null, 2)}\n`);
  return [before === undefined ? 'Created package.json' : 'Added dexsync to package.json'];
}

function readPackage(path: string, text: string): { readonly dependencies?: Readonly<Record<string, string>> } {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DexsyncError('USAGE', `${path} cannot be read: ${reasonOf(error)}.`, {
      hint: 'Mend the file, and run this command again.',
      cause: error,
    });
  }
}
