// Puts the program and the embedded workspace into few files: to load their some 700 modules took half of a short command.
import { build } from 'rolldown';
import { precompiled } from './precompile.mjs';

await build({
  input: {
    cli: 'dist/cli.js',
    'workspace/main': 'dist/workspace/main.js',
    'workspace/run-worker': 'dist/workspace/run-worker.js',
  },
  platform: 'node',
  plugins: [precompiled],
  // One loads a binary file that stands beside it; cosmiconfig would load the other for configuration in TypeScript.
  external: ['@photostructure/sqlite', 'typescript'],
  output: { dir: 'bundle', cleanDir: true, chunkFileNames: 'chunks/[name]-[hash].js' },
});
