import type { ImportSource } from '#core/jobs/source.js';
import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import type { ChosenTable } from './choose-table.js';

/** Gives each table of a file the conditions on columns that it has; the main one also those on columns of no table. */
export async function divideConditions(
  path: string,
  chosen: ChosenTable,
  { where }: Pick<ImportSource, 'where'>,
): Promise<ChosenTable> {
  if (where === undefined || chosen.further.length === 0) return chosen;
  const { where: _, ...main } = chosen.source;
  const own = await headersOf(path, main);
  const found: ImportSource['where'] = {};
  const further = [];
  for (const one of chosen.further) {
    const headers = one.other.is === 'table' ? await headersOf(path, one.chosen.source) : [];
    const conditions = among(headers, where);
    Object.assign(found, conditions);
    const source = Object.keys(conditions).length === 0 ? {} : { where: conditions };
    further.push({ ...one, chosen: { ...one.chosen, source: { ...one.chosen.source, ...source } } });
  }
  const isElsewhere = (name: string): boolean => found[name] !== undefined && findColumn(own, name) === undefined;
  const left = Object.entries(where).filter(([name]) => !isElsewhere(name));
  const source = left.length === 0 ? main : { ...main, where: Object.fromEntries(left) };
  return { ...chosen, source, further };
}

async function headersOf(path: string, source: ImportSource): Promise<readonly string[]> {
  const { headers, batches } = await openSource(path, source);
  for await (const _ of batches) break;
  return headers;
}

const among = (headers: readonly string[], where: NonNullable<ImportSource['where']>) =>
  Object.fromEntries(Object.entries(where).filter(([name]) => findColumn(headers, name) !== undefined));
