import { dexsync, timed } from './processes.mjs';

/**
 * One thing that dexsync does, and what it is measured against.
 *
 * @typedef {object} Measurement
 * @property {string} name As `--only` takes it.
 * @property {string} title
 * @property {number} runs Paired runs of each comparison.
 * @property {number} [aim] The ratio to the bare floor that the project wants to keep.
 * @property {(folder: string, terraform: string | undefined) => Promise<Contest>} prepare
 *
 * @typedef {object} Contest
 * @property {Contender} subject
 * @property {readonly Floor[]} floors
 * @property {() => Promise<void>} close
 *
 * @typedef {() => Promise<number>} Contender Does the work once, checks that it was done, gives its milliseconds.
 *
 * @typedef {object} Floor
 * @property {string} against
 * @property {string} note What it does, so that a reader can judge whether it is fair.
 * @property {Contender} run
 * @property {number} [most] Runs at the most, where one takes long.
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
 * @property {Spread} start The part of dexsync's time that `dexsync --version` takes.
 * @property {Record<'subject' | 'floor' | 'start', readonly number[]>} milliseconds For looking closer; they say nothing on another machine.
 */

/**
 * Runs floor, subject and bare start in turns, so that whatever slows the machine down slows all of them.
 *
 * @param {Measurement} measurement
 * @param {string} folder
 * @param {{ runs: string | undefined, terraform: string | undefined }} options
 * @returns {Promise<Result[]>}
 */
export async function compare({ name, title, runs: own, aim, prepare }, folder, { runs: asked, terraform }) {
  const runs = asked === undefined ? own : Number(asked);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs takes a whole number from 1, not "${asked}".`);
  const { subject, floors, close } = await prepare(folder, terraform);
  try {
    const results = [];
    for (const [index, { against, note, run, most = runs }] of floors.entries()) {
      const turns = Math.min(runs, most);
      const milliseconds = await inTurns(turns, { floor: run, subject, start: () => start(folder) });
      const ratio = spread(milliseconds.subject.map((time, turn) => time / milliseconds.floor[turn]));
      const part = spread(milliseconds.subject.map((time, turn) => milliseconds.start[turn] / time));
      const bare = index === 0;
      const about = { name, title, against, note, aim: bare ? (aim ?? null) : null, runs: turns };
      results.push({ ...about, ratio, start: part, milliseconds });
    }
    return results;
  } finally {
    await close();
  }
}

/** @param {string} folder */
const start = async (folder) => (await timed(dexsync('--version'), { cwd: folder })).milliseconds;

/**
 * The first turn fills the caches of the machine and is not counted, unless there is only one.
 *
 * @template {string} K
 * @param {number} turns
 * @param {Record<K, Contender>} contenders
 */
async function inTurns(turns, contenders) {
  const names = /** @type {K[]} */ (Object.keys(contenders));
  const times = /** @type {Record<K, number[]>} */ (Object.fromEntries(names.map((name) => [name, []])));
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
