import { stringify } from 'yaml';
import { withoutReferences } from '#core/manifest/interpolate.js';
import { manifestYaml } from '#core/manifest/manifest-yaml.js';
import type { Json } from '#core/model/json.js';
import { type LiveManifest, liveMetadata } from '#project/live/describe-live.js';

/** Returns the line by which editors find the schema, relative to the file. */
export const modeline = (schema: string): string => `# yaml-language-server: $schema=${schema}\n`;

/**
 * Formats a live object as a document of a manifest file. An object that no manifest can describe becomes a comment,
 * and so do fields that stay unnamed.
 */
export function newDocument(manifest: LiveManifest): string {
  if (manifest.unwritable !== undefined) return leftComment(manifest);
  const { kind, lean, heldBack } = manifest;
  const notes = heldBack.map(({ path, value, finding }) => {
    const example = path.split('.').reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    return toComment(
      `${[finding.message, finding.hint ?? []].flat().join(' ')}\n${stringify(withoutReferences(example), { lineWidth: 0 })}`,
    );
  });
  return notes.join('') + manifestYaml({ kind, metadata: liveMetadata(manifest), spec: lean });
}

/** Formats an unmanaged object as a comment, always the same, so that it is found once the object is managed. */
function leftComment(manifest: LiveManifest): string {
  const { kind, number, whole, lean, unwritable } = manifest;
  const isTwin = unwritable === undefined || unwritable.startsWith('another object');
  const which = number === undefined ? '' : ` (#${number})`;
  const reason = isTwin ? 'several objects have this name' : unwritable;
  const text = manifestYaml({ kind, metadata: liveMetadata(manifest), spec: isTwin ? lean : whole }, 'lines');
  return toComment(`Not managed${which}: ${reason}.\n${text}`);
}

/** Removes the comment of an object that has a manifest now, even if the comment has another name for it. */
export function withoutComment(text: string, manifest: LiveManifest): string {
  const comment = leftComment(manifest);
  const found = text.indexOf(comment);
  if (found >= 0) return withoutPart(text, found, found + comment.length);
  if (manifest.number === undefined) return text;
  const [before = '', after = ''] = leftComment({ ...manifest, name: 'NAME' }).split('#   name: NAME\n');
  const from = text.indexOf(`${before}#   name: `);
  const end = text.indexOf('\n', from + before.length) + 1;
  return from >= 0 && text.startsWith(after, end) ? withoutPart(text, from, end + after.length) : text;
}

/** Removes a part, and the blank line below it. */
const withoutPart = (text: string, from: number, end: number): string =>
  text.slice(0, from) + text.slice(end).replace(/^\n/, '');

const toComment = (text: string): string => text.replaceAll(/(?<=^|\n)(?=[^\n])/g, '# ');

/** Creates a file, or appends documents to an existing one. Does not repeat comments that it already has. */
export function withDocuments(before: string | undefined, documents: readonly string[], head: string): string {
  const missing = documents.filter((document) => before === undefined || !before.includes(document));
  if (before === undefined || before.trim() === '') return head + joinDocuments(missing);
  if (missing.length === 0) return before;
  const gap = before.endsWith('\n') ? '' : '\n';
  return `${before}${gap}---\n${joinDocuments(missing)}`;
}

/** Joins documents with `---`, except before comments and after leading comments. */
const joinDocuments = (documents: readonly string[]): string =>
  documents.reduce((text, document, index) => {
    const before = documents.slice(0, index);
    const gap = before.slice(-1).some(isComment) ? '\n' : '';
    return `${text}${gap}${before.every(isComment) || isComment(document) ? '' : '---\n'}${document}`;
  }, '');

const isComment = (document: string): boolean => !/^[^#\n]/m.test(document);
