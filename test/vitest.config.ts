import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/engine/**', 'src/kinds/**', 'src/manifest/**'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
      thresholds: { branches: 100, functions: 100 },
    },
  },
});
