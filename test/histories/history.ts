import type { LedgerKind } from './harness/ledgers.js';
import type { Programs } from './harness/program.js';
import { type Random, randomFrom } from './harness/random.js';
import { openWorld, type World } from './harness/world.js';
import { judgeLedger } from './laws/history.js';
import type { Dialect } from './model/kinds.js';
import type { Operation } from './operations/operation.js';
import { OPERATIONS } from './operations/operations.js';
import { SINGLE_COMMANDS } from './operations/single-commands.js';
import { type Broken, brokenBy } from './violation.js';

/** One operation of a history: which one, and what its parameters are drawn with. */
export interface Choice {
  readonly operation: string;
  readonly seed: number;
}

export interface HistorySettings {
  readonly dialect: Dialect;
  readonly ledger: LedgerKind;
  /** How many share the ledger. */
  readonly clones: 1 | 2;
  /** The stack of the second clone, beside "team". */
  readonly second: 'team' | 'other';
  readonly choices: readonly Choice[];
  /** Whether clones are git repositories. */
  readonly isVersioned: boolean;
  /** Whether one list of the workspace has more than a page, where people can add to it. */
  readonly isCrowded: boolean;
  /** Whether each command starts the packed program, as a shell does. */
  readonly isCold: boolean;
  /** Faults that may strike; all by default. */
  readonly faults?: readonly string[] | undefined;
  readonly seed: number;
}

export interface Outcome extends Pick<World, 'script' | 'commands' | 'spent'> {
  readonly violation?: Broken;
  /** Operations that were not skipped. */
  readonly done: readonly {
    readonly operation: string;
    /** Names of those that struck. */
    readonly faults: readonly string[];
  }[];
}

/** A ledger in git takes a second for each command. */
const LEDGERS: readonly LedgerKind[] = [
  ...Array.from({ length: 11 }, () => 'file' as const),
  ...(['postgres', 'postgres', 'postgres', 'postgres', 'git'] as const),
];

/** Manifests that a history begins with. */
const FIRST = 4;

/** Commands of a chain. */
const LINKS = 9;

/** A prime, so that the chains of one history have little in common. */
const STRIDE = 7919;

/**
 * `chains`: of single commands; one history after the other goes through all pairs of them. By default they are about
 * half of a history.
 */
export function drawHistory(
  seed: number,
  length: number,
  only?: readonly string[],
  without: readonly string[] = [],
  chains = Math.min(3, Math.floor(length / (2 * LINKS))),
): HistorySettings {
  const random = randomFrom(seed);
  const named = OPERATIONS.filter(({ name }) => (only === undefined || only.includes(name)) && !without.includes(name));
  const dialect = random.chance(75) ? 'reference' : 'arena';
  const settings = {
    dialect,
    ledger: random.pick(LEDGERS),
    clones: random.chance(50) ? 2 : 1,
    second: random.chance(65) ? 'team' : 'other',
    isVersioned: random.chance(10),
    // The other dialect does not page its lists.
    isCrowded: dialect === 'reference' && random.chance(20),
    isCold: random.chance(5),
    // Operations that are named must appear, even where they are rare.
    ...(only === undefined ? {} : Object.assign({}, ...named.map(({ needs }) => needs))),
  } as const;
  const table = named.filter(({ needs }) => meetsAll(settings, needs));
  const weighted = table.flatMap((one) => Array.from({ length: one.weight }, () => one));
  const single = table.map(({ name }) => name).filter((name) => SINGLE_COMMANDS.has(name));
  const count = single.length === 0 ? 0 : chains;
  const linked = Array.from({ length: count }, (_, index) =>
    chainAt((seed * Math.max(3, count) + index) * STRIDE, single),
  );
  const others = Array.from({ length: Math.max(0, length - count * LINKS) }, () => [random.pick(weighted).name]);
  return {
    seed,
    ...settings,
    choices: [
      ...Array.from({ length: FIRST }, () => 'create'),
      ...shuffle([...others, ...linked.map(withPreparations)], random).flat(),
    ].map((operation) => ({ operation, seed: random.below(2 ** 31) })),
  };
}

const meetsAll = (settings: Operation['needs'] = {}, needs: Operation['needs'] = {}): boolean =>
  Object.entries(needs).every(([name, value]) => settings[name as keyof typeof settings] === value);

/** Names at equal distances: all chains together have each pair equally often. */
function chainAt(number: number, names: readonly string[]): readonly string[] {
  const distance = Math.floor(number / names.length);
  return Array.from({ length: LINKS }, (_, index) => names[(number + index * distance) % names.length] as string);
}

const withPreparations = (chain: readonly string[]): string[] => [
  ...chain.flatMap((name) => SINGLE_COMMANDS.get(name) ?? []),
  ...chain,
];

function shuffle<T>(all: readonly T[], random: Random): T[] {
  const left = [...all];
  return all.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

/** Runs a history against a service of its own, and stops where a law is broken. */
export async function runHistory(settings: HistorySettings, programs: Programs): Promise<Outcome> {
  const world = await openWorld(settings, settings.isCold ? programs.packed() : programs.warm);
  const done: Done[] = [];
  const violation = await runOperations(world, settings.choices, done).then(() => undefined, brokenBy);
  await world.close();
  const { script, commands, spent } = world;
  return { script, commands, spent, done, ...(violation === undefined ? {} : { violation }) };
}

type Done = Outcome['done'][number];

async function runOperations(world: World, choices: readonly Choice[], done: Done[]): Promise<void> {
  for (const { operation, seed } of choices) {
    const found = OPERATIONS.find(({ name }) => name === operation) as Operation;
    const [before, struck] = [world.script.length, world.disturbances.length];
    world.letTimePass();
    world.random = randomFrom(seed);
    if ((await found.run(world)) === 'skipped') world.script.length = before;
    else done.push({ operation, faults: world.disturbances.slice(struck) });
  }
  world.judgeLeftovers();
  await world.check(() => judgeLedger(world));
}
