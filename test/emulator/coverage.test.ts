import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { groupBy } from '#core/model/group-by.js';
import { lines } from '../conformance/description.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Part {
  readonly path?: string;
  readonly owner?: Part;
  readonly segment?: string;
}

/** The file with the rules of each path: that of the description that declares it, or else of the route with the path. */
async function filesByPath(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const enter = (path: string, file: string): void => void (found.has(path) || found.set(path, file));
  // Families find each other through the catalog.
  await import(`${root}src/emulator/documented/catalog.ts`);
  for (const file of sourcesIn('src/emulator/families').filter((name) => !name.endsWith('catalog.ts'))) {
    for (const part of Object.values((await import(`${root}${file}`)) as object).flat() as (Part | undefined)[]) {
      const path = part?.path ?? (part?.owner?.path && `${part.owner.path}/:guid/${part.segment}`);
      if (path !== undefined) enter(templateOf(path), file);
    }
  }
  for (const file of sourcesIn('src/emulator/routes')) for (const path of pathsIn(file)) enter(path, file);
  return found;
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.ts'))
    .sort();

/** `/items/*` for `/items/{guid}`, `/items/:guid` and, in tests, a path with the GUID of an answer. */
const templateOf = (path: string): string => path.replace(/\{\w+\}|:\w+|\$\{[^}]+\}/g, '*').replace(/[?].*/, '');

/** The paths that a file writes out. */
const pathsIn = (file: string): ReadonlySet<string> =>
  new Set(
    Array.from(
      readFileSync(`${root}${file}`, 'utf8').matchAll(/['"`](?:[A-Z]+ )?(\/[a-z][^'"`\s]*)/g),
      ([, path = '']) => templateOf(path),
    ),
  );

/** The path of a list stands for its entries too. */
const listOf = (path: string): string => templateOf(path).replace(/\/\*$/, '');

const shortName = (file: string): string => file.replace(/^src\/emulator\/|^test\/|\.test\.ts$/g, '');

test('the README of the embedded service names the rules and tests of each documented endpoint', async () => {
  const rules = await filesByPath();
  const tests = ['test/conformance', 'test/emulator']
    .flatMap(sourcesIn)
    .filter((file) => file.endsWith('.test.ts') && !/\/(access|coverage|fuzz\.long)\.test/.test(file))
    .map((file) => [shortName(file), pathsIn(file)] as const);
  const ruleOf = (path: string): string => {
    for (let at = templateOf(path); at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const file = rules.get(at);
      if (file !== undefined) return shortName(file);
    }
    return '-';
  };
  const lists = groupBy(lines, ({ path }) => path.replace(/\/\{guid\}$/, ''));
  const rows = [...lists].map(([path, all]) => {
    const of = (isEntry: boolean): string =>
      all.flatMap((line) => ((line.path === path) === isEntry ? [] : [line.method])).join(' ');
    const named = tests.filter(([, paths]) => [...paths].some((one) => listOf(one) === listOf(path)));
    const files = [...new Set(all.map((line) => ruleOf(line.path)))];
    return `| \`${path}\` | ${of(false)} | ${of(true)} | ${files.join(', ')} | ${named.map(([name]) => name).join(', ')} |`;
  });
  expect(rows.filter((row) => row.includes('| - |'))).toEqual([]);
  const text = `# The embedded service

It answers all ${lines.length} documented endpoints. \`schema/service\` describes their paths, parameters, bodies and answers; the
files below, in this folder, say what they mean. Besides the tests in \`test\` that a line names,
\`test/conformance/documented.test.ts\` compares the answers with their documented forms, and
\`test/conformance/fuzz.long.test.ts\` calls each endpoint with the GUIDs of earlier answers: it holds that none fails by itself, and
that nine of ten succeed.

This table is generated: \`npx vitest run --config test/vitest.config.ts --project wire test/emulator/coverage.test.ts --update\`.

| Path | List | Entry | Rules | Tests |
|---|---|---|---|---|
${rows.join('\n')}
`;
  await expect(text).toMatchFileSnapshot('../../src/emulator/README.md');
});
