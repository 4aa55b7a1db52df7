// Bundles the histories and runs them; `npm run histories -- --help` says how.
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const file = here(`.run-${process.pid}.mjs`);
const bundle = await rolldown({
  input: here('main.ts'),
  platform: 'node',
  external: [/\/dist\//, 'vitest'],
  transform: { define: { 'import.meta.url': JSON.stringify(pathToFileURL(here('harness/program.ts')).href) } },
});
await bundle.write({ file, format: 'esm', codeSplitting: false });
process.on('exit', () => rmSync(file, { force: true }));
const { search, stopLedgers, stopSoon } = await import(pathToFileURL(file).href);
const stopNow = async () => {
  await stopLedgers();
  process.exit(1);
};
for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, stopNow);
process.once('SIGINT', () => {
  process.once('SIGINT', stopNow);
  stopSoon();
});
process.exit(await search(file));
