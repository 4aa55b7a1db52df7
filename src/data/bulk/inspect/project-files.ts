import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { stringify } from 'yaml';
import { csvLine } from '../rows/csv-line.js';
import type { AssemblyTitle } from './assembly-title.js';
import type { Draft, ProposedDraft } from './draft.js';
import { manifestsText, withFile } from './proposal-text.js';
import { fromText, type ProposedDrafts } from './propose.js';

/** A file of a project, relative to its folder. */
export type ProjectFile = { readonly file: string } & ({ readonly content: string } | { readonly copyOf: string });

interface Place {
  /** Folder of the project; absolute. */
  readonly folder: string;
  /** Path of the inspected file; absolute. */
  readonly path: string;
  /** The file as written in the command. */
  readonly shown: string;
  /** The environment of an existing configuration that the manifests are for. */
  readonly environment?: string;
}

/**
 * Creates the files of a project for a file: configuration with the embedded workspace unless the project has one,
 * manifests, the list of the assembly, and a copy of the file if it is outside the folder, since projects read nothing outside of theirs.
 */
export function projectFiles(
  { name, drafts, assembly, title, parents = new Map() }: ProposedDrafts,
  { folder, path, shown, environment }: Place,
): ProjectFile[] {
  const slug = slugOf(name);
  const manifest = `manifests/${slug}.yaml`;
  const list = `data/${slug}-assembly.csv`;
  const own = pathWithin(folder, path);
  const data = own ?? `data/${basename(path)}`;
  const file = relative(dirname(join(folder, manifest)), join(folder, data)).replaceAll('\\', '/');
  const lists = drafts.map((draft) => withFile(draft, file));
  const tops = [...(assembly === undefined ? [] : [[assembly, title?.name ?? name]]), ...parents];
  const openTop = assembly === undefined ? partsRemark(list) : assemblyRemark(assembly, list, title);
  const all: readonly ProposedDraft[] =
    tops.length === 0 ? lists : [assemblyDraft(name, `../${list}`, openTop), ...lists];
  const given = environment === undefined ? '' : ` --env ${environment}`;
  const check = drafts.every(({ kind }) => kind === 'objects') ? '' : ' --validate-imports';
  const said = [
    `Proposed by \`dexsync import inspect ${shown}${given}\`. Check it with \`dexsync plan${check}${given}\`.`,
  ];
  return [
    ...(environment === undefined ? [{ file: 'sync.config.yaml', content: configText(slug) }] : []),
    { file: manifest, content: manifestsText(all, said) },
    ...(own === undefined ? [{ file: data, copyOf: path }] : []),
    ...(tops.length === 0
      ? []
      : [{ file: list, content: [['Item Number', 'Item Name'], ...tops].map(csvLine).join('') }]),
  ];
}

const assemblyRemark = (assembly: string, list: string, title: AssemblyTitle | undefined): string =>
  title !== undefined
    ? `The BOM belongs to the item "${assembly}"${fromText(title)}, which is in ${list}.`
    : `Open: which item the BOM belongs to. "${assembly}" comes from the file's name; its number is in ${list} and in the constant "Parent Number" of the BOM. With \`--assembly NUMBER\` the file is inspected for another one.`;

const partsRemark = (list: string): string =>
  `Parents of the BOM that are no rows of the list are items of ${list}, with the names that the list has for them, else with their numbers.`;

function assemblyDraft(name: string, file: string, remark: string): Draft {
  return {
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
    send: 'new',
    remarks: [remark],
    open: [],
  };
}

/** Path relative to the folder; undefined if it is outside. */
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
