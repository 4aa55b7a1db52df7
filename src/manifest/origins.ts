import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair, type Document as YamlDocument } from 'yaml';
import type { Origin } from '../diagnostics.js';
import type { Origins } from '../model/document.js';
import { type Pointer, pointerKeys } from '../model/pointer.js';

/** Positions are looked up when a message needs them, not before: most values of most files never do. */
export function originsOf(document: YamlDocument.Parsed, at: (offset: number) => Origin): Origins {
  const start = document.range[0];
  const positionOf = (node: unknown): number | undefined => (node as Node | null)?.range?.[0] ?? undefined;
  const path = (pointer: Pointer): Trail => follow(document, pointerKeys(pointer));
  return {
    value(pointer) {
      const { node, key } = path(pointer);
      return at(positionOf(node) ?? positionOf(key) ?? start);
    },
    key(pointer) {
      const { node, key } = path(pointer);
      return at(positionOf(key) ?? positionOf(node) ?? start);
    },
  };
}

interface Trail {
  node: unknown;
  /** The key node through which the last step went, in a map. */
  key: unknown;
}

function follow(document: YamlDocument.Parsed, keys: readonly string[]): Trail {
  let trail: Trail = { node: document.contents, key: undefined };
  for (const key of keys) {
    const next = step(resolveAlias(trail.node, document), key);
    if (next === undefined) break;
    trail = next;
  }
  return trail;
}

const resolveAlias = (node: unknown, document: YamlDocument.Parsed): unknown =>
  isAlias(node) ? node.resolve(document) : node;

function step(node: unknown, key: string): Trail | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(key)];
    return item === undefined ? undefined : { node: item, key: undefined };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => isPair(item) && nameOf(item) === key);
  return pair === undefined ? undefined : { node: pair.value ?? pair.key, key: pair.key };
}

const nameOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);
