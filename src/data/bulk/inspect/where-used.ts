import type { RawRow } from '../source/raw-table.js';
import type { Column, Roles } from './column.js';
import { roleNamed } from './column-names.js';

const WHERE_USED =
  /(?<![a-z])where[-_ ]?used|verwendungsnachweis|cas d.emploi|donde se usa|gdzie u[zż]yty|impiego in|waar gebruikt/i;

/** The text that calls a list a report of where an item is used. */
export const whereUsed = (file: string, above: readonly RawRow[]): string | undefined =>
  [...above.flatMap(({ cells }) => cells), file].find((text) => WHERE_USED.test(text));

/** Says why nothing is proposed for levels that lead upward; undefined for other lists. */
export const upwardLevels = (text: string | undefined, columns: readonly Column[], roles: Roles): string | undefined =>
  text === undefined || roles.has('parent') || !columns.some(({ header }) => roleNamed(header) === 'level')
    ? undefined
    : `${JSON.stringify(text)} says that the levels lead upward: each row is an assembly that uses the one above it. An import needs lines from the assembly down, so nothing is proposed. Use a report of the assemblies, or a list with a column for the parent.`;
