import { parseArgs } from 'node:util';
import { olderProgram, warmProgram } from './harness/program.js';
import { drawHistory, type HistorySettings, type Outcome, runHistory } from './history.js';
import { shrink } from './shrink.js';

const OPTIONS = {
  minutes: { type: 'string', default: '1' },
  histories: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '1' },
  length: { type: 'string', default: '30' },
  operations: { type: 'string' },
  without: { type: 'string' },
  faults: { type: 'string' },
  ledger: { type: 'string' },
  versioned: { type: 'boolean', default: false },
  program: { type: 'string', default: process.cwd() },
  lanes: { type: 'string', default: '2' },
  'go-on': { type: 'boolean', default: false },
  'as-drawn': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const HELP = `Runs generated histories of the program against a model, until a law is broken or the time is over.

  --minutes N        how long (default 1)
  --histories N      how many at most
  --seed N           seed of the first history; the next one has the next seed (default 1)
  --length N         operations of a history, beside the first few (default 30)
  --operations LIST  only these, with commas
  --without LIST     not these
  --faults LIST      only these faults
  --ledger KIND      file or git (default: as drawn)
  --versioned        clones are git repositories in each history (default: in one of five)
  --program FOLDER   a built program to judge (default: this one)
  --lanes N          histories at the same time (default 2)
  --go-on            go on after a violation
  --as-drawn         print the history of a violation as it was drawn, not the shortest one
`;

const { values } = parseArgs({ options: OPTIONS, strict: true });
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const kept = values.ledger as HistorySettings['ledger'] | undefined;

const listed = (list: string | undefined): string[] | undefined => list?.split(',').map((name) => name.trim());

const began = performance.now();
const until = began + Number(values.minutes) * 60_000;
const last = Number(values.seed) + Number(values.histories);
let next = Number(values.seed);
const totals = { histories: 0, commands: 0, spent: 0, violations: 0 };
const done = new Map<string, number>();
const pairs = new Map<string, number>();
const struck = new Map<string, number>();

const count = (into: Map<string, number>, names: readonly string[]): void => {
  for (const name of names) into.set(name, (into.get(name) ?? 0) + 1);
};

async function lane(): Promise<void> {
  const program = olderProgram(warmProgram(values.program));
  while (performance.now() < until && next < last && (values['go-on'] || totals.violations === 0)) {
    const seed = next;
    next += 1;
    const drawn = drawHistory(seed, Number(values.length), listed(values.operations), listed(values.without));
    const faults = listed(values.faults);
    const isVersioned = values.versioned || drawn.isVersioned;
    const history: HistorySettings = { ...drawn, faults, ledger: kept ?? drawn.ledger, isVersioned };
    const run = (one: HistorySettings): Promise<Outcome> => runHistory(one, program);
    const outcome = await run(history);
    totals.histories += 1;
    totals.commands += outcome.commands;
    totals.spent += outcome.spent;
    count(done, outcome.done);
    count(
      pairs,
      outcome.done.slice(1).map((name, index) => `${outcome.done[index]} > ${name}`),
    );
    count(struck, outcome.disturbances);
    if (outcome.violation !== undefined) {
      totals.violations += 1;
      await report(history, outcome, run);
    }
  }
  program.close();
}

/** Prints a violation with the shortest history that has it, as a script that a person can follow. */
async function report(
  history: HistorySettings,
  outcome: Outcome,
  run: (history: HistorySettings) => Promise<Outcome>,
): Promise<void> {
  const { law } = outcome.violation ?? {};
  const again = async (one: HistorySettings): Promise<boolean> => (await run(one)).violation?.law === law;
  if (!values['as-drawn'] && !(await again(history)))
    console.log(`# It did not come again when seed ${history.seed} was repeated.`);
  const shortest = values['as-drawn'] ? history : await shrink(history, again);
  const shown = shortest === history ? outcome : await run(shortest);
  console.log(
    `# seed ${history.seed} (${history.dialect}): law ${law}: ${(shown.violation ?? outcome.violation)?.message}`,
  );
  console.log(shown.script.join('\n'));
}

const table = (title: string, counts: ReadonlyMap<string, number>): string =>
  [
    `\n${title}`,
    ...[...counts].sort(([, a], [, b]) => b - a).map(([name, times]) => `${String(times).padStart(6)}  ${name}`),
  ].join('\n');

await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
const minutes = (performance.now() - began) / 60_000;
const { histories, commands, spent, violations } = totals;
const rare = [...pairs.values()].filter((times) => times >= 10).length;
console.log(table('Operations', done));
console.log(table('Faults that struck', struck));
console.log(
  `\n${histories} histories, ${commands} commands (${Math.round(commands / minutes)} a minute, ${Math.round(spent / Math.max(1, commands))} ms each), ` +
    `${pairs.size} of ${done.size ** 2} pairs, ${rare} of them 10 times and more, ${violations} violations`,
);
process.exit(violations > 0 ? 1 : 0);
