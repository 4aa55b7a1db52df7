import type { Encoding } from '#core/jobs/source.js';

/** An encoding that a text file may have if it is not Unicode, and the letters beyond ASCII of its languages. */
export interface Candidate {
  readonly encoding: Encoding;
  readonly alphabets: readonly string[];
}

const CENTRAL = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ', 'äöüß'];
const WESTERN = [...['äöüß', 'àâçéèêëîïôûùœ', 'áéíóúñü', 'ãõçáéíóúâêôà', 'àèéìòù', 'åäöæøé', 'ëïéèöü'], 'áðéíóúýþæö'];
const CYRILLIC = ['абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ№'];

/** The usual one first: it is taken if nothing speaks against it. */
export const CANDIDATES: readonly Candidate[] = [
  { encoding: 'windows-1252', alphabets: WESTERN },
  { encoding: 'windows-1250', alphabets: CENTRAL },
  { encoding: 'windows-1251', alphabets: CYRILLIC },
  { encoding: 'windows-1253', alphabets: ['αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ'] },
  { encoding: 'windows-1254', alphabets: ['çğıöşüi̇â'] },
  { encoding: 'windows-1257', alphabets: ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'] },
  { encoding: 'iso-8859-2', alphabets: CENTRAL },
  { encoding: 'iso-8859-15', alphabets: ['äöüß', 'àâçéèêëîïôûùœ'] },
  { encoding: 'cp850', alphabets: WESTERN },
  { encoding: 'cp852', alphabets: CENTRAL },
  { encoding: 'cp866', alphabets: CYRILLIC },
  { encoding: 'shift_jis', alphabets: [] },
  { encoding: 'gb18030', alphabets: [] },
];

const isLetter = (text: string): boolean => /^\p{L}/u.test(text) && !SYMBOLS.test(text);
const scriptOf = (text: string): string =>
  /\p{Script=Latin}/u.test(text) ? 'Latin' : /\p{Script=Cyrillic}/u.test(text) ? 'Cyrillic' : 'other';

/** Unicode counts them among the letters, but units and numbers have them. */
const SYMBOLS = /[µªº]/;
/** Symbols that no word begins with. */
const NEVER_FIRST = /[¼½¾¹²³¦¬±¯¸¨´¶]/;
/** Punctuation between letters, as in "d’eau" or "Ni–Cd". */
const WITHIN = /[’–—…]/;
/** Lines and blocks, which old programs drew frames with; a list has none. */
const FRAME = /[\u2500-\u259f]/;

/** How well a character beyond ASCII fits this place of a text, if its language has this alphabet. */
export function fitness(text: string, at: number, alphabet: string): number {
  const [before = '', letter = '', after = ''] = [text[at - 1], text[at], text[at + 1]];
  if (!isLetter(letter)) return symbolFitness(before, letter, after);
  const beside = [before, after].filter(isLetter);
  if (beside.some((other) => scriptOf(other) !== scriptOf(letter))) return -3;
  const isUpperWithin = letter !== letter.toLowerCase() && isLetter(before) && before !== before.toUpperCase();
  if (isUpperWithin) return -3;
  if (!alphabet.includes(letter.toLowerCase())) return -2;
  // Words of accented letters alone are rare in Latin script.
  return scriptOf(letter) === 'Latin' && before > '\u007f' && isLetter(before) ? 0 : 1;
}

function symbolFitness(before: string, letter: string, after: string): number {
  if (FRAME.test(letter) || (isLetter(before) && isLetter(after) && !WITHIN.test(letter))) return -3;
  if (NEVER_FIRST.test(letter) && isLetter(after) && !/\d/.test(before)) return -2;
  return letter === '¤' ? -1 : 1;
}

/** First bytes of the usual characters: kana and the first level of kanji, symbols and the first level of hanzi. */
const USUAL_FIRST = {
  shift_jis: (byte: number) => (byte >= 0x81 && byte <= 0x84) || (byte >= 0x88 && byte <= 0x97),
  gb18030: (byte: number) => (byte >= 0xa1 && byte <= 0xa3) || (byte >= 0xb0 && byte <= 0xd7),
};

/** Whether two bytes have letters of ASCII before and behind or within, as one accented letter of a word has. */
function isWithinWord(bytes: Buffer, at: number): boolean {
  const [before, second, after] = [at - 1, at + 1, at + 2].map((index) => String.fromCharCode(bytes[index] ?? 0));
  return /[a-z]/i.test(before ?? '') && /[a-z]/i.test(`${second}${after}`);
}

/** Sums up how well pairs of bytes make characters of Japanese or Chinese. */
export function wideFitness(bytes: Buffer, encoding: keyof typeof USUAL_FIRST): number {
  let score = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) continue;
    const isHalf = encoding === 'shift_jis' && first >= 0xa1 && first <= 0xdf;
    score += isHalf ? -1 : pairFitness(bytes, at, encoding);
    if (!isHalf) at += 1;
  }
  return score;
}

function pairFitness(bytes: Buffer, at: number, encoding: keyof typeof USUAL_FIRST): number {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
  const isUsual = USUAL_FIRST[encoding](first) && (encoding === 'shift_jis' || second >= 0xa1);
  if (!isUsual) return -6;
  return isWithinWord(bytes, at) ? 0 : 4;
}
