import { Lexer } from 'yaml';
import { type Diagnostic, hasErrors, withHint } from '#base/diagnostics.js';
import type { Catalog } from '../catalog.js';
import { type Json, sameJson } from '../model/json.js';
import { formatBody, type KeyOrder } from './format-body.js';
import { parseYaml } from './parse.js';

/** The formatted text, or the reason why it stays unchanged: `left` if that is not an error. */
export type FormatOutcome =
  | { readonly text: string }
  | { readonly left: string }
  | { readonly diagnostics: readonly Diagnostic[] };

/**
 * Formats a manifest file: keys in the order of their schema, two spaces, one final newline. Comments, anchors, blank
 * lines and the notation of each value survive. The meaning never changes: if sorting the keys would change it, their
 * order is kept, and if formatting would change it anyway, the file stays as it is.
 */
export function formatYaml(text: string, file: string, catalog: Catalog): FormatOutcome {
  const { diagnostics } = parseYaml(text, file);
  if (hasErrors(diagnostics)) return { diagnostics };
  if (/^%/m.test(text)) return { left: 'a %-directive changes how everything after it is read' };
  if (/^(---|\.\.\.)[ \t]+(---|\.\.\.)/m.test(text)) return { left: 'a marker after a marker is text' };
  const parts = partsOf(text);
  const bodies = parts.map(({ lines }, index) =>
    formatPart(lines, { first: index === 0, last: index === parts.length - 1 }, catalog),
  );
  const made = parts.flatMap(({ marker }, index) => [
    ...(marker === undefined ? [] : [marker]),
    ...(bodies[index] ?? []),
  ]);
  const failed = bodies.indexOf(undefined);
  if (failed < 0 && sameContent(text, joinLines(made))) return { text: joinLines(made) };
  const { line } = parts.at(failed) as Part;
  return { diagnostics: [unsafeDocument(file, line)] };
}

/** Formats a text, or returns it unchanged if it cannot be formatted. */
export function formatIfPossible(text: string, catalog: Catalog): string {
  const formatted = formatYaml(text, '', catalog);
  return 'text' in formatted ? formatted.text : text;
}

const unsafeDocument = (file: string, line: number): Diagnostic =>
  withHint(
    {
      severity: 'error' as const,
      code: 'format-unsafe',
      message:
        'This document cannot be formatted without losing a comment or changing its meaning; it is left unchanged.',
      origin: { file, line, column: 1, layer: 'base' },
    },
    'The usual causes are comments in flow collections and explicit keys: write them as block YAML.',
  );

/** A document, or the text before the first one, with the line that begins it. */
interface Part {
  readonly marker?: string;
  readonly lines: readonly string[];
  /** The line where the part begins, from 1. */
  readonly line: number;
}

/** A line that begins with `---` or `...` is always a marker; no value can contain one. */
function partsOf(text: string): Part[] {
  const all = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const starts = all.flatMap((line, index) => (/^(---|\.\.\.)(?=\s|$)/.test(line) ? [index] : []));
  const ends = [...starts, all.length];
  const before = { lines: all.slice(0, ends[0]), line: 1 };
  return [before, ...starts.map((start, index) => partAt(start, all.slice(start, ends[index + 1])))];
}

function partAt(start: number, [head = '', ...lines]: readonly string[]): Part {
  const marker = head.slice(0, '---'.length);
  const rest = head.slice(marker.length).trim();
  if (rest === '') return { marker, lines, line: start + 1 };
  if (rest.startsWith('#')) return { marker: `${marker} ${rest}`, lines, line: start + 1 };
  return { marker, lines: [rest, ...lines], line: start + 1 };
}

interface PartPlace {
  readonly first: boolean;
  readonly last: boolean;
}

interface Style {
  readonly keys: KeyOrder;
  /** Whether comments and blank lines around the document are set aside, or read as part of it. */
  readonly ends: 'aside' | 'inside';
}

/** From the best to the safest. */
const stylesBy = (catalog: Catalog): readonly Style[] => [
  { keys: catalog, ends: 'aside' },
  { keys: 'source', ends: 'aside' },
  { keys: 'source', ends: 'inside' },
];

function formatPart(lines: readonly string[], place: PartPlace, catalog: Catalog): readonly string[] | undefined {
  const before = joinLines(lines);
  for (const style of stylesBy(catalog)) {
    const once = formatLines(lines, style, place);
    if (joinLines(once) === before) return once;
    // A second pass settles comments that the first one moved.
    const made = formatLines(once, style, place);
    if (sameContent(before, joinLines(made))) return made;
  }
  return undefined;
}

function formatLines(lines: readonly string[], { keys, ends }: Style, { first, last }: PartPlace): string[] {
  if (ends === 'inside') return formatBody(joinLines(lines), keys);
  const begin = lines.findIndex((line) => !/^\s*(#|$)/.test(line));
  if (begin < 0) return tidyLines(lines, { first, last });
  const end = lines.findLastIndex((line) => !/^(#|\s*$)/.test(line)) + 1;
  return [
    ...tidyLines(lines.slice(0, begin), { first, last: false }),
    ...formatBody(joinLines(lines.slice(begin, end)), keys),
    ...tidyLines(lines.slice(end), { first: false, last }),
  ];
}

/** Tidies comments and blank lines: at most one blank line in a row, none at the beginning or the end of the file. */
function tidyLines(lines: readonly string[], { first, last }: PartPlace): string[] {
  const trimmed = lines.map(trimBlanks);
  const single = trimmed.filter((line, index) => line !== '' || trimmed[index - 1] !== '');
  const from = first && single[0] === '' ? 1 : 0;
  const to = last && single.at(-1) === '' ? single.length - 1 : single.length;
  return single.slice(from, Math.max(from, to));
}

/** White space other than blanks and tabs is text. */
const trimBlanks = (line: string): string => line.replaceAll(/^[ \t]+|[ \t]+$/g, '');

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

interface Content {
  readonly values: readonly Json[];
  readonly problems: number;
  readonly comments: readonly string[];
}

/** The content that formatting must keep: values, and the text of each comment. */
function contentOf(text: string): Content {
  const { documents, diagnostics } = parseYaml(text, '');
  const comments = [...new Lexer().lex(text)].filter((token) => token.startsWith('#')).map(trimBlanks);
  return {
    values: documents.map(({ value }) => value as Json),
    problems: diagnostics.length,
    comments: comments.sort(),
  };
}

const sameContent = (a: string, b: string): boolean => a === b || sameJson({ ...contentOf(a) }, { ...contentOf(b) });
