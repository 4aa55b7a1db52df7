import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { CONFIG_FILE } from '../config/load-config.js';
import { DexsyncError } from '../errors.js';
import { makeFolder } from '../files/make-folder.js';

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
 * Makes a configuration and one manifest in the folder, as a start. What is there already is never
 * overwritten. Gives what was done, a line each.
 */
export async function init(folder: string, stack: string): Promise<string[]> {
  const files = new Map([
    [join(folder, CONFIG_FILE), CONFIG.replace('STACK', JSON.stringify(nameStack(stack)))],
    [join(folder, 'manifests', 'groups.yaml'), MANIFEST],
  ]);
  const made: string[] = [];
  for (const [path, text] of files) {
    await makeFolder(dirname(path));
    const written = await writeNew(path, text);
    if (!written && path.endsWith(CONFIG_FILE)) {
      throw new DexsyncError('USAGE', `${CONFIG_FILE} already exists; nothing was written.`, {
        hint: 'Run `dexsync validate` to check it.',
      });
    }
    if (written) made.push(`Created ${relative(folder, path)}`);
  }
  return [...made, ...(await addLines(join(folder, '.gitignore'), ['.dexsync/']))];
}

/** What dexsync makes is not for version control: said so in a `.gitignore` that is there already, too. */
export async function addLines(path: string, lines: readonly string[]): Promise<string[]> {
  if (await writeNew(path, `${lines.join('\n')}\n`)) return [`Created ${basename(path)}`];
  const text = await readFile(path, 'utf8');
  const bare = (line: string): string => line.trim().replaceAll(/^\/|\/$/g, '');
  const present = new Set(text.split('\n').map(bare));
  const missing = lines.filter((line) => !present.has(bare(line)));
  if (missing.length === 0) return [];
  await appendFile(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
  return [`Added ${missing.join(', ')} to ${basename(path)}`];
}

/** False where the file is there already. */
export async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A folder's name as a stack's: other characters become dashes. */
export const nameStack = (folder: string): string =>
  folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'main';
