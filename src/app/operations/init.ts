import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';
import { pathExists } from '#base/files/path-exists.js';
import { replaceFile } from '#base/files/replace-file.js';
import { CONFIG_FILE } from '#project/config/load-config.js';

const CONFIG = `# dexsync configuration. All paths are relative to this file.
stack: STACK
manifests: [manifests]
defaultEnvironment: local
environments:
  # The workspace included in dexsync: starts automatically, keeps its data under .dexsync/.
  local: { workspace: embedded }
  # A real workspace. Keep secrets out of this file: the password comes from a variable or a command.
  # prod:
  #   url: https://plm.example.com/v1
  #   production: true
  #   credentials: { email: "\${env.PLM_EMAIL}", passwordCommand: pass show plm, workspaceId: "\${env.PLM_WORKSPACE}" }
`;

const MANIFEST = `apiVersion: dexsync/v1
kind: UserGroup
metadata:
  name: Quality
spec:
  description: Approves changes to released items
  assignability: [CHANGES, QUALITY]
`;

/**
 * Creates a configuration and a first manifest in the folder. Never overwrites existing content. Writes the
 * configuration last, so that an interrupted command can be repeated. Returns one line for each action.
 */
export async function init(folder: string, stack: string): Promise<string[]> {
  const config = join(folder, CONFIG_FILE);
  if (await pathExists(config)) throw alreadyThere();
  const manifest = join(folder, 'manifests', 'groups.yaml');
  await makeFolder(dirname(manifest));
  const hasManifest = await writeIfAbsent(manifest, MANIFEST);
  const ignored = await addLines(join(folder, '.gitignore'), ['.dexsync/']);
  if (!(await writeIfAbsent(config, CONFIG.replace('STACK', JSON.stringify(nameStack(stack)))))) throw alreadyThere();
  const made = hasManifest ? [config, manifest] : [config];
  return [...made.map((path) => `Created ${relative(folder, path)}`), ...ignored];
}

const alreadyThere = (): DexsyncError =>
  new DexsyncError('USAGE', `${CONFIG_FILE} already exists; nothing was written.`, {
    hint: 'Run `dexsync validate` to check it.',
  });

/** Adds missing lines to a `.gitignore`, or creates it: dexsync's own files are not for version control. */
export async function addLines(path: string, lines: readonly string[]): Promise<string[]> {
  if (await writeIfAbsent(path, `${lines.join('\n')}\n`)) return [`Created ${basename(path)}`];
  const text = await readFile(path, 'utf8');
  const bare = (line: string): string => line.trim().replaceAll(/^\/|\/$/g, '');
  const present = new Set(text.split('\n').map(bare));
  const missing = lines.filter((line) => !present.has(bare(line)));
  if (missing.length === 0) return [];
  await replaceFile(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
  return [`Added ${missing.join(', ')} to ${basename(path)}`];
}

/** Writes a file whole or not at all. Returns false if it exists already. */
export async function writeIfAbsent(path: string, text: string): Promise<boolean> {
  if (await pathExists(path)) return false;
  await replaceFile(path, text);
  return true;
}

/** Turns a folder's name into a stack's: other characters become dashes. */
export const nameStack = (folder: string): string =>
  folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'main';
