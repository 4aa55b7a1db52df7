import type { Attributes } from './xml-events.js';

const MOST_SPACES = 1000;

/**
 * Collects the text of a cell: its paragraphs, a line each, with white space as OpenDocument 1.3 part 3, 6.1.2 has it.
 * Leaves out comments and the texts of drawings.
 */
export class OdsText {
  #lines: string[] = [];
  #line: string | undefined;
  #depth = 0;
  /** The depth of an element whose texts do not belong to the cell. */
  #foreign: number | undefined;
  #characters = 0;

  get length(): number {
    return this.#characters;
  }

  /** How deep the elements within the cell are nested now. */
  get depth(): number {
    return this.#depth;
  }

  open(name: string, attributes: Attributes): void {
    this.#depth += 1;
    if (this.#foreign !== undefined) return;
    if (this.#line === undefined) {
      if (name === 'p' && this.#depth === 1) this.#line = '';
      else this.#foreign = this.#depth;
    } else if (name === 's') this.#add(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, MOST_SPACES)));
    else if (name === 'tab') this.#add('\t');
    else if (name === 'line-break') this.#add('\n');
    else if (name === 'annotation' || name === 'note' || name === 'ruby-text' || name === 'frame') {
      this.#foreign = this.#depth;
    }
  }

  close(): void {
    if (this.#foreign === this.#depth) this.#foreign = undefined;
    this.#depth -= 1;
    if (this.#depth > 0 || this.#line === undefined) return;
    this.#lines.push(this.#line);
    this.#line = undefined;
  }

  text(text: string): void {
    if (this.#line === undefined || this.#foreign !== undefined) return;
    const plain = text.replace(/[ \t\r\n]+/g, ' ');
    this.#add(this.#line === '' || this.#line.endsWith(' ') ? plain.replace(/^ /, '') : plain);
  }

  #add(text: string): void {
    this.#line += text;
    this.#characters += text.length;
  }

  /** Returns the text and starts over; undefined if there was no paragraph. */
  take(): string | undefined {
    const lines = this.#lines;
    this.#lines = [];
    this.#depth = 0;
    this.#characters = 0;
    return lines.length === 0 ? undefined : lines.join('\n');
  }
}
