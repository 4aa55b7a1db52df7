import { FAILSAFE_SCHEMA, load, Type } from 'js-yaml';

/** A document and its beginning: an offset into the text, and a line and column from 1. */
export interface PlainDocument {
  readonly value: unknown;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/**
 * Parses a text that uses only the YAML of nearly all manifests, ten times as fast as the parser that keeps positions.
 * Returns undefined if that one must decide: for invalid text, and where the two parsers may disagree. Leaves out empty
 * documents.
 */
export function parsePlain(text: string): readonly PlainDocument[] | undefined {
  if (UNUSUAL.test(text) || text.split('\n').some(isUnclear)) return undefined;
  const documents: PlainDocument[] = [];
  try {
    for (const { source, ...place } of split(text)) {
      const value = compact(load(source, { schema: CORE }), source);
      if (value !== null && value !== undefined) documents.push({ value, ...place });
    }
  } catch {
    return undefined;
  }
  return documents;
}

/**
 * Copies a value into a third of the memory: the parser's texts keep their whole document, and its lists have spare
 * room. Keeps the value if it may have a number that JSON lacks: a `null` may be one, and a zero.
 */
function compact(value: unknown, source: string): unknown {
  if (MINUS_ZERO.test(source)) return value;
  const text = JSON.stringify(value);
  return text === undefined || text.includes('null') ? value : JSON.parse(text);
}

/** Matches minus zero, and negative numbers so small that they become it. */
const MINUS_ZERO = /-(?:[.0]|\d[\d.]*e-)/i;

/**
 * Matches text that is left to the other parser: tabs, lone carriage returns, non-text characters; directives, document
 * ends, and text after a `---` on its line; anchors, aliases, tags; keys written with `?`, and empty or null keys;
 * block texts with a number or a `+`, and items that begin on the next line; comments right after a quote or a bracket,
 * and lists and objects as keys; colons right before a bracket or comma, null alone between commas, and block texts
 * that are not the value of a key.
 */
const UNUSUAL = new RegExp(
  [
    '\\t|\\r(?!\\n)|[^\\n\\r -~\\u00a0-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\ud800-\\udfff]|[\\u2028\\u2029]',
    '^(?:%|\\.\\.\\.|---[^\\r\\n])',
    '(?:^|[\\s[{,:-])(?:[&*]\\S|!)',
    '(?:^|[\\s[{,:-])\\?(?:\\s|$)',
    '(?:^|[\\s[{,?-])(?:~|[Nn]ull|NULL)?\\s*:(?:\\s|$)',
    '[|>](?:\\+|-?\\d)',
    '(?:^|\\s)- *(?:#.*)?\\r?$',
    '["\'\\]}]#|[\\]}]\\s*:',
    ':[,[\\]{}]|^\\s*[|>]|[{,]\\s*(?:~|[Nn]ull|NULL)\\s*[,}]',
  ].join('|'),
  'm',
);

/**
 * Whether a line may end with open quotes or brackets, which makes the indentation of the next line unclear, or whether
 * its braces contain a key that only one of the parsers accepts.
 */
function isUnclear(line: string): boolean {
  if (!OPENING.test(line) || COMMENT.test(line)) return false;
  // An apostrophe within a word opens nothing.
  const outside = line.replaceAll(/"[^"]*"|'[^']*'|\w'/g, '');
  return /["']/.test(outside) || depth(line) !== 0 || depth(outside) !== 0 || hasBareKey(outside);
}

/** Whether braces contain a list or an object that is neither a value nor visibly a key. */
function hasBareKey(line: string): boolean {
  if (!/[{,]\s*[{[]/.test(line)) return false;
  const open: string[] = [];
  let before = '';
  for (const [sign] of line.matchAll(/[[\]{},]|[^\s[\]{},]+/g)) {
    if (sign === '{' || sign === '[') {
      if (open.at(-1) === '{' && (before === '{' || before === ',')) return true;
      open.push(sign);
    } else if (sign === '}' || sign === ']') open.pop();
    before = sign;
  }
  return false;
}

const COMMENT = /^\s*#/;
const OPENING = /["'[\]{}]/;

const depth = (text: string): number => text.split(/[[{]/).length - text.split(/[\]}]/).length;

interface Part {
  readonly source: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Splits a stream into documents: each begins at its `---`, or a first one without it at its content. */
function* split(text: string): Generator<Part> {
  const marks = [...text.matchAll(/^---\r?$/gm)].map(({ index }) => index);
  const first = text.search(/^ *[^\s#]/m);
  const starts = first >= 0 && first < (marks[0] ?? Number.POSITIVE_INFINITY) ? [first, ...marks] : marks;
  let line = 1;
  let counted = 0;
  for (const [index, start] of starts.entries()) {
    const from = text.startsWith('---', start) ? start + 3 : start;
    const source = text.slice(from, starts[index + 1]);
    line += text.slice(counted, start).split('\n').length - 1;
    counted = start;
    yield { source, offset: start, line, column: start - text.lastIndexOf('\n', start - 1) };
  }
}

/** A scalar of YAML 1.2's core schema as in `yaml`: js-yaml's own also accepts binary numbers and grouped digits. */
const scalar = (name: string, pattern: RegExp, construct: (text: string) => unknown): Type =>
  new Type(`tag:yaml.org,2002:${name}`, {
    kind: 'scalar',
    resolve: (text: string) => pattern.test(text),
    construct,
  });

const infinity = (text: string): number => (text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);

const CORE = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalar('null', /^(?:~|[Nn]ull|NULL)?$/, () => null),
    scalar('bool', /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/, (text) => /^t/i.test(text)),
    scalar('int#octal', /^0o[0-7]+$/, (text) => Number.parseInt(text.slice(2), 8)),
    scalar('int', /^[-+]?[0-9]+$/, (text) => Number.parseInt(text, 10)),
    scalar('int#hexadecimal', /^0x[0-9a-fA-F]+$/, (text) => Number.parseInt(text.slice(2), 16)),
    scalar('float#nan', /^\.(?:nan|NaN|NAN)$/, () => Number.NaN),
    scalar('float#infinity', /^[-+]?\.(?:inf|Inf|INF)$/, infinity),
    scalar('float#exponent', /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+$/, Number.parseFloat),
    scalar('float', /^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/, Number.parseFloat),
  ],
});
