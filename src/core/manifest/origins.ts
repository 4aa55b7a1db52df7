import { isAlias, isMap, isSeq, type Node, type Pair, type Scalar, type Document as YamlDocument } from 'yaml';
import type { Origin } from '#base/diagnostics.js';
import type { Origins } from '../model/document.js';
import { type Pointer, pointerKeys } from '../model/pointer.js';

/** The parsed tree of a file, which has the positions of its documents. */
export interface Trees {
  /** The document that begins at an offset. */
  documentAt(begin: number): YamlDocument.Parsed;
  originAt(offset: number): Origin;
}

/**
 * Positions of a document's values. Most are never needed, so its tree is not kept: `trees` parses the file once more
 * when a message needs one. A class, since each manifest keeps one.
 */
export class ParsedOrigins implements Origins {
  readonly start: Origin;
  readonly #begin: number;
  readonly #trees: () => Trees;

  constructor(begin: number, start: Origin, trees: () => Trees) {
    this.start = start;
    this.#begin = begin;
    this.#trees = trees;
  }

  value(pointer: Pointer): Origin {
    const { node, key } = this.#trail(pointer);
    return this.#trees().originAt(startOffset(node, startOffset(key, this.#begin)));
  }

  key(pointer: Pointer): Origin {
    const { node, key } = this.#trail(pointer);
    return this.#trees().originAt(startOffset(key, startOffset(node, this.#begin)));
  }

  filledBy(): undefined {
    return undefined;
  }

  #trail(pointer: Pointer): Trail {
    return follow(this.#trees().documentAt(this.#begin), pointerKeys(pointer));
  }
}

/** The offset where a node begins; `otherwise` for empty values, which are not nodes. */
export const startOffset = (node: unknown, otherwise: number): number =>
  (node as Node | null | undefined)?.range?.[0] ?? otherwise;

interface Trail {
  node: unknown;
  /** The key node of the last step, in a map. */
  key: unknown;
}

function follow(document: YamlDocument.Parsed, keys: readonly string[]): Trail {
  let trail: Trail = { node: document.contents, key: undefined };
  for (const key of keys) {
    const next = stepInto(resolveAlias(trail.node, document), key);
    if (next === undefined) break;
    trail = next;
  }
  return trail;
}

const resolveAlias = (node: unknown, document: YamlDocument.Parsed): unknown =>
  isAlias(node) ? node.resolve(document) : node;

function stepInto(node: unknown, key: string): Trail | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(key)];
    return item === undefined ? undefined : { node: item, key: undefined };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => keyText(item) === key);
  return pair === undefined ? undefined : { node: pair.value, key: pair.key };
}

const keyText = ({ key }: Pair): string => String((key as Scalar | null)?.value);
