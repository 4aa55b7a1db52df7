import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOM_LINE_COLUMNS, bomLineValues, ITEM_COLUMNS, itemValues } from '../../../dist/emulator/store/items.js';
import { openStore } from '../../../dist/emulator/store/open.js';
import { itemRow, lineOf } from '../rows.mjs';

const { resource, rows } = JSON.parse(process.argv[2]);

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const CODE = Array.from({ length: 20 }, (_, place) => place * 7 + 3);
/** Twenty letters and digits that differ, in no order. */
const guid = (n) =>
  CODE.map((step) => LETTERS[(Math.imul(n + 1, 2_654_435_761 + step * 40_503) >>> (step % 20)) % 36]).join('');
const pad = (n) => String(n).padStart(8, '0');
/** The last letters make it unique. */
const unique = (n) => guid(n).slice(0, 12) + pad(n);

const at = '2025-01-31T08:00:00Z';
const items = (count) =>
  Array.from({ length: count }, (_, n) => {
    const [number, name, description, uom, standardCost] = itemRow(n);
    const references = { category: unique(1), phase: unique(2), owner: unique(3), creator: unique(3) };
    const fields = { uom, standardCost };
    const record = { guid: unique(n), number, name, description, ...references, fields, additional: {} };
    return itemValues({ ...record, created: at, modified: null });
  });
const lines = (count) =>
  Array.from({ length: count }, (_, n) => {
    const { parent, child, quantity, refDes, notes } = lineOf(n);
    const ends = { parent: unique(parent), child: unique(child), lineNumber: null };
    return bomLineValues({ guid: unique(n), ...ends, quantity, refDes, notes, additional: {} });
  });

const folder = await mkdtemp(join(tmpdir(), 'dexsync-bench-'));
try {
  const store = await openStore(join(folder, 'w.db'), () => undefined);
  const insert = (table, columns, values) => {
    const sql = `INSERT INTO ${table} (${columns}) VALUES (${columns
      .split(', ')
      .map(() => '?')
      .join(', ')})`;
    store.settings.transaction(() => {
      for (const row of values) store.settings.run(sql, ...row);
    });
  };
  if (resource === 'ITEM_BOM') insert('items', ITEM_COLUMNS, items(rows + 2000));
  const values = resource === 'ITEM_BOM' ? lines(rows) : items(rows);
  const begin = performance.now();
  if (resource === 'ITEM_BOM') insert('bom_lines', BOM_LINE_COLUMNS, values);
  else insert('items', ITEM_COLUMNS, values);
  process.stdout.write(`${performance.now() - begin}\n`);
  store.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
