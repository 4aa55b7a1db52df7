import type { Column } from './column.js';
import { bareHeader, roleNamed } from './column-names.js';
import { columnOption, type Draft, withProblem, withRemark } from './draft.js';
import type { KnownTable } from './known-table.js';

/** Words in headers of quantities, in any place. */
const COUNTS =
  /\b(?:qt?y|quant\w*|\w*menge|\w*anzahl|anz|stuck\w*|stk|pieces?|pcs|qte|nb|nbre|piezas|cantidad|cant|ilosc|sztuk\w*|szt|aantal|stuks|pezzi|req\w*|needed|usage|off)\b/;
/** Words in headers of other numbers. */
const OTHERS =
  /\b(?:old|alt|vendors?|suppliers?|distributors?|break|stock|hand|on|available|inventory|min\w*|max\w*|moq|mult\w*|pack\w*|reel|box|carton|lot|lead|days?|time|date|year|batch|lager\w*|bestand\w*|verpackungs\w*|vpe|order\w*|bestell\w*|\w*price|\w*preis|\w*cost\w*|\w*kosten|prix|precio|cena|prijs|prezzo|amount|value|total|sum|weight|mass|\w*gewicht|masse|poids|peso|masa|gewicht|length|width|height|thickness|lange|breite|hohe|dicke|diameter|durchmesser|volume|density|area|id|rev\w*|plant|werk|zip|page|sheet|x|y|z|rotation|tolerance|temp\w*|voltage|power)\b/;
const LONGEST = 9;

/** Adds the problem that a list may have quantities, but no column was recognised as such: each line would be one piece. */
export function withUnreadQuantity(draft: Draft, table: KnownTable): Draft {
  const { roles } = table;
  if (roles.has('quantity')) return draft;
  const names = possibleQuantities(draft, table).map(({ name }) => name);
  const [first] = names;
  if (first === undefined) {
    if (draft.kind !== 'BOM')
      return withRemark(
        draft,
        `${roles.has('number') ? 'No' : 'Open: no'} BOM is proposed: no column has quantities, designators or levels.`,
      );
    return draft.mapping.has('quantity')
      ? draft
      : withRemark(draft, 'No column has quantities: each line is one piece.');
  }
  const shown = names.map((name) => `"${name}"`).join(' or ');
  const otherwise = draft.kind === 'BOM' ? withoutOne(draft) : 'no BOM is proposed';
  const option = (meaning: string): string => `\`${columnOption(first, meaning)}\``;
  const problem = `No column is recognised as the quantity, and ${otherwise}. ${shown} may be it: inspect the file again with ${option('quantity')}, or with ${option('none')}${names.length > 1 ? ' and so on' : ''} if it is not.`;
  return withProblem(draft, problem);
}

const withoutOne = ({ mapping }: Draft): string =>
  mapping.has('quantity') ? 'designators are counted instead' : 'each line would be one piece';

/** Columns of numbers that nothing reads. In a tree each may have the quantities; elsewhere its header has to say so. */
function possibleQuantities({ kind }: Draft, { columns, roles, rows }: KnownTable): Column[] {
  const used = new Set(roles.values());
  const isTree = kind === 'BOM' && !roles.has('refDes');
  const name = roles.get('name')?.index ?? 0;
  /** Where people write how many of what. */
  const isBeforeName = ({ index, type, filled, distinct }: Column): boolean =>
    kind !== 'BOM' && index === name - 1 && type === 'integer' && filled === rows && distinct * 2 < rows;
  return columns.filter((column) => {
    const bare = bareHeader(column.header);
    const isMeant = isTree || COUNTS.test(bare) || isBeforeName(column);
    return isCount(column, rows) && !used.has(column) && !OTHERS.test(bare) && isMeant;
  });
}

const isCount = ({ name, header, numbers, isSequence, longest, filled, samples }: Column, rows: number): boolean =>
  name !== '' &&
  roleNamed(header) === undefined &&
  numbers !== undefined &&
  !isSequence &&
  longest <= LONGEST &&
  filled * 2 >= rows &&
  !samples.some((sample) => /^0\d/.test(sample));
