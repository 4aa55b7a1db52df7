// Types of the tests, lint and unused code; `--tests`: with them all tests. One core is idle for much of each of them.
import { runAtOnce } from './at-once.mjs';

const CHECKS = [['tsc', '-p', 'test'], ['biome', 'check', '--error-on-warnings'], ['knip']];

/** The tests that cover every branch of engine, kinds and manifest. To count branches takes a third of the time of a test. */
const COVERING = ['test/config/', 'test/engine/', 'test/kinds/', 'test/manifest/', 'test/schema.test.ts'];

const vitest = (project, workers, ...rest) => [
  ...['vitest', 'run', '--config', 'test/vitest.config.ts'],
  ...['--project', project, '--maxWorkers', String(workers), ...rest],
];
const TESTS = [
  vitest('unit', 1, '--coverage', ...COVERING),
  vitest('unit', 2, ...COVERING.flatMap((path) => ['--exclude', path.endsWith('/') ? `${path}**` : path])),
  vitest('wire', 4),
];

await runAtOnce(process.argv.includes('--tests') ? [...CHECKS, ...TESTS] : CHECKS);
