import { dexsync, timed } from './processes.mjs';

/**
 * One thing that dexsync does, and what it is measured against.
 *
 * @typedef {object} Measurement
 * @property {string} name As `--only` takes it.
 * @property {string} title
 * @property {number} runs Paired runs of each comparison.
 * @property {true} [isScaled] Whether its files have the size that `--scale` says.
 * @property {'time' | 'memory' | 'cpu'} [of] What is compared; time where it is not given.
 * @property {number} [gate] The ratio to the first floor above which `--gate` fails, with a wide margin.
 * @property {number} [aim] The ratio to the first floor that the project wants to keep.
 * @property {{ what: string, count: number }} [things] What dexsync works on in each run, where the report says how many a minute.
 * @property {(folder: string, options: Options) => Promise<Contest>} prepare
 *
 * @typedef {object} Options
 * @property {string | undefined} terraform
 * @property {number} scale The part of their size that generated files have.
 *
 * @typedef {object} Contest
 * @property {Contender} subject
 * @property {readonly Floor[]} floors
 * @property {() => Promise<void>} close
 *
 * @typedef {() => Promise<number>} Contender Does the work once, checks that it was done, gives its milliseconds, those of its CPU, or the kilobytes of its process.
 *
 * @typedef {object} Floor
 * @property {string} against
 * @property {string} note What it does, so that a reader can judge whether it is fair.
 * @property {Contender} run
 * @property {number} [most] Runs at the most, where one takes long.
 * @property {number} [aim] The ratio to this floor that the project wants to keep.
 *
 * @typedef {object} Spread
 * @property {number} median
 * @property {number} min
 * @property {number} max
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {string} title
 * @property {string} against
 * @property {string} note
 * @property {number | null} aim
 * @property {number} runs
 * @property {Spread} ratio dexsync's time by the floor's.
 * @property {{ what: string, aMinute: number }} [rate] On the machine that measured; it depends on the latency of the service too.
 * @property {Spread | null} start The part of dexsync's time that `dexsync --version` takes; null for memory and CPU.
 * @property {Readonly<Record<string, readonly number[]>>} [kilobytes] Where memory was compared.
 * @property {Readonly<Record<string, readonly number[]>>} [milliseconds] For looking closer; they say nothing on another machine.
 */

/**
 * Runs floor, subject and bare start in turns, so that a slower machine slows all of them.
 *
 * @param {Measurement} measurement
 * @param {string} folder
 * @param {Options & { runs: string | undefined }} options
 * @returns {Promise<Result[]>}
 */
export async function compare(
  { name, title, runs: usual, of = 'time', aim, things, prepare },
  folder,
  { runs: asked, ...options },
) {
  const runs = asked === undefined ? usual : Number(asked);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs takes a whole number from 1, not "${asked}".`);
  const { subject, floors, close } = await prepare(folder, options);
  try {
    const results = [];
    for (const [
      index,
      { against, note, run, most = runs, aim: own = index === 0 ? aim : undefined },
    ] of floors.entries()) {
      const turns = Math.min(runs, most);
      const contenders = { floor: run, subject, ...(of === 'time' ? { start: () => start(folder) } : {}) };
      const measured = await inTurns(turns, contenders);
      const ratio = spread(measured.subject.map((value, turn) => value / measured.floor[turn]));
      const part = of !== 'time' ? null : spread(measured.subject.map((time, turn) => measured.start[turn] / time));
      const about = { name, title, against, note, aim: own ?? null, runs: turns, ...rateOf(things, measured.subject) };
      results.push({
        ...about,
        ratio,
        start: part,
        ...(of === 'memory' ? { kilobytes: measured } : { milliseconds: measured }),
      });
    }
    return results;
  } finally {
    await close();
  }
}

/**
 * @param {import('./compare.mjs').Measurement['things']} things
 * @param {readonly number[]} milliseconds
 */
const rateOf = (things, milliseconds) =>
  things === undefined
    ? {}
    : { rate: { what: things.what, aMinute: Math.round((things.count * 60_000) / spread(milliseconds).median) } };

/** @param {string} folder */
const start = async (folder) => (await timed(dexsync('--version'), { cwd: folder })).milliseconds;

/**
 * The first turn fills the caches of the machine and is not counted, unless there is only one.
 *
 * @param {number} turns
 * @param {Readonly<Record<string, Contender>>} contenders
 */
async function inTurns(turns, contenders) {
  const names = Object.keys(contenders);
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let turn = turns === 1 ? 1 : 0; turn <= turns; turn += 1) {
    for (const name of names) {
      const time = await contenders[name]();
      if (turn > 0) times[name].push(Math.round(time * 10) / 10);
    }
  }
  return times;
}

/**
 * @param {readonly number[]} values
 * @returns {Spread}
 */
function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return { median: rounded(median), min: rounded(sorted[0]), max: rounded(sorted[sorted.length - 1]) };
}

/** @param {number} value */
const rounded = (value) => Math.round(value * 1000) / 1000;
