import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import { PARENT_COLUMN } from '#core/jobs/source-cells.js';
import type { JsonObject } from '#core/model/json.js';
import { MOST_ROWS } from '#project/read-lists.js';
import { nameAssembly } from './assembly-name.js';
import type { AssemblyTitle } from './assembly-title.js';
import { withSymbols } from './bare-packages.js';
import { type ChosenKey, chooseKey, noNumber } from './choose-key.js';
import type { Column, Roles } from './column.js';
import { completeKey } from './complete-key.js';
import { dittoProblem } from './ditto-marks.js';
import { type Draft, isMarked, LEFT_OUT, type ProposedDraft, withProblem, withRemark } from './draft.js';
import { finishDraft } from './finish-draft.js';
import { joinMakers } from './join-makers.js';
import { type LookedUpParts, type LookUp, useKnownItems } from './known-items.js';
import { makeDrafts } from './make-drafts.js';
import type { GivenMeanings, Meaning } from './meanings.js';
import { findMissingParents, type ParentColumns } from './missing-parents.js';
import { namesAmongDesignators } from './named-designators.js';
import { withoutUnnumbered } from './not-fitted.js';
import { draftObjects } from './objects/draft-objects.js';
import { objectListIn } from './objects/object-list.js';
import { parentNames } from './parent-columns.js';
import { plainText } from './plain-text.js';
import { draftManifests, manifestsText } from './proposal-text.js';
import { type Reading, readingsOf, unmappedIn } from './readings.js';
import { rowsBelowParts } from './rows-of-makers.js';
import { rowsText } from './rows-text.js';
import { withSameConditions } from './same-conditions.js';
import { withoutSecondSources } from './second-sources.js';
import { separateKey } from './separate-key.js';
import { severalMakers } from './several-makers.js';
import { shiftedRows } from './shifted-rows.js';
import { splitBracketed } from './split-bracketed.js';
import { splitMakers } from './split-makers.js';
import { upwardLevels } from './where-used.js';
import { wireEnds } from './wire-ends.js';

/** Manifests to start from, with remarks about what a person has to check. */
export interface Proposal {
  /** Definitions and Imports, or manifests of objects. */
  readonly manifests: readonly JsonObject[];
  /** The item that the lines of a BOM belong to, if no row of the file is that item. */
  readonly assembly?: string;
  /** Where its number comes from; `file`: the name of the file. */
  readonly assemblyFrom?: 'file' | AssemblyTitle['from'];
  readonly readings: readonly Reading[];
  /** Columns with values that no field takes; comments in the manifests map them. */
  readonly unmapped: readonly string[];
  readonly remarks: readonly string[];
  /** What was assumed. */
  readonly notes: readonly string[];
  /** Why nothing is proposed, or which manifests do not pass the checks of an import; empty if all do. */
  readonly problems: readonly string[];
  /** The manifests as one file, with comments at their places. */
  readonly text: string;
}

/** Content of a proposal, for callers that write it elsewhere. */
export interface ProposedDrafts {
  readonly name: string;
  readonly drafts: readonly ProposedDraft[];
  readonly assembly?: string;
  /** Where the assembly comes from; absent if it comes from the file's name. */
  readonly title?: AssemblyTitle;
  /** Parents in a column of the file that have no row in it, by number, with their names. */
  readonly parents?: ReadonlyMap<string, string>;
  /** The worksheet and the range of a further table of a file. */
  readonly place?: { readonly worksheet?: string; readonly range: string };
  /** Why there is no draft. */
  readonly nothing?: string;
  /** Absent if no makers' numbers were looked up. */
  readonly lookedUp?: LookedUpParts;
}

/** Facts about an inspected table for its proposals. */
export interface InspectedTable {
  readonly path: string;
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly roles: Roles;
  /** What people say that columns mean. */
  readonly meanings?: GivenMeanings;
  readonly rows: number;
  /** Number of worksheets with a table. */
  readonly tables: 'one' | 'several';
  readonly outline?: 'outline';
  readonly delimiter?: string;
  /** Looks up makers' numbers in a workspace; without it, nobody knows which parts exist. */
  readonly lookUp?: LookUp;
  /** Name of the assembly, instead of the one that follows from the file. */
  readonly name?: string;
  readonly title?: AssemblyTitle;
  /** What a person has to settle before anything is imported. */
  readonly problem?: string;
  /** The text that calls the list a report of where an item is used. */
  readonly whereUsed?: string;
  readonly parentNames?: string;
}

