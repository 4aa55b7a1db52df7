import { basename } from 'node:path';
import { watch } from 'chokidar';
import type { Diagnostic } from '#base/diagnostics.js';
import { reasonOf } from '#base/errors.js';
import type { CheckedOut, FollowCallbacks, Followed } from './followed.js';

/** Names to ignore: large folders that are not part of a project, and files of dexsync, git or an editor. */
const IGNORED = /^(\.(?!\.?$).*|node_modules|~\$.*|.*~|.*\.sw[a-z])$/;

/** Milliseconds without a change before changes are reported: a save or a checkout is many changes. */
const SILENCE = 300;

/**
 * Follows the files of a project. If changes cannot be noticed, for example because the system has no watches left,
 * reports that once; the rounds continue at the interval.
 */
export async function followFolder(
  folder: string,
  project: CheckedOut,
  { onChange, onProblem }: FollowCallbacks,
): Promise<Followed> {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, {
    ignoreInitial: true,
    ignored: (path) => path !== folder && IGNORED.test(basename(path)),
  });
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SILENCE);
  });
  watcher.once('error', (error) => onProblem(unnoticed(folder, error)));
  await new Promise<void>((ready) => {
    watcher.once('ready', ready);
    watcher.on('error', () => ready());
  });
  return {
    name: folder,
    checkOut: async () => project,
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

const unnoticed = (folder: string, error: unknown): Diagnostic => ({
  severity: 'warning',
  code: 'changes-unnoticed',
  message: `Changes of files in ${folder} may not be noticed: ${reasonOf(error)}.`,
  hint: 'They take effect at the next interval. With too many files, raise the limit of the system (inotify), or watch a smaller folder.',
});
