import { addressOf } from '../model/address.js';

const KEYS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec']);
/** Words that are text in YAML without a doubt, the names of constants apart. */
const PLAIN = /^(?!(?:true|false|null)$)[a-z]\w*(?:[ -]\w+)*$/i;
const MARKER = /^---[ \t]*$/m;
/** A key of the document itself, with what follows it up to the next one. */
const ENTRY = /^([a-zA-Z]+):(.*(?:\n(?:[ \t#-].*)?)*)/gm;
const NAME = /^ \{ ?name: ([\w -]+?) ?[,}]|^\n( +)(?:.*\n\2)*?name: ([\w -]+)(?:\n(?!\2 )|$)/;

/**
 * The addresses in a file of documents that are written plainly, as nearly all are, in a fraction of the time that a parser
 * takes. Undefined for any other: whether it is valid, and what it says, only a parser knows.
 */
export function plainAddresses(text: string): string[] | undefined {
  const documents = text.split(MARKER).filter((one) => /^[^#\n]/m.test(one));
  const found = documents.map(addressIn);
  return found.every((one) => one !== undefined) ? found : undefined;
}

function addressIn(document: string): string | undefined {
  const entries = [...document.matchAll(ENTRY)];
  const values = new Map(entries.map(([, key = '', value = '']) => [key, value]));
  const isWhole = document.replaceAll(ENTRY, '').replaceAll(/^#.*$/gm, '').trim() === '';
  if (!isWhole || values.size !== entries.length || [...values.keys()].some((key) => !KEYS.has(key))) return undefined;
  const kind = values.get('kind')?.trim() ?? '';
  const [, inline, , below = inline] = NAME.exec(values.get('metadata') ?? '') ?? [];
  return PLAIN.test(kind) && below !== undefined && PLAIN.test(below) ? addressOf(kind, below) : undefined;
}
