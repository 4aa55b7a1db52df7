import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Disturbance } from '../disturbances.js';
import type { LedgerHome } from './ledgers.js';
import { durableNow, losePower } from './power.js';
import type { Machine } from './program.js';
import type { Site } from './site.js';

const FAILING_DISK = resolve('test/harness/failing-disk.cjs');
const POWER = fileURLToPath(new URL('./power.cjs', import.meta.url));

/** A machine in trouble. */
interface Trouble {
  readonly machine: Machine;
  /** Once the command has ended: does what is left to do to the disk, and says whether anything happened. */
  after(struck: boolean): boolean;
}

/** Undefined where only the service has trouble, or the program alone is killed. */
export function troubleFor(
  { folder, variables }: Site,
  ledger: LedgerHome,
  root: string,
  { ends, disk }: Disturbance,
): Trouble | undefined {
  const log = join(root, 'machine.log');
  rmSync(log, { force: true });
  if (disk !== undefined) return failingDisk(ledger.folder ?? folder, log, disk);
  const folders = [folder, ledger.folder, variables.XDG_STATE_HOME].filter((one) => one !== undefined);
  return ends === 'power' ? losingPower(folders, log) : undefined;
}

const failingDisk = (below: string, log: string, disk: NonNullable<Disturbance['disk']>): Trouble => ({
  machine: { modules: [FAILING_DISK], variables: { DISK_FAILS: JSON.stringify({ below, log, ...disk }) } },
  after: () => existsSync(log) && JSON.parse(readFileSync(log, 'utf8')).writes >= disk.at,
});

function losingPower(folders: readonly string[], log: string): Trouble {
  writeFileSync(log, '');
  const before = durableNow(folders);
  return {
    machine: { modules: [POWER], variables: { POWER_BELOW: JSON.stringify(folders), POWER_LOG: log } },
    after(struck) {
      if (struck) losePower(folders, before, log);
      return struck;
    },
  };
}
