import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** The houses, and which of the others each may import from. */
const HOUSES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  core: ['base'],
  service: ['base', 'core'],
  ledger: ['base', 'core'],
  project: ['base', 'core', 'service', 'ledger'],
  data: ['base', 'core', 'service', 'ledger', 'project'],
  delivery: ['base', 'core', 'service', 'ledger', 'project', 'data'],
  app: ['base', 'core', 'service', 'ledger', 'project', 'data', 'delivery'],
  emulator: [],
};

/** What programs and packages begin with; no house imports them. */
const ENTRIES = ['start.ts', 'index.ts', 'kind.ts'];

interface Import {
  readonly from: string;
  /** As it is written. */
  readonly name: string;
  /** A path below src, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
}

function target(from: string, name: string): string {
  if (!/^[.#]/.test(name)) return name;
  const path = name.startsWith('#') ? name.slice(1) : normalize(join(dirname(from), name)).replaceAll('\\', '/');
  return path.replace(/\.js$/, '.ts');
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));

const imports = files.flatMap((file): Import[] => {
  const source = ts.createSourceFile(file, readFileSync(join('src', file), 'utf8'), ts.ScriptTarget.Latest);
  const typed = new Map<string, boolean>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    if (statement.moduleSpecifier === undefined || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    typed.set(statement.moduleSpecifier.text, isTypeOnly(statement));
  }
  const all = ts.preProcessFile(source.text, true, true).importedFiles.map(({ fileName }) => fileName);
  return all.map((name) => ({ from: file, name, to: target(file, name), typeOnly: typed.get(name) ?? false }));
});

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement;
  if (clause?.isTypeOnly) return true;
  const named = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
  const hasDefault = ts.isImportDeclaration(statement) && statement.importClause?.name !== undefined;
  if (hasDefault || named === undefined || ts.isNamespaceImport(named) || ts.isNamespaceExport(named)) return false;
  return named.elements.every((element) => element.isTypeOnly);
}

const houseOf = (path: string): string => path.split('/')[0] ?? path;
const isIn = (path: string, ...rooms: readonly string[]): boolean => rooms.some((room) => path.startsWith(`${room}/`));
const isOurs = ({ to }: Import): boolean => to.endsWith('.ts');
const textOf = ({ from, to }: Import): string => `${from} -> ${to}`;

const main = imports.filter(({ from }) => houseOf(from) !== 'emulator');

describe('architecture', () => {
  test('every file is in a house, or one of the three entries', () => {
    expect(files.filter((file) => !(houseOf(file) in HOUSES) && !ENTRIES.includes(file))).toEqual([]);
  });

  test('a house imports only from those below it', () => {
    const crossing = imports.filter((one) => isOurs(one) && houseOf(one.from) !== houseOf(one.to));
    const wrong = crossing.filter(
      ({ from, to }) =>
        !ENTRIES.includes(from) &&
        !HOUSES[houseOf(from)]?.includes(houseOf(to)) &&
        !(houseOf(from) === 'emulator' && to === 'base/sqlite/sqlite.ts'),
    );
    expect(wrong.map(textOf)).toEqual([]);
    expect(imports.filter((one) => isOurs(one) && isIn(one.from, 'base/sqlite')).map(textOf)).toEqual([]);
  });

  test('browser code knows only types of other files: its text has no modules', () => {
    const inBrowser = imports.filter(({ from }) => isIn(from, 'base/pages/browser'));
    expect(inBrowser.filter((one) => !one.typeOnly).map(textOf)).toEqual([]);
    expect(inBrowser.filter((one) => !isIn(one.to, 'base/pages/browser')).map(textOf)).toEqual([]);
  });

  test('the compiler knows the same houses', () => {
    const references = (house: string): string[] => {
      const { config } = ts.readConfigFile(join('src', house, 'tsconfig.json'), ts.sys.readFile);
      return (config.references ?? []).map(({ path }: { path: string }) => path.replace('../', ''));
    };
    const houses = Object.keys(HOUSES).map((house) => [house, references(house).filter((to) => to in HOUSES)]);
    expect(Object.fromEntries(houses)).toEqual(HOUSES);
  });

  test('an import of another house begins with its name', () => {
    const crossing = imports.filter((one) => houseOf(one.from) !== houseOf(one.to) && !ENTRIES.includes(one.from));
    expect(crossing.filter(({ name }) => name.startsWith('.')).map(textOf)).toEqual([]);
  });

  test('decisions do no I/O', () => {
    const pure = ['core/engine', 'core/model', 'core/kinds', 'core/lookups', 'core/jobs', 'core/manifest'];
    const effects = /^(node:(?!crypto)|undici|listr2|p-retry|cosmiconfig)/;
    const found = main.filter(
      ({ from, to }) => isIn(from, ...pure) && effects.test(to) && from !== 'core/manifest/load.ts',
    );
    expect(found.map(textOf)).toEqual([]);
  });

  test('the engine knows the model and does not know kinds', () => {
    const known = ['core/engine', 'core/model', 'base'];
    const found = main.filter((one) => isIn(one.from, 'core/engine') && isOurs(one) && !isIn(one.to, ...known));
    expect(found.map(textOf)).toEqual([]);
  });

  test.each([
    ['undici', 'service'],
    ['listr2', 'app/views'],
    ['cosmiconfig', 'project/config'],
  ])('only %s uses %s', (name, room) => {
    expect(main.filter(({ from, to }) => to === name && !isIn(from, room)).map(textOf)).toEqual([]);
  });

  test('views import only types', () => {
    const known = [
      'base/omit-undefined.ts',
      'base/printable.ts',
      'base/shell-word.ts',
      'base/pages/html-page.ts',
      'base/pages/markup.ts',
      'base/pages/browser/plan-changes.ts',
    ];
    const found = main.filter(
      (one) =>
        isIn(one.from, 'app/views') &&
        isOurs(one) &&
        !isIn(one.to, 'app/views') &&
        !known.includes(one.to) &&
        !one.typeOnly,
    );
    expect(found.map(textOf)).toEqual([]);
  });

  test('cli.ts and the commands are built on the library alone', () => {
    const found = main.filter((one) => isOurs(one) && (one.from === 'app/cli.ts' || isIn(one.from, 'app/commands')));
    expect(
      found.filter(({ to }) => !isIn(to, 'app/commands', 'app/library') && to !== 'base/omit-undefined.ts').map(textOf),
    ).toEqual([]);
  });

  test('only the program touches arguments, variables and the exit of the process', () => {
    const found = files.filter((file) => !['start.ts', 'app/cli.ts'].includes(file) && houseOf(file) !== 'emulator');
    const touching = found.filter((file) =>
      /process\.(argv|env|exit|stdout|stderr|stdin|cwd)\b/.test(readFileSync(join('src', file), 'utf8')),
    );
    expect(touching).toEqual([]);
  });

  test('no import forms a cycle', () => {
    expect(circles(imports.filter(isOurs))).toEqual([]);
  });
});

function circles(edges: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}
