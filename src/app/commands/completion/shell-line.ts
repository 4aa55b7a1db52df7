import { printableText } from '../../library/internal.js';

/** The shells that dexsync has completion scripts for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A word as the shell would parse it (`text`), and as typed so far (`raw`). */
export interface Word {
  readonly text: string;
  readonly raw: string;
  /** The quote that is still open at its end. */
  readonly quote: Quote;
}

type Quote = '' | '"' | "'";

/** A part of a word: an escapeText character, a quoted text whose quote may still be open, or one plain character. */
const PART = /\\.|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'\\]|\\$/gs;
const WORD = new RegExp(`(?:${PART.source})+`, PART.flags);

/** The words of a command line up to the cursor; the last one is to be completed, and may be empty. */
export function splitWords(line: string): readonly Word[] {
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

/** A possible completion of a word. `open`: more text follows, so that no space is added. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
  readonly open?: boolean;
}

/**
 * Formats the candidates for the shell's script, one per line. bash gets the replacement of `replaced`, the end of the
 * line that readline takes for the word, with the quotes that the word began with and a space after it. zsh and fish
 * quote themselves. Leaves out names that do not fit on one line.
 */
export function shellLines(shell: Shell, candidates: readonly Candidate[], word: Word, replaced: string): string {
  const lines = candidates.filter(({ value }) => isLine(value)).map(LINES[shell](word, replaced));
  return lines.map((line) => `${line}\n`).join('');
}

const isLine = (text: string): boolean => !/[\n\t]/.test(text) && printableText(text) === text;

const describedLine = ({ value, description = '' }: Candidate): string => `${value}\t${description}`;

const LINES: Readonly<Record<Shell, (word: Word, replaced: string) => (candidate: Candidate) => string>> = {
  bash: ({ raw, quote }, replaced) => {
    const [before] = raw.endsWith(replaced) ? splitWords(raw.slice(0, raw.length - replaced.length)) : [];
    const kept = before?.text.length ?? 0;
    // Readline adds the closing quote.
    return ({ value, open }) => escapeText(value.slice(kept), quote) + (open === true || quote !== '' ? '' : ' ');
  },
  zsh: () => (candidate) => `${candidate.open === true ? 'open' : 'whole'}\t${describedLine(candidate)}`,
  fish: () => describedLine,
};

function escapeText(text: string, quote: Quote): string {
  if (quote === '"') return text.replaceAll(/["\\$`]/g, '\\$&');
  if (quote === "'") return text.replaceAll("'", "'\\''");
  return text.replaceAll(/[^\w./:@%+=,\u0080-\uffff-]/g, '\\$&');
}
