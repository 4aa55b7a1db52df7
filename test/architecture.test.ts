import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** From the top. A file may import from its own floor and from those below, never from one above (design, section 4). */
const FLOORS: readonly (readonly string[])[] = [
  ['start'],
  ['cli'],
  ['commands'],
  ['index', 'kind', 'create-host', 'library-types', 'checked-schemas'],
  ['operations', 'views'],
  ['planfile', 'planning', 'promotion'],
  ['pull'],
  ['apply'],
  ['imports', 'exchange', 'events', 'api', 'watch'],
  ['live'],
  ['connection'],
  ['project'],
  ['host'],
  ['stream'],
  ['ledger', 'bulk'],
  ['service', 'engine', 'config'],
  ['manifest'],
  ['catalog'],
  ['kinds', 'lookups', 'jobs'],
  ['shape', 'validator', 'precompiled'],
  ['model'],
  ['files', 'deadline', 'sqlite'],
  [
    'errors',
    'diagnostics',
    'html-page',
    'natural-order',
    'nearest',
    'printable',
    'secrets',
    'secret-pattern',
    'shell-word',
  ],
];

interface Import {
  readonly from: string;
  /** A path below src, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const target = (from: string, name: string): string =>
  name.startsWith('.')
    ? normalize(join(dirname(from), name))
        .replaceAll('\\', '/')
        .replace(/\.js$/, '.ts')
    : name;

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
  return all.map((name) => ({ from: file, to: target(file, name), typeOnly: typed.get(name) ?? false }));
});

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement;
  if (clause?.isTypeOnly) return true;
  const named = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
  const hasDefault = ts.isImportDeclaration(statement) && statement.importClause?.name !== undefined;
  if (hasDefault || named === undefined || ts.isNamespaceImport(named) || ts.isNamespaceExport(named)) return false;
  return named.elements.every((element) => element.isTypeOnly);
}

const roomOf = (path: string): string => path.split('/')[0]?.replace(/\.ts$/, '') ?? path;
const isOurs = ({ to }: Import): boolean => to.endsWith('.ts');
const floorOf = (path: string): number => FLOORS.findIndex((rooms) => rooms.includes(roomOf(path)));
const told = ({ from, to }: Import): string => `${from} -> ${to}`;

const main = imports.filter(({ from }) => roomOf(from) !== 'workspace');

describe('architecture', () => {
  test('every folder has its floor', () => {
    expect(files.filter((file) => roomOf(file) !== 'workspace' && floorOf(file) < 0)).toEqual([]);
  });

  test('no import runs upwards', () => {
    const upwards = main.filter((one) => isOurs(one) && floorOf(one.to) < floorOf(one.from));
    expect(upwards.filter((one) => !(one.typeOnly && roomOf(one.from) === 'views')).map(told)).toEqual([]);
  });

  test('the embedded workspace imports nothing of the rest but the driver of SQLite, and is imported by nobody', () => {
    const crossing = imports.filter(
      (one) => isOurs(one) && (roomOf(one.from) === 'workspace') !== (roomOf(one.to) === 'workspace'),
    );
    expect(crossing.filter(({ to }) => to !== 'sqlite/sqlite.ts').map(told)).toEqual([]);
    expect(imports.filter((one) => isOurs(one) && roomOf(one.from) === 'sqlite').map(told)).toEqual([]);
  });

  test('what decides does no I/O', () => {
    const pure = ['engine', 'model', 'kinds', 'lookups', 'jobs', 'manifest'];
    const effects = /^(node:(?!crypto)|undici|listr2|p-retry|cosmiconfig)/;
    const found = main.filter(
      ({ from, to }) => pure.includes(roomOf(from)) && effects.test(to) && from !== 'manifest/load.ts',
    );
    expect(found.map(told)).toEqual([]);
  });

  test('the engine knows the model and no kind', () => {
    const found = main.filter(
      (one) =>
        roomOf(one.from) === 'engine' &&
        isOurs(one) &&
        !['engine', 'model', 'diagnostics', 'natural-order', 'nearest', 'shell-word'].includes(roomOf(one.to)),
    );
    expect(found.map(told)).toEqual([]);
  });

  test.each([
    ['undici', 'service'],
    ['listr2', 'views'],
    ['cosmiconfig', 'config'],
  ])('%s is used in %s alone', (name, room) => {
    expect(main.filter(({ from, to }) => to === name && roomOf(from) !== room).map(told)).toEqual([]);
  });

  test('views know types only', () => {
    const found = main.filter(
      (one) =>
        roomOf(one.from) === 'views' &&
        isOurs(one) &&
        !['views', 'printable', 'html-page'].includes(roomOf(one.to)) &&
        !one.typeOnly,
    );
    expect(found.map(told)).toEqual([]);
  });

  test('cli.ts and the commands are built on the library alone', () => {
    const found = main.filter((one) => ['cli', 'commands'].includes(roomOf(one.from)) && isOurs(one));
    expect(found.filter(({ to }) => !['commands', 'index'].includes(roomOf(to))).map(told)).toEqual([]);
  });

  test('only the program touches arguments, variables and the exit of the process', () => {
    const found = files.filter((file) => !['start.ts', 'cli.ts'].includes(file) && roomOf(file) !== 'workspace');
    const touching = found.filter((file) =>
      /process\.(argv|env|exit|stdout|stderr|stdin|cwd)\b/.test(readFileSync(join('src', file), 'utf8')),
    );
    expect(touching).toEqual([]);
  });

  test('no import goes in a circle', () => {
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
