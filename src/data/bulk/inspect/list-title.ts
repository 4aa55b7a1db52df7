import { posix } from 'node:path';
import { columnLetters } from '../source/cell-range.js';
import type { RawRow } from '../source/raw-table.js';
import { isEmpty } from '../source/source-table.js';

/** What a list calls itself, in the languages that titles of columns are known in. */
const GENERAL =
  '(?:bills? of materials?|bom|parts? ?list|list of parts|st(?:ü|ue)ckliste|teileliste|materialliste|nomenclature|liste (?:de|des) (?:pi[eè]ces|composants)|lista de (?:materiales|piezas|componentes)|distinta base|wykaz cz[eę][sś]ci|stuklijst|spis cz[eę][sś]ci)';
const JOINED = '(?: (?:of|for|from|für|fuer|zu|zur|zum|von|der|des|de|du|la|le|pour|para|per|the))*';
const ALONE = new RegExp(`^${GENERAL}[\\s:,/|–—-]*$`, 'iu');
const BEFORE = new RegExp(`^${GENERAL}${JOINED}[\\s:,/|–—-]+(\\S.*)$`, 'iu');
const BEHIND = new RegExp(`^(.*[^\\s:,/|–—-])[\\s:,/|–—-]+${GENERAL}$`, 'iu');

/** Dates, versions, amounts, people and companies, which are not the names of assemblies. */
const OTHER =
  /\b(?:by|author|created|generated|exported?|report|printed|date|datum|rev|revision|version|page|seite|cost|total|price|quote|template|summary|complete|all|new|old|final|draft)\b|\b(?:gmbh|inc|ltd|llc|corp|corporation|company|co|kg|ag|sarl|sas|srl|s\.?a|s\.?p\.?a|b\.?v|sp\.? z o\.?o)\b\.?|\b(?:19|20)\d\d\b|\d[-./:]\d+[-./:]\d|[@<>=*{}[\]]|:\/\/|^(?:none|n\/a|unknown|untitled|default)$/i;
const LONGEST = 60;
const MOST_WORDS = 7;

/** Whether a text may name an assembly: a few words. */
export const mayName = (text: string): boolean =>
  /\p{L}{3}/u.test(text) && text.length <= LONGEST && text.split(/\s+/).length <= MOST_WORDS && !OTHER.test(text);

/** The assembly that the title of a list names, and its cell. */
export interface ListTitle {
  readonly text: string;
  readonly cell: string;
}

/**
 * Finds the assembly in the title of a list: what stands beside "Bill of materials" or the like in a row of one cell, or
 * a row of one cell that has a word of the file's name. Undefined if there is none, or if there are several.
 */
export function listTitle(above: readonly RawRow[], file: string): ListTitle | undefined {
  const alone = above.flatMap(({ row, cells }): ListTitle[] => {
    const filled = cells.flatMap((cell, column) => (isEmpty(cell) ? [] : [{ column, text: cell.trim() }]));
    const [only] = filled;
    if (only === undefined || filled.length > 1) return [];
    return [{ text: only.text, cell: `${columnLetters(only.column)}${row} (${JSON.stringify(only.text)})` }];
  });
  const beside = alone.flatMap(({ text, cell }) => {
    const rest = (BEFORE.exec(text) ?? BEHIND.exec(text))?.[1];
    return rest !== undefined && mayName(rest) ? [{ text: rest, cell }] : [];
  });
  const words = wordsOf(posix.basename(file.replaceAll('\\', '/')));
  const named = alone.filter(
    ({ text }) => !ALONE.test(text) && mayName(text) && wordsOf(text).some((word) => words.includes(word)),
  );
  const found = beside.length > 0 ? beside : named;
  return found.length === 1 ? found[0] : undefined;
}

/** Words for lists, and the shops and programs that they are for or from. */
const NO_NAMES =
  /^(?:list|liste|lista|parts?|bill|materials?|stückliste|stueckliste|export|order|from|lcsc|jlcpcb|mouser|digikey|farnell|newark|reichelt|conrad|misumi|mcmaster|amazon|aliexpress|altium|eagle|kicad|fusion|solidworks)$/;

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length >= 4 && !NO_NAMES.test(word));
