import { createHash } from 'node:crypto';

/** What stands before the hash at the end of a line. */
const MARK = ',"chain":"';

/** Where a journal stands in the sequence of its ledger: after which one, and what that one's last line was then. */
export interface PreviousJournal {
  readonly journal: string;
  readonly chain: string;
}

/** Lines of a journal, and the hash that the next one goes on from. */
export interface ChainedLines {
  /** With their line breaks. */
  readonly lines: string;
  readonly chain: string;
}

/** Records as lines of which each carries the hash of itself and of all lines before it. */
export function chainRecords(records: readonly object[], before: string): ChainedLines {
  let chain = before;
  const lines = records.map((record) => {
    const text = JSON.stringify(record);
    chain = linkAfter(chain, text);
    return `${text.slice(0, -1)}${MARK}${chain}"}\n`;
  });
  return { lines: lines.join(''), chain };
}

const linkAfter = (before: string, text: string): string =>
  createHash('sha256').update(before).update(text).digest('hex').slice(0, 32);

/** What following the hashes of a journal came to. */
export interface Chain {
  /** After each line, as far as they hold. */
  readonly links: readonly string[];
  /** The index of the first line that is not as it was written. */
  readonly broken?: number;
}

/** Follows the hashes through the lines of a journal. Those of older versions have none, and count as they are. */
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

/** A line that was written whole holds this; what is cut off before it was never promised to be durable. */
const WHOLE = /,"chain":"[0-9a-f]{32}"\}/;

/** The complete lines of a journal. */
export function wholeLines(text: string): string[] {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  return WHOLE.test(rest) ? [...lines, rest] : lines;
}
