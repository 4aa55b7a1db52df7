import type { Column, Roles } from './column.js';
import { bareHeader } from './column-names.js';
import { columnOption } from './draft.js';

const PLACE = '(?: (?:connector|conn|device|component|unit|pin|terminal|term|point|end|ref|designator|location|node))*';
/** The two ends of a wire. */
const FROM = new RegExp(`^(?:from|source|start|origin|von|de|desde|od|van|da)${PLACE}$`);
const TO = new RegExp(`^(?:to|target|dest|destination|end|nach|zu|bis|ziel|vers|hasta|hacia|do|naar|a)${PLACE}$`);

/** Says why nothing is proposed for a list whose rows join two ends; undefined for other lists. */
export function wireEnds(columns: readonly Column[], roles: Roles): string | undefined {
  const ofParts = (['quantity', 'mpn', 'refDes', 'level', 'parent', 'cost'] as const).some((role) => roles.has(role));
  const ends = [FROM, TO].map((end) => columns.find(({ header }) => end.test(bareHeader(header))));
  const [from, to] = ends;
  if (from === undefined || to === undefined || from === to || roles.has('number') || ofParts) return undefined;
  const other = columns.find(({ key, name }) => key === 'likely' && !ends.some((end) => end?.name === name));
  const option = columnOption((other ?? from).name, 'number');
  return `Each row joins "${from.name}" and "${to.name}", like the wires of a harness, for which a workspace has no place: nothing is proposed. If the rows are items, inspect the file again with \`${option}\`.`;
}
