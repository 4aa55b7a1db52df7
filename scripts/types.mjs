// Puts the declarations of each entry of the package into one file, with what both share beside them.
import { build } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

await build({
  input: { index: 'dist/index.d.ts', kind: 'dist/kind.d.ts' },
  // Types of packages are imported from there.
  external: /^[^.#/]/,
  plugins: [dts({ dtsInput: true, tsconfig: false })],
  output: { dir: 'types', cleanDir: true, chunkFileNames: 'shared.d.ts' },
  checks: { pluginTimings: false },
});
