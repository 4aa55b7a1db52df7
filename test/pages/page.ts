import { readdirSync, readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface Block {
  /** What stands behind the fence, such as `console`. */
  readonly language: string;
  readonly text: string;
  /** Of the text in the page, without the fences. */
  readonly start: number;
  readonly end: number;
  /** 1-based, of the opening fence. */
  readonly line: number;
  /** Commands that prepare the block and are not shown: a comment of HTML just before it, a command a line. */
  readonly hidden: readonly string[];
}

/** A page of the documentation. */
export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The page without its blocks, line for line. */
  readonly prose: string;
}

/** All pages that people read, README first. */
export const PAGES: readonly string[] = [
  'README.md',
  'src/README.md',
  'src/decisions.md',
  ...readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.includes('.dexsync'))
    .map((file) => `examples/${file.replaceAll('\\', '/')}`)
    .sort(),
];

export const readPage = (path: string): Page => parsePage(path, readFileSync(path, 'utf8'));

export function parsePage(path: string, text: string): Page {
  const found = [...text.matchAll(/(?:<!--\n((?:\$ .*\n)+)-->\n)?```(\w*)\n([\s\S]*?)^```$/gm)];
  const blocks = found.map(({ 0: whole, 1: hidden = '', 2: language = '', 3: content = '', index }): Block => {
    const end = index + whole.length - '```'.length;
    const start = end - content.length;
    const line = text.slice(0, start).split('\n').length - 1;
    return { language, text: content, start, end, line, hidden: hidden.split('\n').flatMap(commandOf) };
  });
  const prose = text.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  return { path, text, blocks, prose };
}

const commandOf = (line: string): string[] => (line.startsWith('$ ') ? [line.slice(2)] : []);

/** Code within the lines of a page, and the number of its line. */
export const inlineCode = ({ prose }: Page): { code: string; line: number }[] =>
  prose
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ code: code.replaceAll('\\|', '|'), line: index + 1 })),
    );

/** Where a link may lead to within a page, as GitHub names the headings. */
export function anchors({ prose }: Page): string[] {
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return headings.map((one, index) => {
    const before = headings.slice(0, index).filter((other) => other === one).length;
    return before === 0 ? one : `${one}-${before}`;
  });
}
