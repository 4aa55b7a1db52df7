import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.js';

/** What the names of import definitions end with that people use. */
export const BY_HAND = ' by hand';

/** Imports rows as people do, by the import of the service's own pages: it writes at once. */
export async function importByHand(call: Service['call'], definition: string, rows: string): Promise<void> {
  const form = new FormData();
  form.set('submitFileType', 'CSV');
  form.set('commit', 'true');
  form.set('submitContent', new Blob([rows]), 'rows.csv');
  const path = `/imports/${definition}/runs`;
  let { body: run } = await call('POST', path, form);
  while (run.status === 'CREATED' || run.status === 'RUNNING') {
    await sleep(5);
    run = (await call('GET', `${path}/${run.guid}`)).body;
  }
  if (run.status !== 'COMPLETE' || run.errorCount !== 0) throw new Error(`A run by hand: ${JSON.stringify(run)}`);
}
