import { printableText } from '../../library/library.js';

/** The shells whose scripts dexsync prints. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A word as the shell would take it, and as it is typed so far. */
export interface Word {
  readonly text: string;
  readonly raw: string;
  /** The quote that is still open at its end. */
  readonly quote: Quote;
}

type Quote = '' | '"' | "'";

/** A part of a word: an escaped character, a quoted text that may still be open, or one plain character. */
const PART = /\\.|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'\\]|\\$/gs;
const WORD = new RegExp(`(?:${PART.source})+`, PART.flags);

/** The words of a command line up to the cursor; the last one is the one that is completed, and may be empty. */
export function wordsOf(line: string): readonly Word[] {
  const found = [...line.matchAll(WORD)].map(([raw]) => toWord(raw));
  return line.endsWith(found.at(-1)?.raw ?? ' ') ? found : [...found, toWord('')];
}

function toWord(raw: string): Word {
  const parts = raw.match(PART) ?? [];
  const [, open = ''] =
    /^(?:(")(?:\\.|[^"\\])*|(')[^']*)$/s.exec(parts.at(-1) ?? '')?.filter((one) => one !== undefined) ?? [];
  return { raw, text: parts.map(unquote).join(''), quote: open as Quote };
}

function unquote(part: string): string {
  if (part.startsWith("'")) return part.replaceAll("'", '');
  const [, inner] = /^"((?:\\.|[^"\\])*)"?$/s.exec(part) ?? [];
  if (inner !== undefined) return inner.replaceAll(/\\(["\\$`])/g, '$1');
  return part.startsWith('\\') ? part.slice(1) : part;
}

/** What a word may become. `open`: more follows, so that no space does. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
  readonly open?: boolean;
}

/**
 * The candidates as the shell's script takes them, one in a line. bash gets what stands in place of `replaced`, the end of the
 * line that readline takes for the word: quoted as the word was begun, and followed by a space. zsh and fish quote by
 * themselves. A name that no line can hold is left out.
 */
export function shellLines(shell: Shell, candidates: readonly Candidate[], word: Word, replaced: string): string {
  const lines = candidates.filter(({ value }) => isLine(value)).map(LINES[shell](word, replaced));
  return lines.map((line) => `${line}\n`).join('');
}

const isLine = (text: string): boolean => !/[\n\t]/.test(text) && printableText(text) === text;

const described = ({ value, description = '' }: Candidate): string => `${value}\t${description}`;

const LINES: Readonly<Record<Shell, (word: Word, replaced: string) => (candidate: Candidate) => string>> = {
  bash: ({ raw, quote }, replaced) => {
    const [before] = raw.endsWith(replaced) ? wordsOf(raw.slice(0, raw.length - replaced.length)) : [];
    const kept = before?.text.length ?? 0;
    // Within quotes readline adds the closing one.
    return ({ value, open }) => escaped(value.slice(kept), quote) + (open === true || quote !== '' ? '' : ' ');
  },
  zsh: () => (candidate) => `${candidate.open === true ? 'open' : 'whole'}\t${described(candidate)}`,
  fish: () => described,
};

function escaped(text: string, quote: Quote): string {
  if (quote === '"') return text.replaceAll(/["\\$`]/g, '\\$&');
  if (quote === "'") return text.replaceAll("'", "'\\''");
  return text.replaceAll(/[^\w./:@%+=,\u0080-\uffff-]/g, '\\$&');
}
