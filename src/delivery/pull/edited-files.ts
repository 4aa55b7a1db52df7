import { isMap, parseDocument } from 'yaml';
import { FOR_EACH } from '#core/manifest/for-each.js';
import type { Manifest } from '#core/model/document.js';
import { type EditOutcome, editDocument, offsetAt, type Slices, sliceDocuments } from './edit-yaml.js';
import { type Edit, editPointer } from './edits.js';
import { readText, type SourceText, writtenText } from './source-text.js';

/** The result of an edit: made in place, or why it is left to a person. */
export type Edited = 'made' | 'expression' | 'for-each' | 'unsafe';

interface OpenFile extends SourceText {
  readonly content: string;
  readonly slices: Slices;
  /** The documents with the edits so far. */
  readonly texts: string[];
}

/** Manifest files during editing. What is not edited stays byte for byte. */
export class EditedFiles {
  readonly #files = new Map<string, OpenFile>();

  /** Takes the contents of files as read, by their names relative to the project. */
  constructor(contents: ReadonlyMap<string, string>) {
    for (const [file, content] of contents) {
      const source = readText(content);
      const slices = sliceDocuments(source.text);
      this.#files.set(file, { ...source, content, slices, texts: slices.documents.map(({ text }) => text) });
    }
  }

  /** Edits the document that contains a value of the manifest. */
  edit(manifest: Manifest, edit: Edit): Edited {
    const place =
      edit.is === 'set' && edit.isNew === true ? editPointer(edit).replace(/\/[^/]*$/, '') : editPointer(edit);
    const { file: name, line, column } = manifest.origins.value(place);
    const file = this.#files.get(name);
    if (file === undefined) return 'unsafe';
    const offset = offsetOf(file.text, line, column);
    const index = file.slices.documents.findLastIndex((one) => one.offset <= offset);
    const original = file.slices.documents[index];
    const current = file.texts[index];
    if (original === undefined || current === undefined) return 'unsafe';
    if (isRepeated(original.text)) return 'for-each';
    const own = offsetAt(original.text, place);
    if (own === undefined || own + original.offset !== offset) return 'unsafe';
    const outcome: EditOutcome = editDocument(current, edit);
    if ('left' in outcome) return outcome.left;
    file.texts[index] = outcome.text;
    return 'made';
  }

  /** Returns a file with the edits so far, with `\n` at the end of each line; undefined if there is none. */
  text(name: string): string | undefined {
    const file = this.#files.get(name);
    return file === undefined ? undefined : file.slices.before + file.texts.join('');
  }

  /** Converts a text to the form of the file that it replaces. */
  asWritten(name: string, text: string): string {
    const file = this.#files.get(name);
    return file === undefined ? text : writtenText(text, file);
  }

  /** Returns the content of a file as it was read. */
  content(name: string): string | undefined {
    return this.#files.get(name)?.content;
  }

  names(): readonly string[] {
    return [...this.#files.keys()];
  }
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let count = 1; count < line; count += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return start + column - 1;
}

/** Whether one document describes an object for each item of a list: an edit would change them all. */
function isRepeated(text: string): boolean {
  const { contents } = parseDocument(text);
  return isMap(contents) && contents.has(FOR_EACH);
}
