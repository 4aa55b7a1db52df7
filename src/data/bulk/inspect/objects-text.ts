import { Document, isMap, isSeq } from 'yaml';
import { FOR_EACH } from '#core/manifest/for-each.js';
import type { JsonObject } from '#core/model/json.js';
import { oneLine } from './comment-line.js';
import type { ObjectsDraft } from './draft.js';

/** Builds the manifest of a draft. */
export const objectsManifest = ({ of, source, metadata, spec }: ObjectsDraft): JsonObject => ({
  ...{ apiVersion: 'dexsync/v1', kind: of, [FOR_EACH]: source as unknown as JsonObject, metadata, spec },
});

const WIDEST = 4;

/** Writes the manifest of a draft; what is left to people stands as comments below its spec. */
export function objectsText(draft: ObjectsDraft): string {
  const document = new Document(objectsManifest(draft));
  for (const key of [FOR_EACH, 'metadata']) {
    const map = document.get(key);
    if (isMap(map) && JSON.stringify(map).length < 100) map.flow = true;
  }
  const spec = document.get('spec');
  if (!isMap(spec)) return document.toString({ lineWidth: 0 });
  for (const { value } of spec.items) {
    if (!isSeq(value)) continue;
    for (const entry of value.items) if (isMap(entry) && entry.items.length < WIDEST) entry.flow = true;
  }
  if (draft.open.length > 0) spec.comment = draft.open.map((line) => ` ${oneLine(line)}`).join('\n');
  return document.toString({ lineWidth: 0 });
}
