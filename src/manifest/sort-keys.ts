import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { manifestTypeNamed } from '../catalog.js';
import type { SchemaNode } from '../model/fields.js';
import { envelope } from './envelope.js';

const ENVELOPE = ['apiVersion', 'kind', 'metadata', 'spec'];

/** Puts the keys of a manifest into the order of its schema; keys that no schema knows come last, as they stand. */
export function sortManifest(node: unknown): void {
  if (!isMap(node) || !node.has('apiVersion')) return;
  sortMap(node, ENVELOPE);
  sortBySchema(node.get('metadata', true), envelope.properties.metadata as SchemaNode);
  const type = manifestTypeNamed(String(node.get('kind')));
  sortBySchema(node.get('spec', true), type?.schema as SchemaNode | undefined);
}

function sortBySchema(node: unknown, schema: SchemaNode | undefined): void {
  if (isSeq(node)) for (const item of node.items) sortBySchema(item, schema?.items);
  if (!isMap(node) || schema?.properties === undefined) return;
  sortMap(node, Object.keys(schema.properties));
  for (const pair of node.items) sortBySchema(pair.value, schema.properties[keyOf(pair)]);
}

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '');

function sortMap(map: YAMLMap, order: readonly string[]): void {
  const rank = (pair: Pair): number => {
    const place = order.indexOf(keyOf(pair));
    return place < 0 ? order.length : place;
  };
  const [before] = map.items;
  map.items.sort((a, b) => rank(a) - rank(b));
  const [after] = map.items;
  if (before !== undefined && after !== undefined && before !== after) exchangeLeads(map, before, after);
}

/** What stands above the first key belongs to the map; where another key becomes the first, it goes along with its key. */
function exchangeLeads(map: YAMLMap, before: Pair, after: Pair): void {
  const [old, first] = [before.key as Node, after.key as Node];
  if (map.commentBefore) old.commentBefore = map.commentBefore;
  map.commentBefore = null;
  old.spaceBefore = first.spaceBefore === true;
  first.spaceBefore = false;
}
