import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type Json, KIND_NAMES, type KindName } from '../model/kinds.js';
import type { Manifest } from '../model/world.js';

interface Document {
  readonly kind: KindName;
  readonly metadata: { readonly name: string; readonly renamedFrom?: string; readonly protect?: boolean };
  readonly spec?: Readonly<Record<string, Json>>;
}

/** The files of manifests of a clone as they are on the disk, by path. */
export function readFiles(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(join(folder, 'manifests'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => `manifests/${path.replaceAll('\\', '/')}`);
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** What those files say, by a reader that is not the program's. */
export function manifestsIn(files: ReadonlyMap<string, string>): Manifest[] {
  return [...files].flatMap(([path, content]) =>
    parseAllDocuments(content).flatMap((document): Manifest[] => {
      const value = document.toJS() as Document | null;
      return value === null || !KIND_NAMES.includes(value.kind)
        ? []
        : [manifestOf(value, path.slice('manifests/'.length, -'.yaml'.length))];
    }),
  );
}

const manifestOf = ({ kind, metadata, spec = {} }: Document, file: string): Manifest => ({
  kind,
  ...metadata,
  file,
  spec: { ...spec },
});
