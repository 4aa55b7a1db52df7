import { parseAllDocuments, type Range, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Catalog } from '../catalog.js';
import { sortManifest } from './sort-keys.js';
import { withSourceText } from './written-scalar.js';

/** The order of keys: that of a catalog's schemas, or that of the source. */
export type KeyOrder = Catalog | 'source';

/** Formats a document; no lines if unreadable. Scalars stay as written; multi-line flow collections become blocks. */
export function formatBody(text: string, keys: KeyOrder): string[] {
  const [document] = [parseAllDocuments(text, { keepSourceTokens: true, customTags: withSourceText })].flat();
  if (document === undefined || document.errors.length > 0) return [];
  const shape = (node: YAMLMap | YAMLSeq, padding: string): void => {
    const [from, to] = node.range as Range;
    if (text.slice(from, to).includes('\n')) node.flow = false;
    setPadding(node, padding);
  };
  visit(document, { Map: (_, map) => shape(map, ' '), Seq: (_, list) => shape(list, '') });
  if (keys !== 'source') sortManifest(document.contents, keys);
  const lines = document.toString({ lineWidth: 0, verifyAliasOrder: false }).split('\n');
  return lines.slice(0, -1);
}

/** Pads flow collections as `{ a: b }` and `[a, b]`; the library has only one padding for both. */
export function setPadding(node: YAMLMap | YAMLSeq, padding: string): void {
  const own = node.toString.bind(node);
  node.toString = (context, ...rest) => own(context && { ...context, flowCollectionPadding: padding }, ...rest);
}
