import type { Column } from './column.js';
import { bareHeader } from './column-names.js';
import { type Draft, withoutValues, withRemark, withSource } from './draft.js';
import type { KnownTable } from './known-table.js';
import { markedIn, withoutMarked } from './placeholders.js';

/** Writes names in one line. */
export function withoutLineBreaks(draft: Draft, { name, lines }: Column): Draft {
  if (lines.length === 0) return draft;
  const replaced = Object.fromEntries(lines.map((line) => [line, line.replaceAll(/\s*[\r\n]+\s*/g, ' ')]));
  return withRemark(
    withSource(draft, { values: { ...draft.source.values, [name]: { ...draft.source.values?.[name], ...replaced } } }),
    `Line breaks in "${name}" become spaces, since a name has one line.`,
  );
}

/** Leaves out cells with several lines: it is unknown which of them is meant. */
export function withoutLines(draft: Draft, { name, lines }: Column): Draft {
  const left = withSource(draft, withoutValues(draft.source, name, ['', ...lines]));
  return withRemark(
    left,
    `Open: ${lines.length === 1 ? '1 value' : `${lines.length} values`} of "${name}" ${lines.length === 1 ? 'has' : 'have'} several lines, and these rows give no source. Split them in the file to import them.`,
  );
}

/** Texts of a column of states that say that a source must not be used. */
const REFUSED =
  /^(?:obsolete|eol|discontinued|disapproved|disqualified|not approved|unapproved|rejected|blocked|do not (?:use|buy|order)|gesperrt|abgelehnt|nicht freigegeben|refus[ée]e?|bloqu[ée]e?|rechazado|bloqueado|zablokowany|afgekeurd|bloccato|non approvato)$/i;
const STATE = /(?:^| )(?:status|state|approval|freigabe|statut|estado|stato)$/;

/** Leaves out sources that a column of states refuses. */
export function withoutRefused(draft: Draft, { columns }: KnownTable): Draft {
  const states = columns.filter(({ header }) => STATE.test(bareHeader(header)));
  return withoutMarked(
    draft,
    states.flatMap((column) => markedIn(column, (value) => REFUSED.test(value))),
  );
}
