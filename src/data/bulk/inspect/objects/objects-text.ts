import { Document, isMap, isSeq } from 'yaml';
import { FOR_EACH } from '#core/manifest/for-each.js';
import type { JsonObject } from '#core/model/json.js';
import { oneLine } from '../comment-line.js';
import type { ObjectsDraft } from '../draft.js';

/** Builds the manifest of a draft. */
export const objectsManifest = ({ of, source, metadata, spec }: ObjectsDraft): JsonObject => ({
  ...{ apiVersion: 'dexsync/v1', kind: of, [FOR_EACH]: source as unknown as JsonObject, metadata, spec },
});

/** Writes the manifest of a draft; what is left to people stands as comments below its spec. */
export function objectsText(draft: ObjectsDraft): string {
  const document = new Document(objectsManifest(draft));
  setFlow(document.get('metadata'));
  if (!setFlow(document.get(FOR_EACH))) for (const value of valuesOf(document.get(FOR_EACH))) setFlow(value);
  const spec = document.get('spec');
  for (const list of valuesOf(spec)) if (isSeq(list)) for (const entry of list.items) if (isMap(entry)) setFlow(entry);
  if (isMap(spec) && draft.open.length > 0) spec.comment = draft.open.map((line) => ` ${oneLine(line)}`).join('\n');
  return document.toString({ lineWidth: 0 });
}

const valuesOf = (map: unknown): unknown[] => (isMap(map) ? map.items.map(({ value }) => value) : []);

const WIDTH = 100;

/** Puts a short map or list on one line. Returns whether it is on one. */
function setFlow(node: unknown): boolean {
  if (!isMap(node) && !isSeq(node)) return true;
  node.flow = JSON.stringify(node).length < WIDTH;
  return node.flow;
}