/** Names a list by what is written above its header, else by its file. */
export const proposeName = (table: Omit<InspectedTable, 'columns' | 'roles' | 'rows'>): string =>
  table.name ?? table.title?.number ?? nameAssembly(table.path, table.source.file, sheetNamed(table));

/** Proposes objects for a list of suppliers or people; otherwise items, BOM and sources, changed until the checks of an import accept its rows. */
export async function proposeDrafts(table: InspectedTable, signal: AbortSignal): Promise<ProposedDrafts> {
  const { path, source, columns, rows, outline, delimiter, title } = table;
  const name = proposeName(table);
  const mayBeObjects = source.constants === undefined && rows <= MOST_ROWS;
  const list = mayBeObjects ? objectListIn(columns, table.meanings) : undefined;
  if (list !== undefined) return { name, drafts: await draftObjects({ path, source, columns, list }) };
  const joined = await joinMakers(path, { source, columns, roles: table.roles });
  const split = splitMakers(joined.source, joined.roles);
  const divided = splitBracketed({ ...split, remarks: [...joined.remarks, ...split.remarks] }, columns);
  const { roles } = divided;
  const unfitted = await withoutUnnumbered(path, { source: divided.source, columns, roles });
  const second = await withoutSecondSources(path, { source: unfitted.source, roles });
  const makerRows = await rowsBelowParts(path, { source: second.source, columns, roles });
  const count = rows - makerRows.length - unfitted.rows.length - second.rows.length;
  const read = { source: second.source, columns, rows: count, assembly: name, roles, makerRows };
  const severalOf = await severalMakers(path, divided.source, roles);
  const namesInPlace = await namesAmongDesignators(path, read.source, roles);
  const shifted = await shiftedRows(path, read);
  const facts = { outline, delimiter, meanings: table.meanings, severalMakers: severalOf, namesInPlace, shifted };
  const known = { ...read, ...omitUndefined(facts) };
  const nothing = upwardLevels(table.whereUsed, columns, roles) ?? wireEnds(columns, roles) ?? plainText(table);
  const chosen = nothing === undefined ? chooseKey(columns, roles, read.rows, name, table.meanings) : undefined;
  if (chosen === undefined) return { name, drafts: [], nothing: nothing ?? noNumber(columns, roles, rows) };
  const separate = await withSymbols(path, known, await separateKey(path, known, chosen));
  const complete = await completeKey(path, known, withRowRemarks(separate, makerRows, unfitted.rows, second.rows));
  const { key, lookedUp } = await useKnownItems(path, known, complete, table.lookUp);
  const { drafts, assembly } = makeDrafts(known, key);
  const fitted: Draft[] = [];
  for (const [index, draft] of drafts.entries()) {
    const said = index === 0 ? divided.remarks.reduce(withRemark, draft) : draft;
    const whole = await finishDraft(path, said, { ...known, key }, signal);
    fitted.push(index > 0 ? whole : withProblemOf(whole, table.problem ?? dittoProblem(roles)));
  }
  const proposed = {
    name,
    drafts: await withSameConditions(path, fitted),
    ...omitUndefined({ assembly, title, lookedUp }),
  };
  const names = divided.parentNames ?? table.parentNames ?? parentNames(columns, roles)?.name;
  return addParents(path, proposed, omitUndefined({ lineNumber: roles.get('lineNumber')?.name, names }));
}

const withProblemOf = (draft: Draft, problem: string | undefined): Draft =>
  problem === undefined ? draft : withProblem(draft, problem);

