import { owned } from '../documented/documented.js';
import type { Family } from '../family/family.js';
import { findRow } from '../family/records.js';
import { refusal } from '../rules/service-error.js';
import type { Database } from '../store/database.js';
import { text } from '../store/select.js';
import { isReleased } from './item-references.js';
import { items } from './items.js';
import { writtenLines } from './line-writes.js';
import { refuseEdit } from './write-as-row.js';

const TABLE = 'bom_substitutes';
const RANK = "fields ->> '$.rank'";
const MOST = 999_999_999;
const LONGEST_NOTES = 4000;

/** The place of a substitute among those of its line; the stored ranks have gaps after deletions. */
function rankOf(rank: number, guid: string, settings: Database): number {
  const before = `SELECT count(*) AS n FROM ${TABLE} WHERE owner = (SELECT owner FROM ${TABLE} WHERE guid = ?) AND ${RANK} < ?`;
  return Number(settings.get(before, guid, rank)?.n) + 1;
}

function refuseWrong({ quantity, notes }: Readonly<Record<string, unknown>>): void {
  if (!(Number(quantity) > 0)) throw refusal(3302, 'The quantity of a substitute must be positive.');
  if (Number(quantity) > MOST) throw refusal(3303, `The quantity is ${MOST} at most.`);
  if (String(notes ?? '').length > LONGEST_NOTES)
    throw refusal(3305, `Notes take ${LONGEST_NOTES} characters at most.`);
}

/** Puts a substitute into its place, which shifts those behind it; by default, a new one is the last. */
function arrange(guid: string, owner: string, own: number | null, asked: unknown, settings: Database): void {
  const sql = `SELECT guid, ${RANK} AS rank FROM ${TABLE} WHERE owner = ? AND guid <> ? ORDER BY ${RANK}, seq`;
  const others = settings.all(sql, owner, guid);
  const kept = own === null ? others.length : others.filter(({ rank }) => Number(rank) < own).length;
  const place = typeof asked === 'number' ? asked - 1 : kept;
  if (!(Number.isInteger(place) && place >= 0 && place <= others.length)) throw refusal(3307, 'There is no such rank.');
  const guids = others.map((other) => text(other, 'guid'));
  for (const [index, one] of [...guids.slice(0, place), guid, ...guids.slice(place)].entries()) {
    settings.run(`UPDATE ${TABLE} SET fields = json_set(fields, '$.rank', ?) WHERE guid = ?`, index + 1, one);
  }
}

/** The items that may replace that of a BOM line, by rank (wire-facts 8.2; which code is whose is partly INFERRED). */
const substitutes: Family = owned(writtenLines, 'substitutes', {
  one: 'a substitute',
  many: 'substitutes',
  table: TABLE,
  once: ['item', 3306],
  shows: { rank: (rank, { guid }, { workspace }) => rankOf(Number(rank), guid, workspace.settings) },
  check: (substitute, { workspace }) => {
    const { fields, ownerGuid } = substitute;
    refuseWrong(fields);
    const line = workspace.settings.get('SELECT parent, child FROM bom_lines WHERE guid = ?', ownerGuid);
    refuseEdit(findRow(workspace, items, text(line ?? {}, 'parent')));
    const guid = String(fields.item);
    if (findRow(workspace, items, guid).item === line?.child) {
      throw refusal(3309, 'An item is no substitute for itself.');
    }
    if (!isReleased(workspace, guid)) throw refusal(3310, 'A substitute must have been released.');
    return substitute;
  },
  after: ({ guid, ownerGuid, fields }, { workspace: { settings }, body }) => {
    const own = typeof fields.rank === 'number' && body.rank === undefined ? fields.rank : null;
    arrange(guid, ownerGuid, own, body.rank, settings);
  },
});

/** Substitutes in the order of their ranks. */
export const bomSubstitutes: Family = {
  ...substitutes,
  rows: { ...substitutes.rows, order: `t.${RANK}, t.seq` },
};
