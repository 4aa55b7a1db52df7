// Types of the tests, lint and unused code; `--tests`: with them all tests. One core is idle for much of each of them.
import { runAtOnce } from './at-once.mjs';

const CHECKS = [['tsc', '-p', 'test'], ['biome', 'check', '--error-on-warnings'], ['knip']];

const vitest = ['vitest', 'run', '--config', 'test/vitest.config.ts'];
const TESTS = [
  [...vitest, '--project', 'unit', '--coverage', '--maxWorkers', '2'],
  [...vitest, '--project', 'wire', '--maxWorkers', '3'],
];

await runAtOnce(process.argv.includes('--tests') ? [...CHECKS, ...TESTS] : CHECKS);
