import { SaxesParser } from 'saxes';
import { MOST_HELD, type PlainElements, PlainXml, withoutElement } from './plain-xml.js';

/** The attributes of an element, with their prefixes. */
export type Attributes = Readonly<Record<string, string>>;

/** Gets names without prefix. An empty element is opened and closed. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
  readonly plain?: PlainElements;
}

/**
 * Reads a UTF-8 XML document and passes its content to the handler, yielding after each piece. Throws if it is not
 * well-formed, if it would fill the memory, or if it has a document type, which no part of a workbook has and which
 * could expand without end. An empty document has no elements.
 */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array | string>,
  handler: XmlHandler,
): AsyncGenerator<undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new XmlReader(handler);
  const reader = handler.plain === undefined ? parser : new PlainXml(parser, handler.plain);
  for await (const chunk of chunks) {
    reader.write(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    yield;
  }
  reader.write(decoder.decode());
  reader.end();
  yield;
}

/** Reads an XML document to its end. */
export async function readWholeXml(chunks: AsyncIterable<Uint8Array | string>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(chunks, handler));
}

/** Whether a boolean of XML Schema is true. */
export const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

const DEEPEST = 100;

class XmlReader {
  readonly #parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  #begun = false;
  #held = 0;
  #depth = 0;
  #lastTag: string | undefined;

  constructor(handler: XmlHandler) {
    const { close, text } = handler;
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#held = 0;
      this.#depth += 1;
      this.#lastTag = `<${name}`;
      if (this.#depth > DEEPEST) throw new Error(`its XML has elements nested more than ${DEEPEST} deep`);
      handler.open(localName(name), attributes);
    });
    this.#parser.on('closetag', ({ name }) => {
      this.#held = 0;
      this.#depth -= 1;
      this.#lastTag = `/${name}`;
      close?.call(handler, localName(name));
    });
    if (text !== undefined) {
      const add = text.bind(handler);
      this.#parser.on('text', add);
      this.#parser.on('cdata', add);
    }
    this.#parser.on('doctype', () => {
      throw new Error('its XML has a document type');
    });
  }

  get depth(): number {
    return this.#depth;
  }

  /** Such as `<row` or `/row`, with its prefix. */
  get lastTag(): string | undefined {
    return this.#lastTag;
  }

  forgetTag(): void {
    this.#lastTag = undefined;
  }

  write(text: string): void {
    this.#begun ||= text !== '';
    this.#held += text.length;
    this.#parser.write(text);
    // The parser holds each tag, text and comment until it is whole.
    if (this.#held > MOST_HELD) throw withoutElement();
  }

  end(): void {
    if (this.#begun) this.#parser.close();
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
