import { omitUndefined } from '#base/omit-undefined.js';

/** Whether the cells of a column form a tree. */
export interface LevelFacts {
  /** Dotted numbers, each below its parent in an earlier row. */
  readonly arePaths: boolean;
  /** Levels of a tree from the first row on. */
  readonly areLevels: boolean;
  /** The first cell that is not a level, or is more than one below the row above it. */
  readonly levelBreak?: { readonly row: number; readonly value: string };
  /** The first dotted number without its parent above it, if nearly all cells are dotted numbers of some depth. */
  readonly pathBreak?: { readonly row: number; readonly value: string };
  /** Rows on the highest level, if the cells are levels or paths. */
  readonly tops: number;
}

/** What was seen of a column whose cells may be levels, or dotted numbers, of a tree. */
export interface LevelTally {
  filled: number;
  level: number | 'broken';
  levelBreak: { row: number; value: string } | undefined;
  path: readonly string[] | 'broken';
  pathBreak: { row: number; value: string } | undefined;
  /** Cells that are dotted numbers, and whether one of them has two dots. */
  dotted: number;
  deepest: number;
  readonly levelCounts: Map<number, number>;
  readonly depthCounts: Map<number, number>;
}

/** Begins to count. */
export const newLevelTally = (): Omit<LevelTally, 'filled'> => ({
  level: -1,
  levelBreak: undefined,
  path: [],
  pathBreak: undefined,
  dotted: 0,
  deepest: 0,
  levelCounts: new Map(),
  depthCounts: new Map(),
});

/** Counts a cell. */
export function countLevels(tally: LevelTally, cell: string, row: number): void {
  countLevel(tally, cell);
  if (tally.level === 'broken') tally.levelBreak ??= { row, value: cell };
  countPath(tally, cell);
  if (tally.path === 'broken') tally.pathBreak ??= { row, value: cell };
}

function countLevel(tally: LevelTally, cell: string): void {
  const level = /^[\s.\-–—]*(\d{1,2})$/.exec(cell)?.[1];
  if (tally.level === 'broken') return;
  const next = Number(level);
  const fits = level !== undefined && (tally.level === -1 ? next <= 2 : next <= tally.level + 1);
  tally.level = fits ? next : 'broken';
  if (fits) countIn(tally.levelCounts, next);
}

function countPath(tally: LevelTally, cell: string): void {
  // Places below the top count from 1: 0.05 is a number.
  const parts = /^\d+(?:\.[1-9]\d*)*\.?$/.test(cell) ? cell.replace(/\.$/, '').split('.') : undefined;
  if (parts !== undefined) tally.dotted += 1;
  tally.deepest = Math.max(tally.deepest, parts?.length ?? 0);
  const above = tally.path;
  if (above === 'broken') return;
  const fits =
    parts !== undefined && (parts.length === 1 || parts.slice(0, -1).every((part, at) => part === above[at]));
  tally.path = fits ? parts : 'broken';
  if (fits) countIn(tally.depthCounts, parts.length);
}

const countIn = (counts: Map<number, number>, at: number): unknown => counts.set(at, (counts.get(at) ?? 0) + 1);

/** Whether the cells form a tree, and how many tops it has. */
export function levelFacts(tally: LevelTally): LevelFacts {
  const { filled, level, levelBreak, path, pathBreak, levelCounts, depthCounts, dotted, deepest } = tally;
  // Numbers with two dots are no amounts.
  const isBroken = pathBreak !== undefined && deepest > 2 && dotted >= filled * 0.9 && depthCounts.size > 1;
  return {
    arePaths: path !== 'broken' && depthCounts.size > 1 && filled > 2,
    areLevels: level !== 'broken' && levelCounts.size > 1 && filled > 2,
    ...omitUndefined({ levelBreak, pathBreak: isBroken ? pathBreak : undefined }),
    tops: firstCount(level === 'broken' ? depthCounts : levelCounts),
  };
}

/** Count of the first level seen, with which a tree begins. */
const firstCount = (counts: ReadonlyMap<number, number>): number => counts.values().next().value ?? 0;
