import { type Alias, LineCounter, parseAllDocuments, visit, type Document as YamlDocument } from 'yaml';
import type { Diagnostic, Origin } from '../diagnostics.js';
import type { Document, Origins } from '../model/document.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import { offsetOf, originsOf } from './origins.js';

export interface Parsed {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A reader that follows aliases gives up here: a few nested ones can stand for gigabytes. */
const MOST_ALIASES = 100;

/** YAML text as documents that know where each of their values stands. Empty documents are left out. */
export function parseYaml(text: string, file: string, layer = 'base'): Parsed {
  const lines = new LineCounter();
  const at = (offset: number): Origin => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, layer };
  };
  let tree: YamlDocument.Parsed[] | undefined;
  const again = (index: number): YamlDocument.Parsed => {
    tree ??= parsed(text);
    return tree[index] as YamlDocument.Parsed;
  };
  const documents: Document[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, document] of parsed(text, lines).entries()) {
    const origins = originsOf(document.range[0], () => again(index), at);
    const read = toDocument(document, origins, at);
    if ('severity' in read) diagnostics.push(read);
    else if (read.value !== null) documents.push(read);
  }
  return { documents, diagnostics };
}

const parsed = (text: string, lineCounter?: LineCounter): YamlDocument.Parsed[] =>
  [
    parseAllDocuments(text, { prettyErrors: false, ...(lineCounter === undefined ? {} : { lineCounter }) }),
  ].flat() as YamlDocument.Parsed[];

/** Of several syntax errors the first counts: the others mostly follow from it. */
function toDocument(
  document: YamlDocument.Parsed,
  origins: Origins,
  at: (offset: number) => Origin,
): Document | Diagnostic {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) return syntax(problem.message.split('\n', 1).join(), at(problem.pos[0]));
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    const forbidden = forbiddenKey(value);
    if (forbidden === undefined) return { value, origins };
    const message = 'The key "__proto__" is not allowed in a manifest.';
    return { severity: 'error', code: 'key-forbidden', message, origin: origins.key(forbidden) };
  } catch {
    return aliasFinding(document, at);
  }
}

const syntax = (problem: string, origin: Origin): Diagnostic => ({
  severity: 'error',
  code: 'yaml-syntax',
  message: `This is not valid YAML: ${problem.replace(/\.$/, '')}.`,
  origin,
});

/** Only aliases keep a document without syntax errors from being read: one that leads nowhere, or too many. */
function aliasFinding(document: YamlDocument.Parsed, at: (offset: number) => Origin): Diagnostic {
  let dangling: Alias | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) === undefined) dangling ??= alias;
    },
  });
  if (dangling !== undefined)
    return syntax(`there is no anchor "${dangling.source}"`, at(offsetOf(dangling, document.range[0])));
  const message = `The aliases of this document expand to more than ${MOST_ALIASES} times their anchors; it is not read.`;
  return { severity: 'error', code: 'alias-bomb', message, origin: at(document.range[0]) };
}

/** A `__proto__` key would reach into the program's own objects wherever a value is copied. */
function forbiddenKey(value: unknown, pointer: Pointer = ''): Pointer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, entry] of Object.entries(value)) {
    const here = pointerTo(pointer, key);
    const found = key === '__proto__' ? here : forbiddenKey(entry, here);
    if (found !== undefined) return found;
  }
  return undefined;
}
