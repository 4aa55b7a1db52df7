// Types of the tests, lint and unused code. One core is idle for much of each of them.
import { runAtOnce } from './at-once.mjs';

await runAtOnce([['tsc', '-p', 'test'], ['biome', 'check', '--error-on-warnings'], ['knip']]);
