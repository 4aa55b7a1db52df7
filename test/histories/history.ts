import type { Program } from './harness/program.js';
import { randomFrom } from './harness/random.js';
import { openWorld, type World } from './harness/world.js';
import { judgeLedger } from './laws/history.js';
import type { Dialect } from './model/kinds.js';
import { OPERATIONS, type Operation } from './operations/operations.js';
import { Violation } from './violation.js';

/** One operation of a history: which one, and what its parameters are drawn with. */
export interface Choice {
  readonly operation: string;
  readonly seed: number;
}

export interface HistorySettings {
  readonly dialect: Dialect;
  /** Where the ledger is kept; in git, two clones share it. */
  readonly ledger: 'file' | 'git';
  /** The stack of the second clone, beside "team". */
  readonly second: 'team' | 'other';
  readonly choices: readonly Choice[];
  /** Whether clones are git repositories. */
  readonly isVersioned: boolean;
  /** Faults that may strike; all by default. */
  readonly faults?: readonly string[] | undefined;
  readonly seed: number;
}

export interface Outcome extends Pick<World, 'script' | 'disturbances' | 'commands' | 'spent'> {
  readonly violation?: Violation;
  /** Operations that were not skipped. */
  readonly done: readonly string[];
}

/** Manifests that a history begins with. */
const FIRST = 4;

export function drawHistory(
  seed: number,
  length: number,
  only?: readonly string[],
  without: readonly string[] = [],
): HistorySettings {
  const random = randomFrom(seed);
  const table = OPERATIONS.filter(({ name }) => (only === undefined || only.includes(name)) && !without.includes(name));
  const weighted = table.flatMap((one) => Array.from({ length: one.weight }, () => one.name));
  return {
    seed,
    dialect: random.chance(75) ? 'reference' : 'arena',
    ledger: random.chance(10) ? 'git' : 'file',
    second: random.chance(50) ? 'team' : 'other',
    choices: [
      ...Array.from({ length: FIRST }, () => 'create'),
      ...Array.from({ length }, () => random.pick(weighted)),
    ].map((operation) => ({ operation, seed: random.below(2 ** 31) })),
    isVersioned: random.chance(20),
  };
}

/** Runs a history against a service of its own, and stops where a law is broken. */
export async function runHistory(settings: HistorySettings, program: Program): Promise<Outcome> {
  const world = await openWorld(settings, program);
  const done: string[] = [];
  const { script, disturbances } = world;
  const violation = await runOperations(world, settings.choices, done).then(() => undefined, violationOf);
  await world.close();
  const { commands, spent } = world;
  return { script, disturbances, commands, spent, done, ...(violation === undefined ? {} : { violation }) };
}

async function runOperations(world: World, choices: readonly Choice[], done: string[]): Promise<void> {
  for (const { operation, seed } of choices) {
    const found = OPERATIONS.find(({ name }) => name === operation) as Operation;
    const before = world.script.length;
    world.letTimePass();
    world.random = randomFrom(seed);
    if ((await found.run(world)) === 'skipped') world.script.length = before;
    else done.push(operation);
  }
  world.judgeLeftovers();
  await judgeLedger(world);
}

const violationOf = (error: unknown): Violation =>
  error instanceof Violation ? error : new Violation(0, String((error as Error).stack));
