import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import { PARENT_COLUMN } from '#core/jobs/source-cells.js';
import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import type { Draft, DraftKind } from './draft.js';
import { checkDraft } from './fit-draft.js';
import { withoutUnfitted } from './not-fitted.js';
import { likeObjects } from './objects/like-objects.js';
import { parentNames } from './parent-columns.js';
import { addParents, type InspectedTable, type ProposedDrafts, proposeName } from './propose.js';
import type { SettledImport, SettledObjects } from './settled-list.js';

/** A list to draft as another one was settled. Its source has the settings that the command names; they win. */
interface SimilarList extends Omit<InspectedTable, 'rows'> {
  /** Imports and manifests of rows of a project. */
  readonly settled: readonly (SettledImport | SettledObjects)[];
}

const ORDER: readonly DraftKind[] = ['items', 'BOM', 'sources'];
const KINDS: Readonly<Record<string, DraftKind>> = { ITEM_SPECS: 'items', ITEM_BOM: 'BOM' };

/**
 * Drafts a list by the settings of another one with the same columns. Names and the item that the lines belong to are
 * those of the new list; nothing else changes, so that rows which do not fit are problems.
 */
export async function likeDrafts(list: SimilarList, signal: AbortSignal): Promise<ProposedDrafts> {
  const { path, source: given, columns, roles } = list;
  const name = proposeName({ ...list, tables: 'one' });
  const objects = list.settled.filter((one) => 'manifest' in one);
  const imports = list.settled.filter((one) => 'definition' in one);
  const found = await likeObjects({ path, source: given, columns }, objects);
  if (found.length > 0) return { name, drafts: found };
  const drafts: Draft[] = [];
  for (const draft of await fittingDrafts({ ...list, settled: imports }, name)) {
    // Rows that nobody wants may have other marks here.
    const marked = columns.filter((column) => draft.source.where?.[column.name] !== undefined);
    const whole = draft.kind === 'BOM' ? await withoutUnfitted(path, draft, marked, roles) : draft;
    drafts.push(await checkDraft(path, { ...whole, open: [] }, signal));
  }
  const [assembly] = drafts.flatMap(({ source }) => topOf(source) ?? []);
  return addParents(
    path,
    { name, drafts, ...omitUndefined({ assembly, title: list.title }) },
    omitUndefined({ names: parentNames(columns, roles)?.name }),
  );
}

/** The drafts by the first list of the project that has all its columns in the new one. */
async function fittingDrafts(
  { path, source: given, settled }: Omit<SimilarList, 'settled'> & { readonly settled: readonly SettledImport[] },
  name: string,
): Promise<readonly Draft[]> {
  const lacks: string[] = [];
  for (const file of new Set(settled.map(({ spec }) => spec.source.file))) {
    const list = settled.filter(({ spec }) => spec.source.file === file);
    const before = list.flatMap(formerNames).sort((a, b) => b.length - a.length);
    const names = new Set(list.map((one) => one.name));
    const drafts = list.map((one) => draftOf(one, given, { name, before, names }));
    const lack = (await Promise.all(drafts.map((draft) => lackOf(path, draft)))).find((one) => one !== undefined);
    if (lack === undefined) return drafts.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    lacks.push(`${file} (${lack})`);
  }
  const which = lacks.length === 0 ? '' : `: ${lacks.join('; ')}`;
  const message = `${given.file} has not all columns of any list of the project${which}.`;
  throw new DexsyncError('UNKNOWN_NAME', message, {
    hint: 'Give `--like` the project of a list with the same columns, or leave it out for a proposal.',
  });
}

/** The column that a draft needs and the list lacks. */
async function lackOf(path: string, { source, mapping }: Draft): Promise<string | undefined> {
  try {
    const { headers, rows } = await openSource(path, source);
    for await (const _ of rows) break;
    const known = [...headers, ...Object.keys(source.constants ?? {})];
    const lacking = [...mapping.values()].find((column) => findColumn(known, column) === undefined);
    return lacking && `no column "${lacking}"`;
  } catch (error) {
    if (error instanceof DexsyncError && error.code === 'FILE_UNREADABLE') return error.message.replace(/\.$/, '');
    throw error;
  }
}

interface Renaming {
  readonly name: string;
  /** Names of the other list in names and values, longest first. */
  readonly before: readonly string[];
  /** Names of its Imports. */
  readonly names: ReadonlySet<string>;
}

function draftOf({ name, definition, spec }: SettledImport, given: ImportSource, renaming: Renaming): Draft {
  const { resource, mode, options } = definition;
  const { source: _, after, ...others } = spec;
  const { repeated } = spec;
  const nameNow = (one: string): string => (renaming.names.has(one) ? renamed(one, renaming) : one);
  const entries = options?.mapping ?? [];
  const mapping = entries.flatMap(({ apiName, sourceName }) => (apiName === undefined ? [] : [[apiName, sourceName]]));
  return {
    ...{ kind: KINDS[resource] ?? 'sources', name: renamed(name, renaming), resource, options: {} },
    ...{ mode: mode === 'CREATE' ? mode : 'OVERWRITE', mapping: new Map(mapping as [string, string][]) },
    source: sourceOf(spec.source, given, renaming),
    ...(repeated === undefined || repeated === 'error' ? {} : { repeated }),
    settled: { definition, spec: { ...others, ...omitUndefined({ after: after?.map(nameNow) }) } },
    ...{ remarks: [], open: [] },
  };
}

function sourceOf(settled: ImportSource, given: ImportSource, renaming: Renaming): ImportSource {
  const { constants, hierarchy, columns } = settled;
  const isLine = topOf(settled) !== undefined;
  const added = Object.entries(columns ?? {}).map(([header, column]) => [
    header,
    typeof column === 'string' ? renamed(column, renaming) : column,
  ]);
  const ofList = isLine && hierarchy === undefined ? { [PARENT_COLUMN]: renaming.name } : {};
  const all = { ...constants, ...ofList, ...given.constants };
  return {
    ...settled,
    ...(columns === undefined ? {} : { columns: Object.fromEntries(added) }),
    ...(hierarchy?.top === undefined ? {} : { hierarchy: { ...hierarchy, top: renaming.name } }),
    ...given,
    ...(Object.keys(all).length === 0 ? {} : { constants: all }),
  };
}

/** The item that all lines of a list belong to; undefined if the list has it. */
function topOf({ constants, hierarchy }: ImportSource): string | undefined {
  const top = hierarchy?.top ?? constants?.[PARENT_COLUMN];
  return top === undefined ? undefined : String(top);
}

/** How a list was named in a proposal: before the kind of its rows, and as the item that its lines belong to. */
function formerNames({ name, spec }: SettledImport): string[] {
  const top = topOf(spec.source);
  return [...(top === undefined ? [] : [top]), name.replace(/ (?:items|BOM|sources)$/, '')];
}

function renamed(text: string, { name, before }: Renaming): string {
  const former = before.find((one) => text === one || text.startsWith(`${one} `) || text.startsWith(`${one}-`));
  return former === undefined ? text : name + text.slice(former.length);
}
