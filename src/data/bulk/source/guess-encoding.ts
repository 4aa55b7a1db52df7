import { isAscii } from 'node:buffer';
import type { Encoding } from '#core/jobs/source.js';
import { decodedText } from './decode.js';
import { CANDIDATES, type Candidate, fitness, wideFitness } from './letters.js';

/** The most likely encoding of lines that are not UTF-8, and what it rests on. */
export interface GuessedEncoding {
  readonly encoding: Encoding;
  /** The first word that another encoding reads in another way. */
  readonly word?: string;
  /** A reading that fits just as well. */
  readonly other?: { readonly encoding: Encoding; readonly word: string };
}

/** The text in one encoding, and how well each character beyond ASCII fits its place. */
interface Reading {
  readonly encoding: Encoding;
  readonly text: string;
  /** By position in the text; one sum for an encoding of several bytes a character. */
  readonly fits: readonly number[] | number;
}

/**
 * Finds the encoding in which the letters beyond ASCII are where those of some language are; the usual one if nothing
 * speaks against it. `lines`: some of the text. Undefined if no encoding has all of its bytes.
 */
export function guessEncoding(lines: readonly Buffer[]): GuessedEncoding | undefined {
  const bytes = Buffer.concat(lines.filter((line) => !isAscii(line)));
  const [first, ...others] = CANDIDATES.flatMap((candidate) => readingOf(bytes, candidate) ?? []);
  if (first === undefined) return undefined;
  let best = first;
  for (const other of others) if (advantage(other, best) > 0) best = other;
  const unlike = [first, ...others].filter(({ text }) => text !== best.text);
  const rival = unlike.find((other) => !isOld(other) && advantage(other, best) >= 0);
  const shown = rival ?? unlike[0];
  if (shown === undefined) return { encoding: best.encoding };
  const [word, otherWord] = differingWords(best.text, shown.text);
  return {
    encoding: best.encoding,
    word,
    ...(rival === undefined ? {} : { other: { encoding: rival.encoding, word: otherWord } }),
  };
}

/** Encodings of DOS have a character for each byte, so they must fit better, and are not named as others that fit too. */
const isOld = ({ encoding }: Reading): boolean => encoding.startsWith('cp');

function readingOf(bytes: Buffer, { encoding, alphabets }: Candidate): Reading | undefined {
  const text = decodedText(bytes, encoding);
  if (text === undefined) return undefined;
  if (encoding === 'shift_jis' || encoding === 'gb18030') return { encoding, text, fits: wideFitness(bytes, encoding) };
  const all = alphabets.map((alphabet) => fitsOf(text, alphabet));
  const reading = { encoding, text, fits: all.reduce((one, other) => (sumOf(other) > sumOf(one) ? other : one)) };
  return isOld(reading) && sumOf(reading.fits) <= 0 ? undefined : reading;
}

function fitsOf(text: string, alphabet: string): number[] {
  const fits = new Array<number>(text.length).fill(0);
  for (let at = 0; at < text.length; at += 1) {
    if ((text[at] ?? '') > '\u007f') fits[at] = fitness(text, at, alphabet);
  }
  return fits;
}

const sumOf = (fits: readonly number[] | number): number =>
  typeof fits === 'number' ? fits : fits.reduce((sum, fit) => sum + fit, 0);

/** How much better one reading fits than another, by what they read in different ways, then by all of it. */
function advantage(one: Reading, other: Reading): number {
  const [fits, others] = [one.fits, other.fits];
  if (typeof fits === 'number' || typeof others === 'number') return sumOf(fits) - sumOf(others);
  const unlike = fits.map((fit, at) => (one.text[at] === other.text[at] ? 0 : fit - (others[at] ?? 0)));
  return sumOf(unlike) || sumOf(fits) - sumOf(others);
}

const LONGEST_WORD = 30;

function differingWords(one: string, other: string): readonly [string, string] {
  const wordsOf = (text: string): string[] => text.split(/[\s,;|"]+/);
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const at = words.findIndex((word, index) => word !== others[index]);
  return [(words[at] ?? '').slice(0, LONGEST_WORD), (others[at] ?? '').slice(0, LONGEST_WORD)];
}
