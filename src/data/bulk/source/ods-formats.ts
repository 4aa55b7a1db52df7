import type { Attributes } from './xml-events.js';

/** A style of cells: its own number format, or that of its parent. */
interface CellStyle {
  readonly format: string | undefined;
  readonly parent: string | undefined;
}

const NUMBER_STYLES = new Set(['number-style', 'currency-style']);
const DEEPEST_PARENT = 20;

/**
 * Collects the number formats of cell styles (OpenDocument 1.3 part 3, 16.29) in the notation of XLSX, so that both
 * are shown alike. Formats of dates, times and percentages are left out: such cells state their type themselves.
 */
export class OdsFormats {
  readonly #formats = new Map<string, string>();
  readonly #styles = new Map<string, CellStyle>();
  /** The style for numbers that are not negative, if a format has several. */
  readonly #positive = new Map<string, string>();
  #open: { readonly name: string; code: string } | undefined;
  #literal: string | undefined;
  #places: { readonly digits: string; readonly fraction: string; readonly literals: [number, string][] } | undefined;
  #position = 0;

  open(name: string, attributes: Attributes): void {
    if (name === 'style' && attributes['style:family'] === 'table-cell') this.#addStyle(attributes);
    else if (NUMBER_STYLES.has(name)) this.#open = { name: attributes['style:name'] ?? '', code: '' };
    else if (this.#open !== undefined) this.#openInFormat(this.#open, name, attributes);
  }

  text(text: string): void {
    if (this.#literal !== undefined) this.#literal += text;
  }

  close(name: string): void {
    if (this.#open === undefined) return;
    if (name === 'text' || name === 'currency-symbol') this.#open.code += this.#takeLiteral();
    else if (name === 'embedded-text') this.#places?.literals.push([this.#position, this.#takeLiteral()]);
    else if (name === 'number') this.#closeNumber(this.#open);
    else if (NUMBER_STYLES.has(name)) {
      this.#formats.set(this.#open.name, this.#open.code);
      this.#open = undefined;
    }
  }

  /** The number format of a cell with this style. */
  formatOf(style: string | undefined): string {
    let name = style;
    for (let depth = 0; name !== undefined && depth < DEEPEST_PARENT; depth += 1) {
      const found = this.#styles.get(name);
      if (found?.format !== undefined) return this.#code(found.format);
      name = found?.parent;
    }
    return 'General';
  }

  #code(name: string): string {
    return this.#formats.get(this.#positive.get(name) ?? name) ?? 'General';
  }

  #addStyle(attributes: Attributes): void {
    this.#styles.set(attributes['style:name'] ?? '', {
      format: attributes['style:data-style-name'],
      parent: attributes['style:parent-style-name'],
    });
  }

  #openInFormat(format: { readonly name: string; code: string }, name: string, attributes: Attributes): void {
    if (name === 'text' || name === 'currency-symbol') this.#literal = '';
    else if (name === 'embedded-text') {
      this.#literal = '';
      this.#position = Number(attributes['number:position'] ?? 0);
    } else if (name === 'number') this.#openNumber(attributes);
    else if (name === 'map' && /^value\(\)>=?0$/.test(attributes['style:condition'] ?? '')) {
      this.#positive.set(format.name, attributes['style:apply-style-name'] ?? '');
    } else if (name === 'fraction' || name === 'scientific-number') format.code += 'General';
  }

  #openNumber(attributes: Attributes): void {
    const count = (name: string): number => Math.min(Number(attributes[`number:${name}`] ?? 0) || 0, 30);
    const decimals = attributes['number:min-decimal-places'] === undefined ? 'decimal-places' : 'min-decimal-places';
    const digits = '0'.repeat(count('min-integer-digits')) || '#';
    this.#places = {
      digits: attributes['number:grouping'] === 'true' ? `#,##${digits}` : digits,
      fraction: '0'.repeat(count(decimals)),
      literals: [],
    };
  }

  /** Inserts the literals at their places, which count from the right. */
  #closeNumber(format: { code: string }): void {
    const { digits = '#', fraction = '', literals = [] } = this.#places ?? {};
    const fromRight = literals.sort(([one], [other]) => one - other);
    const whole = fromRight.reduce(
      (code, [place, literal]) => code.slice(0, digits.length - place) + literal + code.slice(digits.length - place),
      digits,
    );
    format.code += fraction === '' ? whole : `${whole}.${fraction}`;
    this.#places = undefined;
  }

  #takeLiteral(): string {
    const literal = (this.#literal ?? '').replaceAll('"', '');
    this.#literal = undefined;
    return literal === '' ? '' : `"${literal}"`;
  }
}
