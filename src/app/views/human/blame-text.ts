import type { Blame, FieldBlame } from '../../operations/blame.js';
import { valueText } from './field-text.js';
import { personText } from './provenance-text.js';
import { tableText } from './table.js';
import { columnTime } from './time-text.js';

/** Who set each field of an object last. */
export function blameText({ fields }: Blame, width: number | undefined): string {
  const rows = fields.map((one) => [
    one.field,
    one.value === undefined ? '' : oneLine(valueText(one.value)),
    columnTime(one.at),
    whoText(one),
    String(one.apply),
    fromText(one),
  ]);
  return tableText(['FIELD', 'VALUE', 'WHEN (UTC)', 'WHO', 'APPLY', 'FROM'], rows, width);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Who applied it, and who planned it if that was somebody else. */
function whoText({ by, planned }: FieldBlame): string {
  if (by === null) return '?';
  const [who, planner] = [personText(by), planned === undefined ? undefined : personText(planned)];
  return planner === undefined || planner === who ? who : `${who}, planned by ${planner}`;
}

function fromText({ release, source, from, by, planned }: FieldBlame): string {
  const git = release === undefined ? (planned?.git ?? by?.git) : source;
  const commit = git === undefined ? [] : [`commit ${git.commit.slice(0, 12)}`];
  return [...(release === undefined ? [] : [release]), ...commit, ...(from === undefined ? [] : [from])].join(', ');
}
