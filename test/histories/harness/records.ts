import type { Cells, Row } from '../model/rows.js';
import { BY_HAND, importByHand } from './by-hand.js';
import { type BomLines, openLines } from './lines.js';
import { type Entry, ROWS, type Service } from './service.js';

/** Import definitions for rows: of the lists of clones, of what they have no more, and of people. */
const DEFINITIONS = {
  lists: { name: ROWS, mode: 'OVERWRITE' },
  missing: { name: `${ROWS} that go`, mode: 'DELETE' },
  people: { name: `${ROWS}${BY_HAND}`, mode: 'OVERWRITE' },
  deleting: { name: `${ROWS} that go${BY_HAND}`, mode: 'DELETE' },
} as const;

/** What manifests of imports name. */
export const LISTS_DEFINITION = DEFINITIONS.lists.name;
export const MISSING_DEFINITION = DEFINITIONS.missing.name;

const MAPPING = Object.entries({ number: 'Part', name: 'Name', description: 'Text' }).map(([apiName, sourceName]) => ({
  ...{ resource: 'ITEM_SPECS', apiName, sourceName },
}));

/** Numbers of records that histories are about; the workspace has others. */
const OWN = /^[pwb]-\d{1,2}$/i;

/** Records of a workspace, seen and changed without the client. */
export interface Records {
  /** By number. */
  read(): Promise<ReadonlyMap<string, Cells>>;
  /** As people do: through the import of the service's own pages, since nothing else writes items. */
  change(row: Row): Promise<void>;
  remove(number: string): Promise<void>;
  /** The lines of their BOMs. */
  readonly lines: BomLines;
  /** Runs that were committed, but for those of people. */
  commits(): Promise<number>;
}

export async function openRecords(service: Service): Promise<Records> {
  const { call, list } = service;
  const guids = new Map<keyof typeof DEFINITIONS, string>();
  for (const key of Object.keys(DEFINITIONS) as (keyof typeof DEFINITIONS)[]) {
    const options = { mapping: MAPPING };
    const { status, body } = await call('POST', '/imports', { ...DEFINITIONS[key], resource: 'ITEM_SPECS', options });
    if (status !== 201) throw new Error(`POST /imports: ${status} ${JSON.stringify(body)}`);
    guids.set(key, String(body.guid));
  }
  const send = (by: 'people' | 'deleting', rows: readonly Row[]): Promise<void> =>
    importByHand(call, String(guids.get(by)), csvOf(rows));
  return {
    async read() {
      const items = (await list('/items?responseview=full')).filter(({ number }) => OWN.test(String(number)));
      return new Map(items.map((item) => [String(item.number), cellsOf(item)]));
    },
    change: (row) => send('people', [row]),
    remove: (Part) => send('deleting', [{ Part, Name: '', Text: '' }]),
    lines: await openLines(service, (number) => OWN.test(number)),
    async commits() {
      const definitions = (await list('/imports')).filter(({ name }) => !String(name).endsWith(BY_HAND));
      const runs = await Promise.all(
        definitions.map(async ({ guid }) => (await call('GET', `/imports/${guid}/runs`)).body.results),
      );
      return (runs.flat() as unknown as Entry[]).filter(({ commit }) => commit === true).length;
    },
  };
}

const cellsOf = ({ name, description }: Entry): Cells => ({ Name: String(name), Text: String(description ?? '') });

/** Rows as a file. */
export const csvOf = (rows: readonly Row[]): string =>
  ['Part,Name,Text', ...rows.map(({ Part, Name, Text }) => [Part, Name, Text].map(csvCell).join(','))]
    .map((line) => `${line}\n`)
    .join('');

const csvCell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
