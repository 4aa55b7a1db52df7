import type { Orphan, Orphans } from '../../operations/orphans.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';
import { tableText } from './table.js';

/** Lists objects without an owner and those that replacements left behind, and says how to adopt one. */
export function orphansText(
  { orphans, retired, unlisted, ...place }: Orphans,
  palette: Palette,
  width: number | undefined,
): string {
  const own = orphans.length === 0 ? [] : [orphanTable(orphans, width)];
  const old =
    retired.length === 0
      ? []
      : [palette.bold(`${retired.length} retired by replacements`), orphanTable(retired, width)];
  const unknown = unlisted.length === 0 ? [] : [palette.dim(`The service has no list of: ${unlisted.join(', ')}.`)];
  const count = orphans.length === 1 ? '1 object' : `${orphans.length === 0 ? 'No' : orphans.length} objects`;
  const head = palette.bold(`${count} without an owner in ${whereText(place)}`);
  const hint = orphans.length === 0 ? [] : ['`dexsync adopt KIND/NAME` adopts one into this stack.', ''];
  return `${[head, ...own, ...hint, ...old, ...unknown].join('\n').trimEnd()}\n`;
}

function orphanTable(orphans: readonly Orphan[], width: number | undefined): string {
  const rows = orphans.map(({ address, number, createdBy = '', createdAt = '', described }) => [
    address,
    number === undefined ? '' : `#${number}`,
    createdBy,
    createdAt.slice(0, 10),
    described ? 'yes' : '',
  ]);
  return tableText(['OBJECT', 'NUMBER', 'CREATED BY', 'CREATED', 'IN A MANIFEST'], rows, width);
}