function withRowRemarks(
  key: ChosenKey,
  ofMakers: readonly number[],
  unfitted: readonly number[],
  second: readonly number[],
): ChosenKey {
  const says = [
    [ofMakers, `Rows with a maker alone belong to the part above them: ${rowsText(ofMakers)}.`],
    [unfitted, `${LEFT_OUT}${rowsText(unfitted)}: not fitted, and without an item number.`],
    [
      second,
      `Open: left out, since without quantity, designator and position: ${rowsText(second)}: further sources of the part above, shipping or the like. Give parts among them a quantity.`,
    ],
  ] as const;
  return { ...key, remarks: [...key.remarks, ...says.flatMap(([rows, text]) => (rows.length === 0 ? [] : [text]))] };
}

/** The worksheet, where others have tables too. */
const sheetNamed = ({
  tables,
  source: { worksheet },
}: Pick<InspectedTable, 'tables' | 'source'>): string | undefined =>
  tables === 'several' && typeof worksheet === 'string' ? worksheet : undefined;

/** Adds parents without a row in the list as items; drops the BOM if its parents are numbers of rows. */
export async function addParents(
  path: string,
  proposed: ProposedDrafts,
  { lineNumber, names }: Pick<ParentColumns, 'lineNumber' | 'names'>,
): Promise<ProposedDrafts> {
  const [items, bom] = (['items', 'BOM'] as const).map((kind) =>
    proposed.drafts.find((draft): draft is Draft => draft.kind === kind),
  );
  const column = bom?.mapping.get('number');
  if (items === undefined || bom === undefined || column === undefined || column === PARENT_COLUMN) return proposed;
  const found = await findMissingParents(path, { bom, items, ...omitUndefined({ lineNumber, names }) });
  if (found === undefined) return proposed;
  if (found.are === 'item numbers') return { ...proposed, parents: found.parents };
  const why = `Open: no BOM is proposed, since "${column}" has values of "${lineNumber}", which are no item numbers. Put the item numbers of the parents there, and inspect the file again.`;
  const others = proposed.drafts.filter((draft) => draft !== bom);
  return { ...proposed, drafts: others.map((draft) => (draft === items ? withRemark(draft, why) : draft)) };
}

/** What is read in each column, by name: the items may be numbered by one whose header does not say it. */
export function meaningsIn({ drafts }: ProposedDrafts, roles: Roles): ReadonlyMap<string, Meaning> {
  const objects = drafts.find((draft) => draft.kind === 'objects');
  if (objects !== undefined && drafts[0] === objects) return objects.meanings;
  const number = drafts.find((draft): draft is Draft => draft.kind === 'items')?.mapping.get('number');
  const named = [...roles].map(([meaning, { name }]) => [name, meaning] as const);
  return new Map([...(number === undefined ? [] : [[number, 'number'] as const]), ...named]);
}

/** Builds the proposal to show; the list of the assembly is only written into a project. */
export function buildProposal({
  drafts,
  assembly,
  title,
  parents,
  nothing: why = 'Nothing is proposed.',
}: ProposedDrafts): Proposal {
  const nothing = drafts.length === 0 ? [why] : [];
  const remarks = [
    '`file` is relative to the manifest.',
    ...nothing,
    ...(assembly === undefined
      ? []
      : [
          `The BOM belongs to the item "${assembly}"${fromText(title)}, which must exist; \`--out DIR\` also writes a list with it.`,
        ]),
    ...(parents === undefined
      ? []
      : [
          `Parents of the BOM that are no rows of the list, such as "${[...parents.keys()][0]}", must exist; \`--out DIR\` also writes a list with them.`,
        ]),
  ];
  return {
    manifests: drafts.flatMap(draftManifests),
    ...(assembly === undefined ? {} : { assembly, assemblyFrom: title?.from ?? 'file' }),
    readings: readingsOf(drafts),
    unmapped: unmappedIn(drafts),
    notes: [...new Set(drafts.flatMap((draft) => draft.remarks))].filter((remark) => !isMarked(remark)),
    remarks: [...new Set([...remarks, ...drafts.flatMap((draft) => draft.remarks)])],
    problems: [...nothing, ...drafts.flatMap(({ problem }) => problem ?? [])],
    text: manifestsText(drafts, remarks),
  };
}

/** Names the cell of an assembly, for a sentence. */
export const fromText = (title: AssemblyTitle | undefined): string =>
  title === undefined || title.from === 'option' ? '' : ` of ${title.from}`;
