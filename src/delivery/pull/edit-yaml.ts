import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  parseDocument,
  type Scalar,
  stringify,
  visit,
} from 'yaml';
import { setPadding } from '#core/manifest/format-body.js';
import { withoutReferences } from '#core/manifest/interpolate.js';
import { withSourceText } from '#core/manifest/written-scalar.js';
import { isObject, type Json, type JsonObject, sameJson } from '#core/model/json.js';
import { type Pointer, pointerKeys } from '#core/model/pointer.js';
import { type Edit, editPointer } from './edits.js';

/** A YAML file, cut between its documents. */
export interface Slices {
  /** Comments before the first document. */
  readonly before: string;
  readonly documents: readonly { readonly text: string; readonly offset: number }[];
}

/** Cuts a text into documents with their comments, so that one can be edited and the others stay unchanged. */
export function sliceDocuments(text: string): Slices {
  const starts = [parseAllDocuments(text)].flat().map(({ range }) => range?.[0] ?? 0);
  return {
    before: text.slice(0, starts[0] ?? text.length),
    documents: starts.map((offset, index) => ({ text: text.slice(offset, starts[index + 1] ?? text.length), offset })),
  };
}

/** The edited text, or why there is none: an expression, or values shared through an alias or anchor, would change. */
export type EditOutcome = { readonly text: string } | { readonly left: 'expression' | 'unsafe' };

/**
 * Makes one edit at the path from the root of a document: comments, order, anchors and the style of other values stay.
 * Returns only a text that reads back as exactly the edit.
 */
export function editDocument(text: string, edit: Edit): EditOutcome {
  const keys = pointerKeys(editPointer(edit));
  const document = parseDocument(text, { keepSourceTokens: true, customTags: withSourceText });
  if (overwritesExpression(document, keys, edit)) return { left: 'expression' };
  const before = document.toJS() as Json;
  const expected = editedValue(before, keys, edit);
  for (const attempt of [spliceScalar, rewriteDocument]) {
    const made = attempt(text, keys, edit);
    if (made !== undefined && sameJson(readBack(made), expected)) return { text: made };
  }
  return { left: 'unsafe' };
}

/** Reads a document; undefined if it is not valid YAML, for example with an alias whose anchor is gone. */
function readBack(text: string): Json | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS() as Json;
  } catch {
    return undefined;
  }
}

