import { resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { type GitSettings, runGit } from './run-git.js';

/** Where the branch of a ledger is, and what git needs to reach it. */
export interface Remote {
  readonly url: string;
  /** The login settings of the project's own repository: pipelines keep a token there. */
  readonly settings: GitSettings;
}

/** Finds a remote of the project by name, or takes a URL or path. Throws LEDGER_UNREACHABLE for an unknown name. */
export async function findRemote(
  remote: string,
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Remote> {
  const options = { at: ['-C', folder], variables };
  const [found, config] = await Promise.all([
    runGit(['remote', 'get-url', '--push', remote], options),
    runGit(
      ['config', '--local', '--includes', '-z', '--get-regexp', '^(http|credential|url|ssh|core\\.sshcommand)'],
      options,
    ),
  ]);
  const settings = config.code === 0 ? settingsIn(config.out.toString('utf8')) : [];
  if (found.code === 0) return { url: placeOf(found.out.toString('utf8').trim(), folder), settings };
  // In a container, the folder may belong to another user: git then refuses to read its configuration.
  if (/dubious ownership/.test(found.err)) throw notReadable(folder, found.err);
  if (/[/\\:]/.test(remote)) return { url: placeOf(remote, folder), settings };
  throw new DexsyncError('LEDGER_UNREACHABLE', `${folder} has no git remote "${remote}" for the ledger.`, {
    hint: `Add it with \`git remote add ${remote} URL\`, or set \`ledger.git.remote\` in the configuration to a remote or a URL.`,
  });
}

/** Milliseconds to wait for a remote whose branch the configuration does not name. */
const PATIENCE = 5000;

/** Whether a remote has a branch. Throws if it does not answer soon. */
export async function isBranch(
  { remote, branch }: { readonly remote: string; readonly branch: string },
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { url, settings } = await findRemote(remote, folder, variables);
  const args = ['ls-remote', '--exit-code', url, `refs/heads/${branch}`];
  return (await runGit(args, { at: [], variables, settings, patience: PATIENCE })).code === 0;
}

const notReadable = (folder: string, words: string): DexsyncError =>
  new DexsyncError(
    'LEDGER_UNREACHABLE',
    `git does not read the configuration of ${folder}: ${words.split('\n')[0]?.replace(/^fatal: /, '') ?? ''}.`,
    { hint: `If you trust the folder: \`git config --global --add safe.directory ${folder}\`.` },
  );

/** Resolves a path against the project, wherever git runs. */
const placeOf = (url: string, folder: string): string =>
  /^[\w+.-]+:\/\/|^[^/\\]+@?[^/\\]*:/.test(url) ? url : resolve(folder, url);

const settingsIn = (text: string): GitSettings =>
  text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)];
    });
