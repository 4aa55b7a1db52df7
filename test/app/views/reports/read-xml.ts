import { SaxesParser } from 'saxes';

/** An element as an independent parser has read it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/** Throws where the text is not well-formed. */
export function readXml(text: string): Element {
  const root = { name: '', attributes: {}, children: [] as (Element | string)[] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const addText = (part: string): void => void open.at(-1)?.children.push(part);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(text).close();
  const found = root.children.find((child) => typeof child !== 'string');
  if (found === undefined || typeof found === 'string') throw new Error('There is no element.');
  return found;
}

/** An element and everything in it. */
export const elementsIn = (element: Element): Element[] => [
  element,
  ...element.children.flatMap((child) => (typeof child === 'string' ? [] : elementsIn(child))),
];

export const textIn = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
