import { builtIn } from '#core/catalog.js';
import type { Kind } from '#core/model/kind.js';
import type { Capability } from '#core/model/observation.js';
import type { Profile } from '#service/profiles/profile.js';
import { PROFILES } from '#service/profiles/profiles.js';

const BEGIN = '<!-- kinds: written by `npm run schema` -->';
const END = '<!-- end of kinds -->';

export const capabilityOf = ({ collections }: Profile, { collection }: Kind): Capability =>
  collections[collection]?.can as Capability;

/** A page with its table of kinds as the profiles say. */
export function withKindsTable(page: string): string {
  const [before, rest = ''] = page.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`;
}

function table(): string {
  const rows = builtIn.kinds.flatMap((kind) => rowsOf(kind));
  return ['| Kind | Profile | listed | created | updated | deleted |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

function rowsOf(kind: Kind): string[] {
  const cells = PROFILES.map((profile) => ({ profile: profile.name, cells: cellsOf(capabilityOf(profile, kind)) }));
  const same = new Set(cells.map((one) => one.cells)).size === 1;
  return same
    ? [`| ${kind.name} | both | ${cells[0]?.cells} |`]
    : cells.map(({ profile, cells: own }, index) => `| ${index === 0 ? kind.name : ''} | ${profile} | ${own} |`);
}

const truthCell = (is: boolean): string => (is ? 'yes' : 'no');

const cellsOf = (can: Capability): string => {
  const updated = [...can.update, ...(can.children ?? [])].join(', ');
  return [truthCell(can.list), truthCell(can.create), updated === '' ? 'no' : updated, truthCell(can.delete)].join(
    ' | ',
  );
};
