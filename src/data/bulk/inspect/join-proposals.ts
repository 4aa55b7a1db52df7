import { PARENT_COLUMN } from '#core/jobs/source-cells.js';
import { type Draft, type ProposedDraft, withRemark, withSource } from './draft.js';
import { findItemNumbers } from './missing-parents.js';
import type { ProposedDrafts } from './propose.js';

/** The worksheet of the main table, where the file has several. */
interface MainPlace {
  readonly path: string;
  readonly worksheet: string | undefined;
}

/**
 * Joins the proposals for the tables of a file. Tables beside the main one on its worksheet have its assembly, unless
 * they list only parts of it, as a recapitulation does. Assemblies and parents without a row are items.
 */
export async function joinProposals(
  { path, worksheet }: MainPlace,
  main: ProposedDrafts,
  further: readonly ProposedDrafts[],
): Promise<ProposedDrafts> {
  if (further.length === 0) return main;
  const known = await findItemNumbers(path, main.drafts);
  const kept: ProposedDrafts[] = [];
  const left: string[] = [];
  for (const one of further) {
    const isBeside = one.place?.worksheet === worksheet;
    if (isBeside && (await listsOnly(known, path, one))) left.push(recapitulationText(one));
    else kept.push(isBeside && main.assembly !== undefined ? withAssembly(one, main.assembly) : withOpenAssembly(one));
  }
  const assemblies = kept.flatMap(({ assembly }) =>
    assembly === undefined || assembly === main.assembly ? [] : [[assembly, assembly] as const],
  );
  const parents = new Map([...assemblies, ...[...kept, main].flatMap((one) => [...(one.parents ?? [])])]);
  const [first, ...rest] = main.drafts;
  const own = first === undefined ? [] : [left.reduce<ProposedDraft>(withRemark, first), ...rest];
  const drafts = [...own, ...kept.flatMap((one) => one.drafts)];
  return { ...main, drafts, ...(parents.size === 0 ? {} : { parents }) };
}

/** Whether a table without an assembly of its own has only parts of another one. */
async function listsOnly(known: ReadonlySet<string>, path: string, one: ProposedDrafts): Promise<boolean> {
  if (one.assembly === undefined) return false;
  const numbers = await findItemNumbers(path, one.drafts);
  return numbers.size > 0 && [...numbers].every((number) => known.has(number));
}

function recapitulationText({ place }: ProposedDrafts): string {
  const sheet = place?.worksheet === undefined ? '' : `--worksheet ${JSON.stringify(place.worksheet)} `;
  return `Open: the table in ${place?.range} lists only parts of the one before it, like a recapitulation, and is not read. For its manifests, inspect the file with \`${sheet}--range ${place?.range}\`.`;
}

/** Gives the lines of a table another assembly than the one after its name. */
function withAssembly(one: ProposedDrafts, assembly: string): ProposedDrafts {
  const { assembly: before } = one;
  if (before === undefined) return one;
  return {
    ...one,
    assembly,
    drafts: one.drafts.map((draft) => (draft.kind === 'BOM' ? placedBelow(draft, before, assembly) : draft)),
  };
}

function placedBelow(draft: Draft, before: string, assembly: string): Draft {
  const { constants, hierarchy } = draft.source;
  const top = hierarchy?.top === before ? { hierarchy: { ...hierarchy, top: assembly } } : {};
  const constant =
    constants?.[PARENT_COLUMN] === before ? { constants: { ...constants, [PARENT_COLUMN]: assembly } } : {};
  return withRemark(
    withSource(draft, { ...top, ...constant }),
    `Open: the lines of this table are those of "${assembly}", as in the table beside it. If they are not, change their parent.`,
  );
}

/** Says which assembly a table gets that the list does not name. */
function withOpenAssembly(one: ProposedDrafts): ProposedDrafts {
  const { assembly } = one;
  if (assembly === undefined) return one;
  const text = `Open: the list does not name the assembly of this table; "${assembly}" is taken. Change their parent if it is another.`;
  return { ...one, drafts: one.drafts.map((draft) => (draft.kind === 'BOM' ? withRemark(draft, text) : draft)) };
}