/** `$${` is a literal `${`. */
const EXPRESSION = /(?<!\$)\$\{(var|each|row)\./;

function overwritesExpression(document: Document, keys: readonly string[], edit: Edit): boolean {
  const node = nodeAt(document, keys);
  if (edit.is !== 'entries') return holdsExpression(node);
  if (!isSeq(node)) return holdsExpression(node);
  return edit.drop.some((index) => holdsExpression(node.items[index]));
}

function holdsExpression(node: unknown): boolean {
  let found = false;
  if (isScalar(node) || isCollection(node)) {
    visit(node as Node, {
      Scalar(_, { value }) {
        if (typeof value === 'string' && EXPRESSION.test(value)) found = true;
      },
    });
  }
  return found;
}

const nodeAt = (document: Document, keys: readonly string[]): unknown => document.getIn(keys.map(indexOrKey), true);

const indexOrKey = (key: string): string | number => (/^\d+$/.test(key) ? Number(key) : key);

/** Returns the value that the document must have after the edit. */
function editedValue(value: Json, [key = '', ...rest]: readonly string[], edit: Edit): Json {
  if (Array.isArray(value))
    return value.map((entry: Json, index) => (index === Number(key) ? step(entry, rest, edit) : entry));
  const object = (isObject(value) ? value : {}) as JsonObject;
  if (rest.length === 0 && edit.is === 'remove') {
    const { [key]: _, ...others } = object;
    return others;
  }
  return { ...object, [key]: step(object[key] ?? null, rest, edit) };
}

function step(value: Json, rest: readonly string[], edit: Edit): Json {
  if (rest.length > 0) return editedValue(value, rest, edit);
  if (edit.is === 'set') return withoutReferences(edit.value);
  if (edit.is === 'remove') return null;
  const list = Array.isArray(value) ? (value as readonly Json[]) : [];
  return [...list.filter((_, index) => !edit.drop.includes(index)), ...edit.add.map(withoutReferences)];
}

/** Replaces a plain or quoted value in place; the rest of the text does not move. */
function spliceScalar(text: string, keys: readonly string[], edit: Edit): string | undefined {
  if (edit.is !== 'set' || typeof edit.value === 'object') return undefined;
  const node = nodeAt(parseDocument(text), keys);
  if (!isScalar(node) || !node.range || node.type?.startsWith('BLOCK') === true) return undefined;
  const [from, to] = node.range;
  if (text.slice(from, to).includes('\n')) return undefined;
  return `${text.slice(0, from)}${scalarText(withoutReferences(edit.value), node)}${text.slice(to)}`;
}

function scalarText(value: Json, { type, value: old }: Scalar): string {
  const style = typeof value === 'string' && typeof old === 'string' && type !== undefined ? type : 'PLAIN';
  return stringify(value, {
    lineWidth: 0,
    defaultStringType: style as 'PLAIN',
    singleQuote: style === 'QUOTE_SINGLE',
  }).trimEnd();
}

/** Edits the tree of the document; everything else is written as in the source. */
function rewriteDocument(text: string, keys: readonly string[], edit: Edit): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: true, customTags: withSourceText });
  if (document.errors.length > 0 || passesAlias(document, keys)) return undefined;
  const path = keys.map(indexOrKey);
  const node = document.getIn(path, true);
  if (edit.is === 'remove') document.deleteIn(path);
  else if (edit.is === 'set') document.setIn(path, replacement(document, node, edit.value));
  else if (isSeq(node)) {
    for (const index of [...edit.drop].sort((a, b) => b - a)) node.items.splice(index, 1);
    for (const entry of edit.add) node.items.push(entryLike(document, node.items.at(-1), entry));
    if (node.items.length === 0) node.flow = true;
  } else return undefined;
  visit(document, { Map: (_, map) => setPadding(map, ' '), Seq: (_, list) => setPadding(list, '') });
  const written = document.toString({
    lineWidth: 0,
    verifyAliasOrder: false,
    indent: /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2,
    indentSeq: !/^( *)[^\s#-][^\n]*:[ ]*\n\1- /m.test(text),
  });
  return text.endsWith('\n') ? written : written.replace(/\n$/, '');
}

/** Creates an entry in the style of the one before it: in braces or as a block. */
function entryLike(document: Document, before: unknown, entry: Json): Node {
  const node = document.createNode(withoutReferences(entry)) as Node;
  if (isMap(before) && isMap(node)) node.flow = before.flow === true;
  return node;
}

function replacement(document: Document, old: unknown, value: Json): Node {
  const node = document.createNode(withoutReferences(value)) as Node;
  if ((isMap(old) || isSeq(old)) && (isMap(node) || isSeq(node))) node.flow = old.flow === true;
  if (isScalar(old) || isCollection(old)) {
    node.comment = old.comment ?? null;
    node.commentBefore = old.commentBefore ?? null;
    node.spaceBefore = old.spaceBefore === true;
  }
  return node;
}

/** Whether a value is reached through an alias: it is defined somewhere else, and other places use it too. */
function passesAlias(document: Document, keys: readonly string[]): boolean {
  return keys.slice(0, -1).some((_, index) => isAlias(document.getIn(keys.slice(0, index + 1).map(indexOrKey), true)));
}

/** Returns the offset of a value from the start of a document; undefined if the value is not there itself. */
export function offsetAt(text: string, pointer: Pointer): number | undefined {
  const node = nodeAt(parseDocument(text), pointerKeys(pointer));
  return isScalar(node) || isCollection(node) || isAlias(node) ? node.range?.[0] : undefined;
}
