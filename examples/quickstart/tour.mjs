// Runs the quickstart: each command as a user would type it, and the exit code that it must end with.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));
const faulty = 'examples/quickstart/data/faulty.csv';

/** @type {[about: string, args: string[], exitCode: number][]} */
const steps = [
  ['Check the manifests, without reaching a workspace', ['validate'], 0],
  ['Compare them with the workspace', ['plan'], 0],
  ['Carry out that plan: definitions, groups, then the part list, then its bill of materials', ['apply', '--yes'], 0],
  ['Look at what was made: item numbers that nobody else gets', ['get', 'NumberReservation'], 0],
  [
    'Import a file with faulty rows: they are told before anything is sent, then by the service, and nothing is committed',
    ['import', faulty, '--definition', 'Parts', '--max-errors', '1'],
    8,
  ],
  [
    'Import an edit of compliance data: a trigger watches it',
    ['import', 'examples/quickstart/data/edited.csv', '--definition', 'Parts'],
    0,
  ],
  ['See the event that is queued for another system', ['events', 'list', 'Compliance desk'], 0],
  [
    'Run an export and unpack what it holds',
    ['exports', 'run', 'Lamps', '--out', '.dexsync/exports/lamps', '--force'],
    0,
  ],
  ['Plan again: nothing is left to do', ['plan', '--detailed-exitcode'], 0],
];

for (const [about, args, expected] of steps) {
  const typed = args.map((arg) => (arg.includes(' ') ? `"${arg}"` : arg)).join(' ');
  console.log(`\n# ${about}\n$ npx dexsync ${typed} --env local\n`);
  const { status, error } = spawnSync(process.execPath, [cli, ...args, '--env', 'local'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (error !== undefined) throw error;
  if (status !== expected) {
    console.error(`\nThe quickstart expected exit code ${expected}, and got ${status}.`);
    process.exit(1);
  }
}

console.log(
  '\nDone. The workspace stays in .dexsync/: look around with `npx dexsync plan`, change a manifest, and apply again.',
);
