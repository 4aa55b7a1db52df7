import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { applies } from './apply.mjs';
import { changed } from './changed.mjs';
import { compare } from './compare.mjs';
import { differ } from './differ.mjs';
import { withFigures } from './figures.mjs';
import { fleetInPostgres, fleets } from './fleet.mjs';
import { growth } from './growth.mjs';
import { latency } from './latency.mjs';
import { ledger, ledgerInGit, ledgerInPostgres } from './ledger.mjs';
import { memory } from './memory.mjs';
import { pages } from './page.mjs';
import { plans } from './plan.mjs';
import { root } from './processes.mjs';
import { promote } from './promote.mjs';
import { csv, xlsx } from './reading.mjs';
import { services } from './service.mjs';
import { table } from './table.mjs';
import { terraformVersion } from './terraform.mjs';
import { upload } from './upload.mjs';
import { validate } from './validate.mjs';
import { bomRows, specRows } from './workspace-rows.mjs';

const HELP = `How long dexsync takes, as a ratio to the least that the same work can cost. No figure is a test.

  node test/bench/run.mjs [--only NAME] [--runs N] [--scale F] [--gate] [--record] [--json] [--out FILE]

  --only NAME   one measurement: validate, plan, plan-files, changed, promote, fleet-plan, fleet-change,
                fleet-change-git, fleet-change-postgres, growth, ledger, ledger-git, ledger-postgres, apply-100,
                apply, apply-5000, latency, service-post, service-get, service-put, rows, upload, csv, xlsx, differ, memory,
                page, page-memory
  --runs N      paired runs of each comparison; otherwise each measurement has its own number
  --scale F     files of csv, xlsx, differ and memory in this part of their size, such as 0.1
  --gate        only the measurements that have a limit, without terraform; exit 1 where one is above it, also when it is
                measured again with more runs. Each of them fails also where it took another number of requests than it must
  --record      write what was measured into the table of examples/figures.md
  --json        print JSON instead of the table
  --out FILE    write the JSON to a file besides
`;

/** @type {readonly import('./compare.mjs').Measurement[]} */
const MEASUREMENTS = [
  ...[validate, ...plans, changed, promote, ...fleets, growth, ledger, ledgerInGit],
  ...(process.env.DEXSYNC_TEST_POSTGRES === undefined ? [] : [ledgerInPostgres, fleetInPostgres]),
  ...[...applies, latency, ...services, specRows, bomRows, upload, csv, xlsx, differ, memory, ...pages],
];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string' },
    scale: { type: 'string', default: '1' },
    gate: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    out: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await main();

async function main() {
  const chosen = MEASUREMENTS.filter(
    ({ name, gate }) => (values.only === undefined || name === values.only) && (!values.gate || gate !== undefined),
  );
  if (chosen.length === 0) throw new Error(`There is no measurement "${values.only}".`);
  const report = await measured(chosen);
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  if (values.out !== undefined) await writeFile(values.out, json);
  process.stdout.write(values.json ? json : table(report));
  if (values.record) {
    const page = join(root, 'examples/figures.md');
    await writeFile(page, withFigures(await readFile(page, 'utf8'), report));
  }
  if (values.gate) checkLimits(chosen, report.results);
}

/**
 * @param {readonly import('./compare.mjs').Measurement[]} chosen
 * @param {readonly import('./compare.mjs').Result[]} results
 */
function checkLimits(chosen, results) {
  for (const measurement of chosen) {
    const { name, title, gate } = measurement;
    const own = results.filter((result) => result.name === name);
    if (!isAboveLimit(measurement, own)) continue;
    process.stderr.write(`${title} took ${own[0].ratio.median} times its floor; the limit is ${gate}.\n`);
    process.exitCode = 1;
  }
}

/** @param {readonly import('./compare.mjs').Measurement[]} chosen */
async function measured(chosen) {
  const terraform = values.gate ? undefined : terraformVersion();
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error(`--scale takes a number above 0, not "${values.scale}".`);
  const results = [];
  for (const measurement of chosen) {
    const options = { runs: values.runs, terraform, scale };
    const first = await measuredOnce(measurement, options);
    results.push(...(isAboveLimit(measurement, first) ? await measuredAgain(measurement, options) : first));
  }
  return {
    format: 'dexsync-bench/1',
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: cpus().length,
    terraform: terraform ?? null,
    results,
  };
}

/**
 * @param {import('./compare.mjs').Measurement} measurement
 * @param {Parameters<typeof compare>[2]} options
 */
async function measuredOnce(measurement, options) {
  const folder = await scratch();
  try {
    const { name, title, isScaled } = measurement;
    process.stderr.write(`${name} ...\n`);
    const size = isScaled && options.scale !== 1 ? `, at ${options.scale} of the size` : '';
    return await compare({ ...measurement, title: `${title}${size}` }, folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Measures with more runs, so that a busy minute of the machine does not decide.
 *
 * @param {import('./compare.mjs').Measurement} measurement
 * @param {Parameters<typeof compare>[2]} options
 */
function measuredAgain(measurement, options) {
  process.stderr.write(`${measurement.name} is above its limit; it is measured again.\n`);
  return measuredOnce(measurement, { ...options, runs: '9' });
}

/**
 * Whether the ratio to the first floor is above the limit of a measurement.
 *
 * @param {import('./compare.mjs').Measurement} measurement
 * @param {readonly import('./compare.mjs').Result[]} results
 */
function isAboveLimit({ gate }, results) {
  return values.gate && gate !== undefined && results[0].ratio.median > gate;
}

/** On the disk of the repository: the temporary folder may lie in memory, where a durable journal costs nothing. */
async function scratch() {
  const parent = join(root, 'node_modules', '.cache');
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, 'dexsync-bench-'));
}
