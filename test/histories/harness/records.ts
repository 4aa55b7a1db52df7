import { setTimeout as sleep } from 'node:timers/promises';
import type { Cells, Row } from '../model/rows.js';
import { type Entry, ROWS, type Service } from './service.js';

/** Import definitions for rows: of the lists of clones, of what they have no more, and of people. */
const DEFINITIONS = {
  lists: { name: ROWS, mode: 'OVERWRITE' },
  missing: { name: `${ROWS} that go`, mode: 'DELETE' },
  people: { name: `${ROWS} by hand`, mode: 'OVERWRITE' },
  deleting: { name: `${ROWS} that go by hand`, mode: 'DELETE' },
} as const;

/** What manifests of imports name. */
export const LISTS_DEFINITION = DEFINITIONS.lists.name;
export const MISSING_DEFINITION = DEFINITIONS.missing.name;

const MAPPING = Object.entries({ number: 'Part', name: 'Name', description: 'Text' }).map(([apiName, sourceName]) => ({
  ...{ resource: 'ITEM_SPECS', apiName, sourceName },
}));

/** Numbers of records that histories are about; the workspace has others. */
const OWN = /^[pw]-\d$/i;

/** Records of a workspace, seen and changed without the client. */
export interface Records {
  /** By number. */
  read(): Promise<ReadonlyMap<string, Cells>>;
  /** As people do: through the import of the service's own pages, since nothing else writes items. */
  change(row: Row): Promise<void>;
  remove(number: string): Promise<void>;
  /** Runs that were committed, but for those of people. */
  commits(): Promise<number>;
}

export async function openRecords({ call, list }: Service): Promise<Records> {
  const guids = new Map<keyof typeof DEFINITIONS, string>();
  for (const key of Object.keys(DEFINITIONS) as (keyof typeof DEFINITIONS)[]) {
    const options = { mapping: MAPPING };
    const { status, body } = await call('POST', '/imports', { ...DEFINITIONS[key], resource: 'ITEM_SPECS', options });
    if (status !== 201) throw new Error(`POST /imports: ${status} ${JSON.stringify(body)}`);
    guids.set(key, String(body.guid));
  }
  const send = async (by: 'people' | 'deleting', rows: readonly Row[]): Promise<void> => {
    const form = new FormData();
    form.set('submitFileType', 'CSV');
    form.set('commit', 'true');
    form.set('submitContent', new Blob([csvOf(rows)]), 'rows.csv');
    const path = `/imports/${guids.get(by)}/runs`;
    let { body: run } = await call('POST', path, form);
    while (run.status === 'CREATED' || run.status === 'RUNNING') {
      await sleep(5);
      run = (await call('GET', `${path}/${run.guid}`)).body;
    }
    if (run.status !== 'COMPLETE' || run.errorCount !== 0) throw new Error(`A run by hand: ${JSON.stringify(run)}`);
  };
  const byPeople = [guids.get('people'), guids.get('deleting')];
  return {
    async read() {
      const items = (await list('/items?responseview=full')).filter(({ number }) => OWN.test(String(number)));
      return new Map(items.map((item) => [String(item.number), cellsOf(item)]));
    },
    change: (row) => send('people', [row]),
    remove: (Part) => send('deleting', [{ Part, Name: '', Text: '' }]),
    async commits() {
      const definitions = (await list('/imports')).filter(({ guid }) => !byPeople.includes(String(guid)));
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
