import { parseArgs } from 'node:util';
import { shareLedgers, stopLedgers } from './harness/ledgers.js';
import { drawHistory, type HistorySettings, type Outcome } from './history.js';
import { type Lane, openLane } from './lanes.js';
import { SINGLE_COMMANDS } from './operations/single-commands.js';
import { shrink } from './shrink.js';

const OPTIONS = {
  minutes: { type: 'string', default: '1' },
  histories: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '1' },
  length: { type: 'string', default: '48' },
  chains: { type: 'string' },
  operations: { type: 'string' },
  without: { type: 'string' },
  faults: { type: 'string' },
  ledger: { type: 'string' },
  versioned: { type: 'boolean', default: false },
  program: { type: 'string', default: process.cwd() },
  lanes: { type: 'string', default: '3' },
  'go-on': { type: 'boolean', default: false },
  'as-drawn': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const HELP = `Runs generated histories of the program against a model, until a law is broken or the time is over.

  --minutes N        how long (default 1)
  --histories N      how many at most
  --seed N           seed of the first history; each next one is drawn with the seed, of the following fifty, whose
                     chains have the pairs of commands that were seen least (default 1)
  --length N         operations of a history, beside the first few (default 48)
  --chains N         how many chains of single commands a history has, for pairs of them (default: half of its length)
  --operations LIST  only these, with commas
  --without LIST     not these
  --faults LIST      only these faults
  --ledger KIND      file, git or postgres (default: as drawn)
  --versioned        clones are git repositories in each history (default: in one of ten)
  --program FOLDER   a built program to judge (default: this one)
  --lanes N          histories at the same time (default 3)
  --go-on            go on after a violation
  --as-drawn         print the history of a violation as it was drawn, not the shortest one
`;

/** A pair that was seen so often is covered. */
const OFTEN = 10;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** How often something happened, by its name. */
type Counts = Map<string, number>;

const count = (into: Counts, names: readonly string[]): void => {
  for (const name of names) into.set(name, (into.get(name) ?? 0) + 1);
};

const pairsOf = (names: readonly string[]): string[] =>
  names.slice(1).map((name, index) => `${names[index]} > ${name}`);

/** Seeds that are compared for the next history. */
const CANDIDATES = 50;

/** Pairs of single commands that a history tries. */
const pairsIn = ({ choices }: HistorySettings): string[] =>
  pairsOf(choices.map(({ operation }) => operation)).filter((pair) =>
    pair.split(' > ').every((name) => SINGLE_COMMANDS.has(name)),
  );

/** What was run and covered. */
class Totals {
  readonly began = performance.now();
  violations = 0;
  readonly #lengths: number[] = [];
  #spent = 0;
  readonly #operations: Counts = new Map();
  /** By operation and fault, then by dialect and ledger. */
  readonly #faults = new Map<string, Counts>();
  readonly #pairs: Counts = new Map();
  readonly #commands: Counts = new Map();
  readonly #pairsOfCommands: Counts = new Map();
  readonly #tried: Counts = new Map();

