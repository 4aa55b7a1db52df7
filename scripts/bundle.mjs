// Puts the program, the library and the embedded workspace into few files: loading their 700
// modules took half of the time of a short command.
import { build } from 'rolldown';
import { chunkGroups } from './chunks.mjs';
import { lean } from './lean-packages.mjs';
import { VALIDATORS, validatorTables, validatorTexts } from './precompile.mjs';
import { smallPackages } from './small-packages.mjs';

await build({
  input: {
    cli: 'dist/start.js',
    index: 'dist/index.js',
    kind: 'dist/kind.js',
    program: 'dist/app/cli.js',
    commands: 'dist/app/commands/program.js',
    'emulator/main': 'dist/emulator/main.js',
    'emulator/run-worker': 'dist/emulator/run-worker.js',
  },
  platform: 'node',
  // What rolldown asks for where a group takes none of the modules that the entries need.
  preserveEntrySignatures: 'allow-extension',
  // What commands load together contains modules that others load only if they need them.
  checks: { ineffectiveDynamicImport: false },
  plugins: [validatorTables, lean, smallPackages],
  // One loads a binary file that stands beside it; cosmiconfig would load the other for configuration in TypeScript; the
  // others are large, and few commands load them: one for .xls, one for workers, one for mail, the rest for `serve`.
  external: [
    ...['@photostructure/sqlite', 'typescript', '@e965/xlsx', '@dbos-inc/dbos-sdk', 'nodemailer', 'openid-client'],
    ...['@fastify/cookie', '@fastify/csrf-protection', '@fastify/helmet', '@fastify/rate-limit'],
  ],
  output: {
    dir: 'bundle',
    cleanDir: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Lines and names of our own code stay, for the traces of errors.
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups },
  },
});

await build({
  input: VALIDATORS,
  platform: 'node',
  plugins: [validatorTexts],
  output: {
    dir: 'bundle/validators',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'shared-[hash].cjs',
    minify: true,
  },
});
