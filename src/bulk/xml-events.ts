/** Names are without their prefix; `attribute` decodes on demand. An empty element is an open and a close. */
export type XmlEvent =
  | { readonly type: 'open'; readonly name: string; readonly attributes: string }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'text'; readonly text: string };

const TAG = /<(\/?)(?:[^\s/>:]+:)?([^\s/>:]+)((?:[^>"']|"[^"]*"|'[^']*')*)>/y;
const LONGEST = 4 * 1024 * 1024;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Markup that is skipped, by how it starts, with how it ends. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;
const CDATA = ['<![CDATA[', ']]>'] as const;

/**
 * The events of a UTF-8 XML document, in batches, with memory for one tag or text at a time. Throws on what is not
 * well-formed and on a document type, which no worksheet has and which could expand without end.
 */
export async function* xmlEvents(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<XmlEvent[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const events: XmlEvent[] = [];
    rest = rest.slice(take(rest, events));
    if (rest.length > LONGEST) throw new Error('a text or tag without end');
    if (events.length > 0) yield events;
  }
  if ((rest + decoder.decode()).trim() !== '') throw new Error('the XML ends in the middle');
}

/** The value of one attribute, or undefined. */
export function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found === null ? undefined : decoded(found[1] ?? found[2] ?? '');
}

/** Adds what is complete to `events`; the answer is how many characters that was. */
function take(text: string, events: XmlEvent[]): number {
  let at = 0;
  for (;;) {
    const start = text.indexOf('<', at);
    if (start === -1) return at;
    if (start > at) events.push({ type: 'text', text: decoded(text.slice(at, start)) });
    const end =
      text.startsWith('<!', start) || text.startsWith('<?', start)
        ? special(text, start, events)
        : tag(text, start, events);
    if (end === undefined) return start;
    at = end;
  }
}

function tag(text: string, start: number, events: XmlEvent[]): number | undefined {
  TAG.lastIndex = start;
  const found = TAG.exec(text);
  if (found === null) return undefined;
  const [whole, closing, name = '', attributes = ''] = found;
  if (closing === '') events.push({ type: 'open', name, attributes });
  if (closing !== '' || attributes.endsWith('/')) events.push({ type: 'close', name });
  return start + whole.length;
}

function special(text: string, start: number, events: XmlEvent[]): number | undefined {
  for (const [opening, closing] of [CDATA, ...SKIPPED]) {
    if (!text.startsWith(opening, start)) continue;
    const end = text.indexOf(closing, start + opening.length);
    if (end === -1) return undefined;
    if (opening === CDATA[0]) events.push({ type: 'text', text: text.slice(start + opening.length, end) });
    return end + closing.length;
  }
  if (text.length - start < CDATA[0].length) return undefined;
  throw new Error('a document type or unknown markup');
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;\s]*);?/g, (whole, entity: string) => {
    const code = /^#x[0-9a-f]+$/i.test(entity)
      ? Number.parseInt(entity.slice(2), 16)
      : /^#\d+$/.test(entity)
        ? Number(entity.slice(1))
        : Number.NaN;
    const value = Number.isNaN(code) ? ENTITIES[entity] : String.fromCodePoint(code);
    if (value === undefined || !whole.endsWith(';')) throw new Error(`an unknown entity ${whole}`);
    return value;
  });
}
