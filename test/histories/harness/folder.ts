import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Fields } from '../model/kinds.js';
import type { RowList } from '../model/rows.js';
import type { Clone, Manifest } from '../model/world.js';
import { csvOf, LISTS_DEFINITION, MISSING_DEFINITION } from './records.js';

/** A manifest of any kind, also of one that no model has. */
type Described = Partial<Pick<Manifest, 'renamedFrom' | 'protect'>> & {
  readonly kind: string;
  readonly name: string;
  readonly spec: Fields;
};

/** A manifest as people write it; JSON is YAML. */
export function documentOf({ kind, name, spec, renamedFrom, protect }: Described): string {
  const metadata = {
    name,
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    ...(protect === undefined ? {} : { protect }),
  };
  const lines = Object.entries(spec).map(([field, value]) => `  ${field}: ${JSON.stringify(value)}\n`);
  return `apiVersion: dexsync/v1\nkind: ${kind}\nmetadata: ${JSON.stringify(metadata)}\nspec:${lines.length === 0 ? ' {}\n' : `\n${lines.join('')}`}`;
}

/** What the files of a clone hold, by path. */
export function filesOf({ manifests, lists }: Pick<Clone, 'manifests' | 'lists'>): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const one of manifests) {
    const path = `manifests/${one.file}.yaml`;
    files.set(path, files.has(path) ? `${files.get(path)}---\n${documentOf(one)}` : documentOf(one));
  }
  for (const list of lists)
    for (const [path, content] of filesOfImport(list.name, specOf(list), csvOf(list.rows))) files.set(path, content);
  return files;
}

const specOf = ({ commit, missing }: RowList): Readonly<Record<string, string>> => ({
  definition: LISTS_DEFINITION,
  commit,
  ...(missing === 'delete' ? { missing, deleteDefinition: MISSING_DEFINITION } : {}),
});

/** The files of an import that can be undone: its manifest and its rows. */
export const filesOfImport = (
  name: string,
  spec: Readonly<Record<string, string>>,
  rows: string,
): [string, string][] => [
  [`manifests/${name}.yaml`, documentOfImport(name, spec)],
  [`manifests/${name}.csv`, rows],
];

function documentOfImport(name: string, more: Readonly<Record<string, string>>): string {
  const spec = { source: { file: `${name}.csv` }, beforeImage: true, ...more };
  return `apiVersion: dexsync/v1\nkind: Import\nmetadata: { name: ${name} }\nspec: ${JSON.stringify(spec)}\n`;
}

export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(join(folder, 'manifests'), { recursive: true, force: true });
  mkdirSync(join(folder, 'manifests'), { recursive: true });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
