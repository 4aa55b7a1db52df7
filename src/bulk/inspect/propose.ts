import type { ImportSource } from '../../jobs/source.js';
import type { JsonObject } from '../../model/json.js';
import { assemblyNameOf } from './assembly-name.js';
import type { Column } from './column-roles.js';
import { rolesOf } from './column-roles.js';
import type { Draft } from './draft.js';
import { fitDraft } from './fit-draft.js';
import { makeDrafts } from './make-drafts.js';
import { manifestsOf, manifestsText } from './proposal-text.js';

/** Manifests to start from, and what a person has to look at in them. */
export interface Proposal {
  /** Definitions and Imports. */
  readonly manifests: readonly JsonObject[];
  /** The item that the lines of a BOM belong to, where no row of the file is it. */
  readonly assembly?: string;
  readonly remarks: readonly string[];
  /** The same as a file, with comments at their places. */
  readonly text: string;
}

/** What a proposal is made of, for whoever writes it elsewhere. */
export interface ProposedDrafts {
  readonly name: string;
  readonly drafts: readonly Draft[];
  readonly assembly?: string;
}

/** What proposals need of an inspected table. */
export interface InspectedTable {
  readonly path: string;
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Worksheets that have a table. */
  readonly tables: 'one' | 'several';
  readonly outline?: 'outline';
}

/** Items, BOM and sources for a table, changed until the checks of an import find nothing wrong with its rows. */
export async function proposeDrafts(table: InspectedTable, signal: AbortSignal): Promise<ProposedDrafts> {
  const { path, source, columns, rows, tables, outline } = table;
  const name = assemblyNameOf(path, source.file, tables === 'several' ? source.worksheet : undefined);
  const known = { source, columns, rows, assembly: name, roles: rolesOf(columns, rows) };
  const { drafts, assembly } = makeDrafts({ ...known, ...(outline === undefined ? {} : { outline }) });
  const fitted: Draft[] = [];
  for (const draft of drafts) fitted.push(await fitDraft(path, draft, signal));
  return { name, drafts: fitted, ...(assembly === undefined ? {} : { assembly }) };
}

/** A proposal as it is shown; the list of the assembly is only written into a project. */
export function proposalOf({ drafts, assembly }: ProposedDrafts): Proposal {
  const remarks = [
    '`file` is relative to the manifest.',
    ...(drafts.length === 0 ? ['No column can be the item number: nothing is proposed.'] : []),
    ...(assembly === undefined
      ? []
      : [`The BOM belongs to the item "${assembly}", which must exist; \`--out DIR\` also writes a list with it.`]),
  ];
  return {
    manifests: drafts.flatMap(manifestsOf),
    ...(assembly === undefined ? {} : { assembly }),
    remarks: [...remarks, ...drafts.flatMap((draft) => draft.remarks)],
    text: manifestsText(drafts, remarks),
  };
}
