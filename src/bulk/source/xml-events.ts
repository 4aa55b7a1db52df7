import sax from 'sax';

/** Names are without their prefix. An empty element is an open and a close. */
export type XmlEvent =
  | { readonly type: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'text'; readonly text: string };

/**
 * The events of a UTF-8 XML document, in batches as its bytes come. Throws on what is not well-formed and on a document
 * type, which no worksheet has and which could expand without end.
 */
export async function* xmlEvents(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<XmlEvent[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let events: XmlEvent[] = [];
  const parser = openParser((event) => events.push(event));
  for await (const chunk of chunks) {
    parser.write(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    if (events.length > 0) yield events;
    events = [];
  }
  parser.write(decoder.decode()).close();
  if (events.length > 0) yield events;
}

function openParser(emit: (event: XmlEvent) => void): sax.SAXParser {
  const parser = sax.parser(true, { position: false });
  const text = (part: string): void => emit({ type: 'text', text: part });
  parser.onopentag = ({ name, attributes }) =>
    emit({ type: 'open', name: localName(name), attributes: attributes as Record<string, string> });
  parser.onclosetag = (name) => emit({ type: 'close', name: localName(name) });
  parser.ontext = text;
  parser.oncdata = text;
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new Error('a document type');
  };
  return parser;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
