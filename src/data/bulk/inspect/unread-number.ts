import type { ChosenKey } from './choose-key.js';
import type { Column } from './column.js';
import { bareHeader, roleNamed } from './column-names.js';
import { columnOption, type Draft, withProblem } from './draft.js';
import type { KnownTable } from './known-table.js';

/** Words in headers of numbers that a company gives, in any place. */
const OWN = /\b(?:code|id|ident|key|\w*nummer|no|nr|num|number|numero|numer|ref|reference|indeks|codigo|codice)\b/;
/** Words in headers of numbers that others give, or that number other things. */
const OTHERS =
  /\b(?:mpn|manufacturer|maker|mfr|mfg|vendor|supplier|distributor|seller|hersteller|lieferant\w*|customer|kunde\w*|lcsc|jlc\w*|digi ?key|dk|mouser|farnell|newark|rs|arrow|avnet|tme|octopart|ean|upc|gtin|barcode|isbn|hs|hts|tariff|zoll\w*|eccn|cas|serial|serien\w*|lot|batch|charge\w*|uuid|guid|url|link|image|picture|drawing|zeichnung\w*|document|dokument\w*|file|datei|page|sheet|location|bin|shelf|lager\w*|project|projekt\w*|order|bestell\w*|sheetpath|footprint|quantity|qty|stock|available|\w*price|\w*preis|cost|status|lead|wire\w*|cable\w*|kabel\w*|draht\w*|ader\w*|signal|device\w*|typ\w*|model\w*|symbol|library(?! ref)|lib(?! ref)|net|zip|phone|tel|color|colour|farb\w*|date|datum)\b/;
const LONGEST = 40;
/** Letters and digits without blanks, as in numbers of items. */
export const CODE = /^(?=.*\d)[\p{L}\d][\p{L}\d._\-/]{2,}$/u;

/** Whether each row has another code of letters and digits in a column, such as "R-0001". */
const hasCodes = ({ key, header, longest, samples, areAddresses, areDesignators, isSequence }: Column): boolean =>
  key === 'likely' &&
  !areAddresses &&
  !areDesignators &&
  !isSequence &&
  longest <= LONGEST &&
  !OTHERS.test(bareHeader(header)) &&
  samples.every((sample) => CODE.test(sample) && !/^\d+[.,]\d+$/.test(sample));

/** Whether names are codes of one make, such as "CMP-00112-1": they number the items that a description names. */
export const areHouseCodes = (column: Column): boolean =>
  hasCodes(column) &&
  [...(column.values?.keys() ?? column.samples)].every((value) =>
    /^(?=.*\d)[\p{Lu}\d]+[-_][\p{Lu}\d._-]{3,}$/u.test(value),
  );

/** Whether a column of codes without a usual name numbers the items of the company. */
export function isOwnCode(column: Column): boolean {
  const bare = bareHeader(column.header);
  return OWN.test(bare) && (/^lib(?:rary)? ref$/.test(bare) ? areHouseCodes(column) : hasCodes(column));
}

/** Adds the problem that the list may have numbers of its own, where those of the makers would be used. */
export function withUnreadNumber(draft: Draft, { columns, roles }: KnownTable, key: ChosenKey): Draft {
  const used = roles.get('mpn');
  const other = columns.find((column) => roleNamed(column.header) === undefined && hasCodes(column));
  if (key.is !== 'proposed' || used === undefined || key.column !== used.name || other === undefined) return draft;
  if ([...roles.values()].includes(other)) return draft;
  const option = (meaning: string): string => `\`${columnOption(other.name, meaning)}\``;
  const problem = `No column is recognised as the item number, and the numbers of the manufacturers ("${used.name}") would be taken. "${other.name}" may be it: inspect the file again with ${option('number')}, or with ${option('none')} if it is not.`;
  return withProblem(draft, problem);
}
