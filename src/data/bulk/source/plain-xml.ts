/** Consecutive elements of one name in their parent, which their handler can read by itself in their usual form. */
export interface PlainElements {
  readonly parent: string;
  readonly name: string;
  /** Reads the element from `start` up to `end`. `odd`: it has another form, and nothing was read. */
  take(text: string, start: number, end: number): 'taken' | 'odd';
}

/** An XML parser that knows its position. */
interface Parser {
  write(text: string): void;
  end(): void;
  /** The last tag since `forgetTag`, and the current depth in the document. */
  readonly lastTag: string | undefined;
  readonly depth: number;
  forgetTag(): void;
}

/** In characters. The text before the elements is short; a longer element goes to the parser, which buffers less. */
const LONGEST_HEAD = 256 * 1024;
const LONGEST_ELEMENT = 512 * 1024;
/** Characters that XML does not allow, however they are written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
/** Comments, CDATA sections and instructions can contain text that looks like an element. */
const HIDING = /<[!?]/;
const DECLARATION = /^<\?xml version=["']1\.0["'][^<>]*\?>/;

/**
 * Passes elements in their usual form to their handler and everything else to the parser, which is slow and knows all
 * of XML. If it cannot be sure that it sees elements, the parser gets the rest of the document.
 */
export class PlainXml {
  readonly #parser: Parser;
  readonly #plain: PlainElements;
  #state: 'head' | 'elements' | 'rest' = 'head';
  #depth = 0;
  #text = '';
  /** Number of space characters since the last element. */
  #blank = 0;

  constructor(parser: Parser, plain: PlainElements) {
    this.#parser = parser;
    this.#plain = plain;
  }

  write(text: string): void {
    if (this.#state === 'rest') {
      this.#parser.write(text);
      return;
    }
    this.#text += text;
    if (FORBIDDEN.test(text)) this.#leaveTo(0);
    if (this.#state === 'head') this.#readHead();
    if (this.#state === 'elements') this.#readElements();
  }

  end(): void {
    this.#leaveTo(0);
    this.#parser.end();
  }

  /** Passes the rest of the document, from `start`, to the parser. */
  #leaveTo(start: number): void {
    this.#state = 'rest';
    const text = this.#text.slice(start);
    this.#text = '';
    if (text !== '') this.#parser.write(text);
  }

  #readHead(): void {
    const { name, parent } = this.#plain;
    const end = this.#text.indexOf(`<${name}`);
    if (end === -1) {
      if (this.#text.length > LONGEST_HEAD) this.#leaveTo(0);
      return;
    }
    const head = this.#text.slice(0, end);
    const parser = this.#parser;
    parser.write(head);
    this.#depth = parser.depth;
    const isInParent = parser.lastTag === `<${parent}` && head.slice(head.lastIndexOf('<')).startsWith(`<${parent}`);
    if (!isInParent || HIDING.test(head.replace(DECLARATION, ''))) {
      this.#leaveTo(end);
      return;
    }
    this.#text = this.#text.slice(end);
    this.#state = 'elements';
  }

  #readElements(): void {
    const text = this.#text;
    let start = 0;
    for (;;) {
      const blank = start;
      start = withoutSpace(text, start);
      this.#blank += start - blank;
      if (this.#blank > MOST_HELD) throw withoutElement();
      const end = this.#endOf(start);
      if (end === 'incomplete') break;
      if (end === 'other' || !this.#readElement(start, end)) {
        this.#leaveTo(end === 'other' ? start : end);
        return;
      }
      start = end;
      this.#blank = 0;
    }
    this.#text = text.slice(start);
    if (this.#text.length > LONGEST_ELEMENT) this.#leaveTo(0);
  }

  #endOf(start: number): number | 'incomplete' | 'other' {
    const { name } = this.#plain;
    const text = this.#text;
    const first = text.slice(start, start + name.length + 2);
    if (first.length < name.length + 2) return 'incomplete';
    if (!first.startsWith(`<${name}`)) return 'other';
    const tag = text.indexOf('>', start) + 1;
    if (tag === 0) return 'incomplete';
    if (text[tag - 2] === '/') return tag;
    const close = `</${name}>`;
    const end = text.indexOf(close, tag);
    return end === -1 ? 'incomplete' : end + close.length;
  }

  /** Returns whether another element may follow: if the parser read this one, it must be back in the parent. */
  #readElement(start: number, end: number): boolean {
    if (end - start <= LONGEST_ELEMENT && this.#plain.take(this.#text, start, end) === 'taken') return true;
    const parser = this.#parser;
    const element = this.#text.slice(start, end);
    parser.forgetTag();
    parser.write(element);
    return !HIDING.test(element) && parser.depth === this.#depth && parser.lastTag === `/${this.#plain.name}`;
  }
}

/** Maximum number of characters of one tag, text or comment, or between two elements. */
export const MOST_HELD = 16 * 1024 * 1024;

export const withoutElement = (): Error =>
  new Error(`its XML has more than ${MOST_HELD} characters without an element`);

function withoutSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === '\n' || text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#10;': '\n',
};

/** Decodes a text between two tags without line breaks other than line feeds; undefined if it is not usual. */
export function plainText(text: string): string | undefined {
  if (text.includes(']]>')) return undefined;
  if (!text.includes('&')) return text;
  let isUsual = true;
  const plain = text.replace(/&[^;]*;?/g, (entity) => {
    const meant = ENTITIES[entity];
    if (meant === undefined) isUsual = false;
    return meant ?? '';
  });
  return isUsual ? plain : undefined;
}

/** Reads the attributes of a tag, each after a space; undefined if they are written in another way. */
export function plainAttributes(text: string): Readonly<Record<string, string>> | undefined {
  const attributes: Record<string, string> = {};
  const attribute = / ([A-Za-z]\w*(?::[A-Za-z]\w*)?)="([^"<&\r\n\t]*)"/y;
  for (let at = 0; at < text.length; at = attribute.lastIndex) {
    const [, name, value] = attribute.exec(text) ?? [];
    if (name === undefined || value === undefined || Object.hasOwn(attributes, name)) return undefined;
    attributes[name] = value;
  }
  return attributes;
}
