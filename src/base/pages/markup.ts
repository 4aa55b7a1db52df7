import { escapeHtml } from './html-page.js';

/** Markup that `html` made, and that is not escaped again. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: texts are escaped, `undefined` and `false` are nothing. */
export type Part = Markup | string | number | undefined | false | readonly Part[];

/** Makes markup of a template. Everything that is filled in is escaped, for elements and quoted attributes alike. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(literals.map((literal, index) => literal + textOf(parts[index])).join(''));

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(textOf).join('');
}

/** A path of names, each of which may contain anything. */
export const pathOf = (...names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name)}`).join('');
