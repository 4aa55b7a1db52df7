import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftovers, sweep } from './leftovers.js';

/** Builds what is not built yet, and gives all temporary files of this run one folder, which is gone afterwards. */
export async function setup(): Promise<() => Promise<void>> {
  if (isStale()) build();
  const home = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  await sweep(home);
  const root = await mkdtemp(join(home, `dexsync-tests-${process.pid}-`));
  // Workers and all that they start inherit it. In memory, where there is such a place: durable writes are a third of the time.
  process.env.TMPDIR = root;
  // What clones of a machine have in common, too: nothing of a test is left in the home of who runs it.
  process.env.XDG_STATE_HOME = join(root, 'state');
  return async () => {
    for (const command of await endLeftovers(root))
      console.warn(`A test left a process behind; it was ended: ${command}`);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Tests start the built program; it must be the one of these sources. */
function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}

/** Whether a source is newer than what was built last; asking the compiler takes a second. */
function isStale(): boolean {
  const built = statSync('bundle/cli.js', { throwIfNoEntry: false });
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => join('src', file));
  return built === undefined || [...files, 'scripts/bundle.mjs'].some((file) => built.mtimeMs < statSync(file).mtimeMs);
}
