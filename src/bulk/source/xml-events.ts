import sax from 'sax';

export type Attributes = Readonly<Record<string, string>>;

/** Names are without their prefix. An empty element is opened and closed. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
}

/**
 * Reads a UTF-8 XML document and tells the handler what is in it, coming back after each piece. Throws on what is not
 * well-formed and on a document type, which no worksheet has and which could expand without end.
 */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array | string>,
  handler: XmlHandler,
): AsyncGenerator<undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = openParser(handler);
  for await (const chunk of chunks) {
    parser.write(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

function openParser(handler: XmlHandler): sax.SAXParser {
  const parser = sax.parser(true, { position: false });
  parser.onopentag = ({ name, attributes }) => handler.open(localName(name), attributes as Attributes);
  parser.onclosetag = (name) => handler.close(localName(name));
  parser.ontext = (text) => handler.text(text);
  parser.oncdata = (text) => handler.text(text);
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new Error('a document type');
  };
  return parser;
}

const localName = (name: string): string => (name.includes(':') ? name.slice(name.indexOf(':') + 1) : name);
