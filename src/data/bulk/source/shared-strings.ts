import { plainText } from './plain-xml.js';
import { readWholeXml } from './xml-events.js';

/** Reads the texts of a shared strings part, in their order. */
export async function readSharedStrings(chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const strings: string[] = [];
  const content = new TextContent();
  await readWholeXml(chunks, {
    open: (name) => content.open(name),
    close(name) {
      content.close(name);
      if (name === 'si') strings.push(decodeEscapes(content.take() ?? ''));
    },
    text: (text) => content.add(text),
    plain: {
      parent: 'sst',
      name: 'si',
      take(text, start, end) {
        PLAIN_STRING.lastIndex = start;
        const [, found] = PLAIN_STRING.exec(text) ?? [];
        const value = found === undefined || PLAIN_STRING.lastIndex !== end ? undefined : plainText(found);
        if (value === undefined) return 'odd';
        strings.push(decodeEscapes(value));
        return 'taken';
      },
    },
  });
  return strings;
}

const PLAIN_STRING = /<si><t(?: xml:space="preserve")?>([^<\r]*)<\/t><\/si>/y;

/** Joins the value of a cell or the runs of a string; leaves out phonetic runs (ECMA-376 part 1, 18.4.6). */
export class TextContent {
  #text: string | undefined;
  #isOpen = false;
  #inPhonetic = false;

  get length(): number {
    return this.#text?.length ?? 0;
  }

  open(name: string): void {
    if (name === 'rPh') this.#inPhonetic = true;
    if (name !== 'v' && (name !== 't' || this.#inPhonetic)) return;
    this.#text ??= '';
    this.#isOpen = true;
  }

  close(name: string): void {
    if (name === 'rPh') this.#inPhonetic = false;
    else if (name === 'v' || name === 't') this.#isOpen = false;
  }

  add(text: string): void {
    if (this.#isOpen) this.#text += text;
  }

  /** Returns the text and starts over; undefined if there was neither a value nor a run. */
  take(): string | undefined {
    const text = this.#text;
    this.#text = undefined;
    return text;
  }
}

/** Decodes `_x000D_`, which stands for a character that XML cannot contain (ECMA-376 part 1, 22.9.2.19). */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
