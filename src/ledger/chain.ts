import { createHash, hash } from 'node:crypto';
import { jsonParts } from '#core/model/json.js';

/** Precedes the hash at the end of a line. */
const MARK = ',"chain":"';

/** The position of a journal in its ledger: the journal before it, and the hash of that one's last line then. */
export interface PreviousJournal {
  readonly journal: string;
  readonly chain: string;
}

/** A line of a journal, and the hash that the next line continues. */
export interface ChainedLine {
  /** With its line break. */
  readonly line: string;
  readonly chain: string;
}

/** Formats a record as a line with the hash of itself and of all lines before it. */
export function chainRecord(record: object, before: string): ChainedLine {
  const text = JSON.stringify(record);
  const chain = linkAfter(before, text);
  return { line: `${text.slice(0, -1)}${MARK}${chain}"}\n`, chain };
}

/** The end of the lines written so far. */
export interface LinesEnd {
  chain: string;
  /** Characters. */
  size: number;
}

/**
 * Yields the first lines of a journal in parts, since a plan may be too large for one string. Keeps `end` up to date as
 * parts are taken.
 */
export function* firstLines(records: readonly object[], end: LinesEnd): Generator<string> {
  for (const record of records) {
    for (const part of lineParts(record, end)) {
      end.size += part.length;
      yield part;
    }
  }
}

/** How deep records are split into parts: down to the steps of a plan. */
const LEVELS = 3;

function* lineParts(record: object, end: LinesEnd): Generator<string> {
  const link = createHash('sha256').update(end.chain);
  let last = '';
  for (const part of jsonParts(record, LEVELS)) {
    yield last;
    link.update(part);
    last = part;
  }
  end.chain = link.digest('hex').slice(0, LINK_LENGTH);
  yield `${last.slice(0, -1)}${MARK}${end.chain}"}\n`;
}

const LINK_LENGTH = 32;

const linkAfter = (before: string, text: string): string => hash('sha256', before + text).slice(0, LINK_LENGTH);

/** The result of following the hashes of a journal. */
export interface Chain {
  /** The hash after each line, up to the first line whose hash does not match. */
  readonly links: readonly string[];
  /** The index of the first line whose hash does not match. */
  readonly broken?: number;
}

/** Follows the hashes through the lines of a journal. Those of older versions have none, and are accepted unchecked. */
export function followChain(lines: readonly string[]): Chain {
  const isChained = lines.some((line) => line.includes(MARK));
  const links: string[] = [];
  let link = '';
  for (const [index, line] of lines.entries()) {
    const at = line.lastIndexOf(MARK);
    const text = isChained && at >= 0 ? `${line.slice(0, at)}}` : line;
    link = linkAfter(link, text);
    if (isChained && line.slice(Math.max(at, 0)) !== `${MARK}${link}"}`) return { links, broken: index };
    links.push(link);
  }
  return { links };
}

/** The hash of the last whole line of a journal; empty if there is no such line. */
export function lastLink(text: string): string {
  const lines = wholeLines(text);
  const last = lines.at(-1) ?? '';
  const at = last.lastIndexOf(MARK);
  if (at < 0) return followChain(lines).links.at(-1) ?? '';
  return last.slice(at + MARK.length, at + MARK.length + LINK_LENGTH);
}

/** Whether a journal contains the line with this hash. Its readers check whether the lines are unchanged. */
export const holdsLink = (text: string, link: string): boolean =>
  text.includes(`${MARK}${link}"}`) || (!text.includes(MARK) && followChain(wholeLines(text)).links.includes(link));

/** Every complete line contains this; a line that is cut off before it was never promised to be durable. */
const WHOLE = /,"chain":"[0-9a-f]{32}"\}/;

/** Whether a journal ends in the middle of a line, as after a full disk or a killed process. */
export function isTorn(text: string): boolean {
  const rest = text.slice(text.lastIndexOf('\n') + 1);
  return rest !== '' && !WHOLE.test(rest);
}

/** The complete lines of a journal. */
export function wholeLines(text: string): string[] {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  return WHOLE.test(rest) ? [...lines, rest] : lines;
}
