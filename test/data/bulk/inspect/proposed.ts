import { basename } from 'node:path';
import type { ImportSource } from '#core/jobs/source.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { JsonObject } from '#core/model/json.js';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import type { Proposal } from '#data/bulk/inspect/propose.js';
import { prepareImport } from '#data/bulk/prepare.js';
import { readAllRows } from '#data/bulk/rows/spooled-rows.js';
import { fileOf, temporaryFolder } from '../support.js';

export async function proposalOf(path: string, { where, meanings = {} }: Partial<Asked> = {}): Promise<Proposal> {
  const file = basename(path);
  const source: ImportSource = { file, ...(where === undefined ? {} : { where }) };
  return (await inspectTable({ path, file }, source, new AbortController().signal, { meanings })).inspection.proposal;
}

/** A list with what its reader says of it. */
interface Asked {
  readonly file: string;
  readonly meanings: GivenMeanings;
  readonly where?: ImportSource['where'];
}

/** The proposal for a list of these lines, and its rows as the service gets them. */
export async function proposedFor(asked: string | Asked, ...lines: readonly string[]) {
  const { file, ...options } = typeof asked === 'string' ? { file: asked } : asked;
  const path = await fileOf(file, `${lines.join('\n')}\n`);
  const proposal = await proposalOf(path, options);
  const rows = (resource: string) => linesOf(path, proposal.manifests, resource);
  return {
    ...proposal,
    said: proposal.remarks.join('\n'),
    items: () => rows('ITEM_SPECS'),
    bom: () => rows('ITEM_BOM'),
    sources: () => rows('ITEM_SOURCING'),
  };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly source: ImportSource; readonly repeated?: 'sum' | 'once' } & ImportDefinitionSpec;
}

/** Rows as a resource gets them, by field. */
export async function linesOf(path: string, proposed: readonly JsonObject[], resource: string) {
  const manifests = proposed as unknown as readonly Manifest[];
  const found: Record<string, string>[] = [];
  for (const { metadata, spec: definition } of manifests.filter(({ spec }) => spec.resource === resource)) {
    const job = manifests.find(({ kind, metadata: { name } }) => kind === 'Import' && name === metadata.name);
    if (job === undefined) continue;
    const { source, repeated = 'error' } = job.spec;
    const prepared = await prepareImport({ path, source, definition, repeated, folder: await temporaryFolder() });
    const fields = prepared.columns.map((one) => one.fields[0] ?? one.header);
    for await (const { cells } of readAllRows(prepared))
      found.push(Object.fromEntries(cells.map((cell, index) => [fields[index] ?? '', cell])));
  }
  return found;
}
