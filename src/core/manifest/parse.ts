import { type Alias, LineCounter, parseAllDocuments, visit, type Document as YamlDocument } from 'yaml';
import type { Diagnostic, Origin } from '#base/diagnostics.js';
import type { Document, Origins } from '../model/document.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import { ParsedOrigins, startOffset, type Trees } from './origins.js';
import { parsePlain } from './parse-plain.js';

/** The usable documents, and one diagnostic for each of the others. */
export interface ParsedYaml {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The limit for expanding aliases: a few nested ones can expand to gigabytes. */
const MOST_ALIASES = 100;
/** No manifest needs more levels; later walks over a value may recurse once for each level. */
const MOST_LEVELS = 100;
/** Nested openings that would overflow the parser's stack, and so end the process. */
const PILE = /(?:[[{]\s*|[-?]\s+){500}/;

/** Parses YAML text into documents that know the position of each value. Leaves out empty documents. */
export function parseYaml(text: string, file: string, layer = 'base'): ParsedYaml {
  const pile = PILE.exec(text);
  if (pile !== null) return { documents: [], diagnostics: [tooDeep(endOf(text.slice(0, pile.index), file, layer))] };
  let parsed: Trees | undefined;
  const trees = (): Trees => {
    parsed ??= parseTrees(text, file, layer);
    return parsed;
  };
  return plainDocuments(text, { file, layer }, trees) ?? allDocuments(text, { file, layer }, trees);
}

type Place = Pick<Origin, 'file' | 'layer'>;

/** Parses with the fast parser; undefined if the other one must read the text, or must explain its errors. */
function plainDocuments(text: string, { file, layer }: Place, trees: () => Trees): ParsedYaml | undefined {
  const found = parsePlain(text);
  if (found === undefined || found.some(({ value }) => problemIn(value) !== undefined)) return undefined;
  const documents = found.map(({ value, offset, line, column }) => {
    return { value, origins: new ParsedOrigins(offset, { file, line, column, layer }, trees) };
  });
  return { documents, diagnostics: [] };
}

function allDocuments(text: string, { file, layer }: Place, trees: () => Trees): ParsedYaml {
  const documents: Document[] = [];
  const diagnostics: Diagnostic[] = [];
  // The tree is not kept: it takes much memory, and positions are needed only for errors, which are rare.
  const { all, originAt } = parseTrees(text, file, layer);
  for (const document of all) {
    const begin = document.range[0];
    const read = toDocument(document, new ParsedOrigins(begin, originAt(begin), trees), originAt);
    if ('severity' in read) diagnostics.push(read);
    else if (read.value !== null) documents.push(read);
  }
  return { documents, diagnostics };
}

/** The position where an unparsed text ends. */
function endOf(before: string, file: string, layer: string): Origin {
  const lines = before.split('\n');
  return { file, line: lines.length, column: before.length - before.lastIndexOf('\n'), layer };
}

const tooDeep = (origin: Origin): Diagnostic => ({
  severity: 'error',
  code: 'nesting',
  message: `This document is nested more than ${MOST_LEVELS} levels deep; it is not read.`,
  origin,
});

function parseTrees(text: string, file: string, layer: string): Trees & { readonly all: YamlDocument.Parsed[] } {
  const lineCounter = new LineCounter();
  const all = [parseAllDocuments(text, { prettyErrors: false, lineCounter })].flat() as YamlDocument.Parsed[];
  return {
    all,
    documentAt: (begin) => all.find(({ range }) => range[0] === begin) as YamlDocument.Parsed,
    originAt(offset) {
      const { line, col } = lineCounter.linePos(offset);
      return { file, line, column: col, layer };
    },
  };
}

/** Reports only the first of several syntax errors: the others mostly follow from it. */
function toDocument(
  document: YamlDocument.Parsed,
  origins: Origins,
  at: (offset: number) => Origin,
): Document | Diagnostic {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem?.code === 'RESOURCE_EXHAUSTION') return tooDeep(at(document.range[0]));
  if (problem !== undefined) {
    const found = syntaxError(problem.message.split('\n', 1).join(), at(problem.pos[0]));
    return INDENTATION.has(problem.code) ? { ...found, hint: INDENTATION_HINT } : found;
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    const problem = problemIn(value);
    return problem === undefined ? { value, origins } : problemDiagnostic(problem, origins);
  } catch {
    return aliasFinding(document, at);
  }
}

/** Parser errors that mostly come from the indentation of this line or the next. */
const INDENTATION: ReadonlySet<string> = new Set(['BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'TAB_AS_INDENT']);
const INDENTATION_HINT =
  'Check the indentation of this line and the next: use spaces, and start the fields of one map in the same column.';

const syntaxError = (problem: string, origin: Origin): Diagnostic => ({
  severity: 'error',
  code: 'yaml-syntax',
  message: `This is not valid YAML: ${problem.replace(/\.$/, '')}.`,
  origin,
});

/** Explains why a document without syntax errors is unreadable: an alias without an anchor, or too many aliases. */
function aliasFinding(document: YamlDocument.Parsed, at: (offset: number) => Origin): Diagnostic {
  let dangling: Alias | undefined;
  const anchors = new Set<string>();
  // An alias refers to an earlier anchor. Uses one pass: resolving each alias would search the document again.
  visit(document, {
    Alias(_, alias) {
      if (!anchors.has(alias.source)) dangling ??= alias;
    },
    Value(_, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  if (dangling !== undefined)
    return syntaxError(`there is no anchor "${dangling.source}"`, at(startOffset(dangling, document.range[0])));
  const message = `This document's aliases expand to more than ${MOST_ALIASES} times their anchors; it is not read.`;
  return { severity: 'error', code: 'alias-bomb', message, origin: at(document.range[0]) };
}

interface Problem {
  readonly is: 'forbidden' | 'merge' | 'circle' | 'deep';
  readonly at: Pointer;
}

/** Finds a part of a value that cannot be used. Copying a `__proto__` key would change the program's own objects. */
function problemIn(value: unknown, at: Pointer = '', above: unknown[] = []): Problem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.length === MOST_LEVELS) return { is: above.includes(value) ? 'circle' : 'deep', at: '' };
  above.push(value);
  for (const [key, entry] of Object.entries(value)) {
    const here = pointerTo(at, key);
    if (key === '__proto__') return { is: 'forbidden', at: here };
    if (key === '<<') return { is: 'merge', at: here };
    const found = problemIn(entry, here, above);
    if (found !== undefined) return found;
  }
  above.pop();
  return undefined;
}

function problemDiagnostic({ is, at }: Problem, origins: Origins): Diagnostic {
  const origin = origins.key(at);
  switch (is) {
    case 'forbidden':
      return keyError('key-forbidden', 'The key "__proto__" is not allowed in a manifest.', origin);
    case 'merge':
      return {
        ...keyError('merge-key', 'YAML merge keys ("<<") are not supported.', origin),
        hint: 'Write the fields out.',
      };
    case 'circle':
      return keyError(
        'alias-circle',
        'An anchor in this document contains an alias of itself; the document is not read.',
        origin,
      );
    case 'deep':
      return tooDeep(origin);
  }
}

const keyError = (code: string, message: string, origin: Origin): Diagnostic => ({
  severity: 'error',
  code,
  message,
  origin,
});
