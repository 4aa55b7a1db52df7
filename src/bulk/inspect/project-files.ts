import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { stringify } from 'yaml';
import { csvLine } from '../rows/csv-line.js';
import { type Draft, withRemark } from './draft.js';
import { manifestsText, withFile } from './proposal-text.js';
import type { ProposedDrafts } from './propose.js';

/** A file of a project, relative to its folder. */
export type ProjectFile = { readonly file: string } & ({ readonly content: string } | { readonly copyOf: string });

interface Place {
  /** Of the project; absolute. */
  readonly folder: string;
  /** Of the file that was inspected; absolute. */
  readonly path: string;
  /** The file as the command has it. */
  readonly shown: string;
}

/**
 * A project for a file: configuration with the embedded workspace, manifests, the list of the assembly, and a copy of the file
 * where it is not in the folder, since projects read nothing outside of theirs.
 */
export function projectFiles(
  { name, drafts, assembly }: ProposedDrafts,
  { folder, path, shown }: Place,
): ProjectFile[] {
  const slug = slugOf(name);
  const manifest = `manifests/${slug}.yaml`;
  const list = `data/${slug}-assembly.csv`;
  const own = pathWithin(folder, path);
  const data = own ?? `data/${basename(path)}`;
  const file = relative(dirname(join(folder, manifest)), join(folder, data)).replaceAll('\\', '/');
  const lists = drafts.map((draft) => withFile(draft, file));
  const all = assembly === undefined ? lists : [assemblyDraft(name, assembly, `../${list}`), ...lists];
  const said = [`Proposed by \`dexsync import inspect ${shown}\`. Check it with \`dexsync plan --validate-imports\`.`];
  return [
    { file: 'sync.config.yaml', content: configText(slug) },
    { file: manifest, content: manifestsText(all, said) },
    ...(own === undefined ? [{ file: data, copyOf: path }] : []),
    ...(assembly === undefined
      ? []
      : [{ file: list, content: csvLine(['Item Number', 'Item Name']) + csvLine([assembly, name]) }]),
  ];
}

function assemblyDraft(name: string, assembly: string, file: string): Draft {
  const draft: Draft = {
    kind: 'assembly',
    name: `${name} assembly`,
    resource: 'ITEM_SPECS',
    mode: 'OVERWRITE',
    options: {},
    mapping: new Map([
      ['number', 'Item Number'],
      ['name', 'Item Name'],
    ]),
    source: { file },
    remarks: [],
    open: [],
  };
  return withRemark(
    draft,
    `Open: which item the BOM belongs to. "${assembly}" comes from the file's name; its number is in ${file.slice(3)} and in the constant "Parent Number" of the BOM.`,
  );
}

/** Undefined where a path is outside. */
function pathWithin(folder: string, path: string): string | undefined {
  const within = relative(folder, path);
  return within.startsWith('..') || isAbsolute(within) ? undefined : within.replaceAll('\\', '/');
}

const configText = (stack: string): string =>
  stringify({
    stack,
    manifests: ['manifests'],
    defaultEnvironment: 'local',
    environments: { local: { workspace: 'embedded' } },
  });

/** Letters, digits and hyphens. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'parts';
