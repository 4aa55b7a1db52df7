// All tests, as `npm test` has them.
import { runAtOnce } from './at-once.mjs';

/** The tests that cover every branch of engine, kinds and manifest. To count branches takes a third of the time of a test. */
const COVERING = ['test/core/', 'test/project/config/', 'test/schema.test.ts'];

const vitest = (project, workers, ...rest) => [
  ...['vitest', 'run', '--config', 'test/vitest.config.ts'],
  ...['--project', project, '--maxWorkers', String(workers), ...rest],
];

await runAtOnce([
  vitest('unit', 1, '--coverage', ...COVERING),
  vitest('unit', 1, ...COVERING.flatMap((path) => ['--exclude', path.endsWith('/') ? `${path}**` : path])),
  vitest('wire', 4),
]);
