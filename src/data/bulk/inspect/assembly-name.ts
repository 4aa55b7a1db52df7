import { posix } from 'node:path';

const GENERIC =
  /(?<=^|[\s_.\-@(])(?:bill[\s_-]of[\s_-]materials?|boms?|stückliste|stueckliste|nomenclature|lista[\s_-]materiales|distinta[\s_-]base|part(?:s)?[\s_-]?list|part(?:s)?[\s_-]database|database|list|export|table)(?=$|[\s_.\-@(])/gi;
/** Names of folders and files that do not describe their content, and hashes of commits. */
const NOTHING =
  /^(?:cad|data|docs?|build|dist|exports?|hardware|hw|input|manifests|out|output|production|src|tests?|tmp|[0-9a-f]{7,40})$/i;
/** Numbers of files in a series; longer ones may number the assembly. */
const PLACE = /^\d{1,3}$/;
const SHEET = /^(?:sheet|tabelle|feuil|hoja|arkusz|blad|foglio)\s*\d*$/i;

/** Returns "parts" for `data/parts-2026-11-21.csv`. */
function stemOf(file: string): string {
  const base = posix.basename(file.replaceAll('\\', '/')).replace(/\.[^.]*$/, '');
  return trimmed(base.replace(/(?<!\d)[-_ ]*(?:19|20)\d\d-?[01]\d-?[0-3]\d$/, '').replaceAll(/[*?]+/g, '')) || 'parts';
}

/**
 * Names the assembly that a file lists: the file's name without words such as "BOM"; if nothing is left, the nearest
 * folder with a name of its own; then the worksheet, if a workbook has several tables.
 */
export function nameAssembly(path: string, file: string, worksheet: string | undefined): string {
  const own = specific(stemOf(file));
  const folders = path.replaceAll('\\', '/').split('/').slice(0, -1).reverse();
  const name =
    own === ''
      ? (folders
          .slice(0, 3)
          .map(specific)
          .find((folder) => folder !== '') ?? stemOf(file))
      : own;
  return worksheet === undefined || SHEET.test(worksheet.trim()) ? name : `${name} ${worksheet.trim()}`;
}

function specific(name: string): string {
  const rest = trimmed(name.replaceAll(GENERIC, '').replaceAll(/([\s_.-])[\s_.-]+/g, '$1'));
  if (PLACE.test(rest) && rest !== name) return name;
  return NOTHING.test(rest) ? '' : rest;
}

const trimmed = (text: string): string => text.replaceAll(/^[\s_.\-@]+|[\s_.\-@]+$/g, '');
