import { posix, sep } from 'node:path';
import type { Origin } from '#base/diagnostics.js';
import type { ReportSetting } from './report.js';

/** A place in a file. Its path starts at the root of the repository, with `/`; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** A place in a file whose path starts at the working folder or the configuration; undefined without a file. */
export function placeIn(
  { noFiles, root, ...setting }: ReportSetting,
  base: 'here' | 'project',
  { file, line, column, layer }: Pick<Origin, 'file'> & Partial<Origin>,
): Place | undefined {
  if (noFiles.includes(file) || layer === 'environment') return undefined;
  return {
    file: fromRoot(root, setting[base], file.replaceAll(sep, '/')),
    ...(line === undefined ? {} : { line: Math.max(1, line) }),
    ...(column === undefined ? {} : { column: Math.max(1, column) }),
  };
}

function fromRoot(root: string, base: string, file: string): string {
  if (!isWhole(file)) return posix.join(base, file);
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

const isWhole = (file: string): boolean => file.startsWith('/') || /^[A-Za-z]:\//.test(file);

/** A place as a property, if there is one. */
export const placeProperty = (place: Place | undefined): { readonly place?: Place } =>
  place === undefined ? {} : { place };

/** `manifests/groups.yaml:14:9`. */
export const placeText = ({ file, line, column }: Place): string =>
  [file, ...(line === undefined ? [] : [line]), ...(column === undefined ? [] : [column])].join(':');

/** A text as one part of a URI. Half a character, which a URI cannot contain, is replaced. */
export const uriPart = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));

/** A place as a URI reference: each name of the path is encoded separately. */
export function placeUri({ file }: Place): string {
  const path = file.split('/').map(uriPart).join('/');
  if (!isWhole(file)) return path;
  return file.startsWith('/') ? `file://${path}` : `file:///${path.replace('%3A', ':')}`;
}