  /** The history with most of what was seen fewer than ten times, and least of what was tried in vain. */
  bestOf(histories: readonly HistorySettings[]): HistorySettings {
    const value = (pair: string): number =>
      Math.max(0, OFTEN - (this.#pairsOfCommands.get(pair) ?? 0)) / (1 + (this.#tried.get(pair) ?? 0));
    const worth = histories.map((one) => [one, sum([...new Set(pairsIn(one))].map(value))] as const);
    const [best] = worth.reduce((one, other) => (other[1] > one[1] ? other : one));
    count(this.#tried, pairsIn(best));
    return best;
  }

  add({ dialect, ledger }: HistorySettings, { commands, spent, done }: Outcome): void {
    this.#lengths.push(commands.length);
    this.#spent += spent;
    const all = done.map(({ operation }) => operation);
    count(this.#operations, all);
    count(this.#pairs, pairsOf(all));
    count(this.#commands, commands);
    count(this.#pairsOfCommands, pairsOf(commands));
    const column = `${dialect} ${ledger}`;
    for (const { operation, faults } of done)
      for (const fault of faults) {
        const row = `${operation}: ${fault}`;
        const counts = this.#faults.get(row) ?? new Map();
        this.#faults.set(row, counts);
        count(counts, [column]);
      }
  }

  summary(): string {
    const minutes = (performance.now() - this.began) / 60_000;
    const commands = sum(this.#lengths);
    const median = this.#lengths.toSorted((a, b) => a - b)[Math.floor(this.#lengths.length / 2)];
    return `${this.#lengths.length} histories, ${commands} commands (${Math.round(commands / minutes)} a minute, ${Math.round(this.#spent / Math.max(1, commands))} ms each, median ${median} in a history), ${this.violations} violations`;
  }

  show(): string {
    return [
      table('Operations', this.#operations),
      table('Commands', this.#commands),
      grid('Faults that struck', this.#faults),
      '',
      this.summary(),
      `pairs of operations: ${coverage(this.#pairs, this.#operations.size)}; of commands: ${coverage(this.#pairsOfCommands, this.#commands.size)}`,
      rareOf(this.#pairsOfCommands, [...this.#commands.keys()]),
    ].join('\n');
  }
}

const table = (title: string, counts: Counts): string =>
  [
    `\n${title}`,
    ...[...counts].sort(([, a], [, b]) => b - a).map(([name, times]) => `${String(times).padStart(6)}  ${name}`),
  ].join('\n');

const COLUMNS = ['reference', 'arena'].flatMap((dialect) =>
  ['file', 'git', 'postgres'].map((ledger) => `${dialect} ${ledger}`),
);

/** A line for each row, with a figure for each dialect and ledger. */
const grid = (title: string, rows: ReadonlyMap<string, Counts>): string =>
  [
    `\n${title}, in ${COLUMNS.join(', ')}`,
    ...[...rows]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, counts]) => [...COLUMNS.map((column) => String(counts.get(column) ?? 0).padStart(4)), ` ${name}`])
      .map((cells) => cells.join('')),
  ].join('\n');

const coverage = (pairs: Counts, size: number): string =>
  `${pairs.size} of ${size ** 2}, ${[...pairs.values()].filter((times) => times >= OFTEN).length} of them ${OFTEN} times and more`;

/** The pairs that were seen least, where that is fewer than ten times. */
function rareOf(pairs: Counts, names: readonly string[]): string {
  const all = names.flatMap((one) => names.map((other) => `${one} > ${other}`));
  const rare = all.map((name) => [pairs.get(name) ?? 0, name] as const).filter(([times]) => times < OFTEN);
  const shown = rare.sort(([one], [other]) => one - other).slice(0, 40);
  return shown.map(([times, name]) => `${String(times).padStart(6)}  ${name}`).join('\n');
}

const listed = (list: string | undefined): string[] | undefined => list?.split(',').map((name) => name.trim());

export { stopLedgers };

let isStopping = false;

/** Ends the search once the histories that run now are over. */
export function stopSoon(): void {
  isStopping = true;
  console.error('Stopping after the histories that run now. Press Ctrl-C again to stop immediately.');
}

/** Runs histories as the command line asks for; `file`: the bundle of this module. The exit code is 1 where a law was broken. */
export async function search(file: string): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS, strict: true });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  await shareLedgers();
  const totals = new Totals();
  const until = totals.began + Number(values.minutes) * 60_000;
  const most = Number(values.histories);
  const first = Number(values.seed);
  let drawn = 0;
  const draw = (seed: number): HistorySettings => {
    const [only, without, chains] = [listed(values.operations), listed(values.without), values.chains];
    const history = drawHistory(
      seed,
      Number(values.length),
      only,
      without,
      chains === undefined ? chains : Number(chains),
    );
    return {
      ...history,
      faults: listed(values.faults),
      ledger: (values.ledger as HistorySettings['ledger'] | undefined) ?? history.ledger,
      isVersioned: values.versioned || history.isVersioned,
    };
  };
  const drawNext = (): HistorySettings => {
    const seeds = Array.from({ length: CANDIDATES }, (_, index) => first + (drawn - 1) * CANDIDATES + 1 + index);
    drawn += 1;
    return totals.bestOf((drawn === 1 ? [first] : seeds).map(draw));
  };
  const work = async (): Promise<void> => {
    const lane = openLane(file, values.program);
    const mayGoOn = (): boolean => !isStopping && (values['go-on'] || totals.violations === 0);
    while (performance.now() < until && drawn < most && mayGoOn()) {
      const history = drawNext();
      const outcome = await lane.run(history);
      totals.add(history, outcome);
      if (drawn % 100 === 0) console.error(totals.summary());
      if (outcome.violation !== undefined) {
        totals.violations += 1;
        await report(history, outcome, lane, values['as-drawn']);
      }
    }
    await lane.close();
  };
  await Promise.all(Array.from({ length: Math.min(Number(values.lanes), most) }, work));
  await stopLedgers();
  console.log(totals.show());
  return totals.violations > 0 ? 1 : 0;
}

/** Prints a violation with the shortest history that has it, as a script that a person can follow. */
async function report(history: HistorySettings, outcome: Outcome, lane: Lane, asDrawn: boolean): Promise<void> {
  const { law } = outcome.violation ?? {};
  const again = async (one: HistorySettings): Promise<boolean> => (await lane.run(one)).violation?.law === law;
  if (!asDrawn && !(await again(history)))
    console.log(`# It did not come again when seed ${history.seed} was repeated.`);
  const shortest = asDrawn ? history : await shrink(history, again);
  const shown = shortest === history ? outcome : await lane.run(shortest);
  console.log(
    `# seed ${history.seed} (${history.dialect}): law ${law}: ${(shown.violation ?? outcome.violation)?.message}`,
  );
  console.log(shown.script.join('\n'));
}
