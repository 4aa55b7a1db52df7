import { defineConfig } from 'vitest/config';

/**
 * Tests of functions: nothing of them reaches a service or starts the program. Backends of the ledger start many programs, each of
 * which costs the process of all unit tests more than one with little memory.
 */
const ROOMS = ['app', 'base', 'core', 'data/bulk', 'data/exchange', 'delivery', 'messages', 'project'];
const UNIT = [...ROOMS.map((room) => `test/${room}/**/*.test.ts`), 'test/ledger/*.test.ts', 'test/*.test.ts'];

const here = (file: string): string => new URL(file, import.meta.url).pathname;

const common = {
  root: here('..'),
  // Modules are loaded once a worker; no test changes one.
  isolate: false,
  setupFiles: [here('harness/seed.ts')],
  // The whole of a large matrix may be one test.
  testTimeout: process.env.DEXSYNC_WHOLE === 'yes' ? 600_000 : 180_000,
  hookTimeout: 180_000,
};

/** Tests at a real service, and of the program that is built. */
const wire = (name: string, files: { readonly include: string[]; readonly exclude?: string[] }) => ({
  test: {
    ...common,
    ...files,
    name,
    pool: 'forks' as const,
    // Like the program that they run: what is built, which needs no transformation.
    server: { deps: { external: [/\/(dist|bundle)\//] } },
  },
});

/** Stories of teams and machines that take long: `npm run test:long` has them, `npm test` ends within five minutes. */
const LONG = 'test/**/*.long.test.ts';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    root: common.root,
    globalSetup: [here('harness/setup.ts')],
    maxWorkers: 4,
    coverage: {
      provider: 'v8',
      include: ['src/core/engine/**', 'src/core/kinds/**', 'src/core/manifest/**'],
      reporter: ['text-summary', ['text', { skipFull: true }]],
      reportsDirectory: 'coverage',
      thresholds: { branches: 100, functions: 100 },
    },
    projects: [
      wire('wire', { include: ['test/**/*.test.ts'], exclude: [...UNIT, LONG] }),
      wire('long', { include: [LONG] }),
      {
        ssr: { resolve: { conditions: ['dexsync-sources'] } },
        test: {
          ...common,
          name: 'unit',
          include: UNIT,
          pool: 'threads',
        },
      },
    ],
  },
});
