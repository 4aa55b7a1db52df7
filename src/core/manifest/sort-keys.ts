import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Catalog } from '../catalog.js';
import type { SchemaNode } from '../model/fields.js';
import { envelope } from './envelope.js';
import { FOR_EACH } from './for-each.js';

const ENVELOPE_KEYS = ['apiVersion', 'kind', FOR_EACH, 'metadata', 'spec'];

/** Sorts the keys of a manifest into the order of its schema; unknown keys come last, in their order. */
export function sortManifest(node: unknown, { manifestTypeNamed }: Catalog): void {
  if (!isMap(node) || !node.has('apiVersion')) return;
  sortMap(node, ENVELOPE_KEYS, 'of the first key');
  sortBySchema(node.get('metadata', true), envelope.properties.metadata as SchemaNode);
  const type = manifestTypeNamed(String(node.get('kind')));
  sortBySchema(node.get('spec', true), type?.schema as SchemaNode | undefined);
}

/** The owner of a comment above a map: the map if it is an entry of a list, otherwise its first key. */
type Lead = 'of the map' | 'of the first key';

function sortBySchema(node: unknown, schema: SchemaNode | undefined, lead: Lead = 'of the first key'): void {
  if (isSeq(node)) for (const item of node.items) sortBySchema(item, schema?.items, 'of the map');
  if (!isMap(node) || schema?.properties === undefined) return;
  sortMap(node, Object.keys(schema.properties), node.flow === true ? 'of the map' : lead);
  for (const pair of node.items) sortBySchema(pair.value, schema.properties[keyText(pair)]);
}

const keyText = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '');

function sortMap(map: YAMLMap, order: readonly string[], lead: Lead): void {
  const rank = (pair: Pair): number => {
    const place = order.indexOf(keyText(pair));
    return place < 0 ? order.length : place;
  };
  const [before] = map.items;
  map.items.sort((a, b) => rank(a) - rank(b));
  const [after] = map.items;
  if (before !== undefined && after !== undefined && before !== after) exchangeLeads(map, [before, after], lead);
}

/** If another key becomes the first, moves the comment along with the old one; the blank line stays in place. */
function exchangeLeads(map: YAMLMap, [before, after]: readonly [Pair, Pair], lead: Lead): void {
  const [old, first] = [before.key as Node, after.key as Node];
  if (lead === 'of the first key') {
    old.commentBefore = map.commentBefore ?? null;
    map.commentBefore = null;
  }
  old.spaceBefore = first.spaceBefore === true;
  first.spaceBefore = false;
}
