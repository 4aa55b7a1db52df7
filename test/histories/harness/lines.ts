import { keyOf, type Line, type Lines, type LinesMode } from '../model/bom.js';
import { BY_HAND, importByHand } from './by-hand.js';
import { type Entry, ROWS, type Service } from './service.js';

/** Import definitions for BOM lines, as manifests name them. */
export const LINES_DEFINITIONS: Readonly<Record<LinesMode, string>> = {
  REPLACE: `${ROWS} of whole BOMs`,
  OVERWRITE: `${ROWS} of lines`,
};

const COLUMNS = { number: 'Assembly', 'item.number': 'Part', quantity: 'Qty' };

/** Columns of their own, so that no undo takes their definitions for its own. */
const COLUMNS_BY_HAND = { number: 'In', 'item.number': 'What', quantity: 'How many' };

/** BOMs of a workspace, seen and changed without the client. */
export interface BomLines {
  read(): Promise<Lines>;
  change(line: Line): Promise<void>;
  remove(line: Line): Promise<void>;
}

/** `isOwn`: whether histories are about the item of a number. */
export async function openLines({ call, list }: Service, isOwn: (number: string) => boolean): Promise<BomLines> {
  const define = async (name: string, mode: string, columns: Readonly<Record<string, string>>): Promise<string> => {
    const resource = 'ITEM_BOM';
    const mapping = Object.entries(columns).map(([apiName, sourceName]) => ({ resource, apiName, sourceName }));
    const { status, body } = await call('POST', '/imports', { name, mode, resource, options: { mapping } });
    if (status !== 201) throw new Error(`POST /imports: ${status} ${JSON.stringify(body)}`);
    return String(body.guid);
  };
  for (const [mode, name] of Object.entries(LINES_DEFINITIONS)) await define(name, mode, COLUMNS);
  const changing = await define(`${ROWS} of lines${BY_HAND}`, 'EDIT', COLUMNS_BY_HAND);
  const removing = await define(`${ROWS} of lines that go${BY_HAND}`, 'DELETE', COLUMNS_BY_HAND);
  const send = (definition: string, { Assembly, Part, Qty }: Line): Promise<void> =>
    importByHand(call, definition, `${Object.values(COLUMNS_BY_HAND)}\n${Assembly},${Part},${Qty}\n`);
  return {
    async read() {
      const items = (await list('/items')).filter(({ number }) => isOwn(String(number)));
      const each = await Promise.all(
        items.map(async ({ guid, number }) => {
          const lines = (await call('GET', `/items/${guid}/bom`)).body.results as unknown as Entry[];
          return lines.map((line): [string, string] => [
            keyOf({ Assembly: String(number), Part: String((line.item as Entry).number) }),
            String(line.quantity),
          ]);
        }),
      );
      return new Map(each.flat());
    },
    change: (line) => send(changing, line),
    remove: (line) => send(removing, line),
  };
}
