import { columnsIn, type Draft, type DraftKind, type ProposedDraft } from './draft.js';

/** What an import of a proposal takes from the list, and where each field comes from. */
export interface Reading {
  readonly kind: DraftKind;
  readonly fields: readonly { readonly field: string; readonly from: string }[];
}

/** Describes what each draft of an import reads, in the order of its mapping. */
export const readingsOf = (drafts: readonly ProposedDraft[]): Reading[] =>
  importsAmong(drafts).map((draft) => ({
    kind: draft.kind,
    fields: [...draft.mapping].map(([field, column]) => ({ field, from: sourceText(draft, column) })),
  }));

/** Columns with values that no draft takes, alone or in a composed text. */
export function unmappedIn(drafts: readonly ProposedDraft[]): string[] {
  const imports = importsAmong(drafts);
  const used = new Set(
    imports.flatMap((draft) => [...draft.mapping.values()].flatMap((column) => [column, ...partsOf(draft, column)])),
  );
  const open = imports.flatMap((draft) => draft.open.map(({ column }) => column));
  return [...new Set(open)].filter((column) => !used.has(column));
}

const importsAmong = (drafts: readonly ProposedDraft[]): Draft[] =>
  drafts.filter((draft): draft is Draft => draft.kind !== 'objects');

/** The columns of the file that an added column is composed of. */
function partsOf({ source: { columns = {} } }: Draft, name: string): string[] {
  const added = columns[name];
  return typeof added === 'string' || Array.isArray(added) ? [added].flat().flatMap(columnsIn) : [];
}

/** Where the values of a column come from, as people write it. */
function sourceText({ source: { columns = {}, constants = {} } }: Draft, name: string): string {
  const constant = constants[name];
  if (constant !== undefined) return `always ${JSON.stringify(constant)}`;
  const added = columns[name];
  if (added === undefined) return JSON.stringify(name);
  if (typeof added === 'string' || Array.isArray(added))
    return [added]
      .flat()
      .map((text) => JSON.stringify(onlyColumn(text) ?? text))
      .join(', else ');
  const [[how, column] = []] = Object.entries(added);
  return `${how} of ${JSON.stringify(column)}`;
}

/** The column of a text that consists of it alone. */
const onlyColumn = (text: string): string | undefined => /^\{([^{}]*)\}$/.exec(text)?.[1];
