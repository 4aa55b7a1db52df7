import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RowList } from '../model/rows.js';
import type { Clone, Manifest } from '../model/world.js';
import { csvOf, LISTS_DEFINITION, MISSING_DEFINITION } from './records.js';

/** A manifest as people write it; JSON is YAML. */
function documentOf({ kind, name, spec, renamedFrom, protect }: Manifest): string {
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
  for (const list of lists) {
    files.set(`manifests/${list.name}.yaml`, importOf(list));
    files.set(`manifests/${list.name}.csv`, csvOf(list.rows));
  }
  return files;
}

/** The manifest of an import, which can be undone. */
function importOf({ name, commit, missing }: RowList): string {
  const spec = {
    definition: LISTS_DEFINITION,
    source: { file: `${name}.csv` },
    beforeImage: true,
    commit,
    ...(missing === 'delete' ? { missing, deleteDefinition: MISSING_DEFINITION } : {}),
  };
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
