import { posix } from 'node:path';
import { naturalOrder } from '#base/natural-order.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import { formatIfPossible } from '#core/manifest/format.js';
import type { LiveManifest } from '#project/live/describe-live.js';
import type { EditedFiles } from './edited-files.js';
import { filesFor, type Layout } from './layout.js';
import { modeline, newDocument, withDocuments, withoutComment } from './new-documents.js';

/** A file to write. */
export interface PulledFile {
  /** Relative to the project, with `/`. */
  readonly file: string;
  /** Absent if the file is new. */
  readonly before?: string;
  readonly after: string;
}

/** The destination of new objects. */
export interface NewFiles {
  /** Relative to the project, with `/`. */
  readonly folder: string;
  readonly layout: Layout;
  /** The published schema of manifests, relative to the project. */
  readonly schema: string;
}

/**
 * Returns the files that differ once every new object has its document, in the order of their names. New files have the
 * form of `fmt`, and files in that form keep it; in others, what is not edited stays as written.
 */
export function pulledFiles(
  added: readonly LiveManifest[],
  files: EditedFiles,
  { folder, layout, schema }: NewFiles,
  catalog: Catalog,
): PulledFile[] {
  const texts = new Map(files.names().map((name) => [name, withoutSettled(files.text(name) ?? '', added)]));
  const present = new Map([...texts.keys()].map((name) => [name.toLowerCase(), name]));
  const known = (file: string): string | undefined => present.get(posix.join(folder, file).toLowerCase());
  const names = filesFor(added, layout, (file) => known(file) !== undefined);
  const documents = new Map<string, string[]>();
  for (const [index, manifest] of added.entries()) {
    // Some file systems do not distinguish `Groups.yaml` from `groups.yaml`.
    const file = known(names[index] ?? '') ?? posix.join(folder, names[index] ?? '');
    const document = newDocument(manifest);
    if (manifest.unwritable !== undefined && [...texts.values()].some((text) => text.includes(document))) continue;
    documents.set(file, [...(documents.get(file) ?? []), document]);
  }
  for (const [file, own] of documents) {
    texts.set(file, withDocuments(texts.get(file), own, modeline(posix.relative(posix.dirname(file), schema))));
  }
  return [...texts]
    .map(([file, text]) => {
      const before = files.content(file);
      const hadForm =
        before !== files.asWritten(file, text) && formatIfPossible(before ?? '', catalog) === (before ?? '');
      return { file, before, after: files.asWritten(file, hadForm ? formatIfPossible(text, catalog) : text) };
    })
    .filter(({ before, after }) => before !== after)
    .map(({ file, before, after }) => ({ file, ...omitUndefined({ before }), after }))
    .sort((a, b) => naturalOrder(a.file, b.file));
}

/** Removes the comments of objects that have a manifest now. */
const withoutSettled = (text: string, added: readonly LiveManifest[]): string =>
  (text.includes('# Not managed') ? added : [])
    .filter(({ unwritable }) => unwritable === undefined)
    .reduce((rest, manifest) => withoutComment(rest, manifest), text);
