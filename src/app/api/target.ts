import { DexsyncError } from '#base/errors.js';

/** Where a request goes. */
export interface RequestTarget {
  /** Without its query. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** The path and query as sent. */
  readonly whole: string;
}

/**
 * Joins a path of the command line with fields of the query. Throws USAGE for anything that could name another service,
 * climb out of the base address, or log in.
 */
export function toRequestTarget(given: string, fields: readonly (readonly [string, string])[]): RequestTarget {
  if (!/^\/(?!\/)/.test(given)) {
    const absolute = /^([a-z][a-z0-9+.-]*:)?\/\//i.test(given);
    const message = absolute ? `"${given}" is a full URL; give only the path.` : `"${given}" does not begin with "/".`;
    throw new DexsyncError('USAGE', message, {
      hint: 'Give a path such as `/settings/usergroups`, and choose the environment with `--env`; requests go only to its service.',
    });
  }
  const [path = '', ...rest] = encodePath(given).split('?');
  if (/(^|\/)\.\.?(\/|$)/.test(decodePath(path))) {
    throw new DexsyncError('USAGE', `"${given}" contains a "." or ".." segment.`, {
      hint: 'Write the path without such segments.',
    });
  }
  if (path.replace(/\/+$/, '') === '/login') {
    throw new DexsyncError('USAGE', 'dexsync logs in on its own, and a second login would end its session.', {
      hint: "Every other path is sent with the environment's login.",
    });
  }
  const query = [...new URLSearchParams(rest.join('?')), ...fields];
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  return { path, query, whole: query.length === 0 ? path : `${path}?${search}` };
}

/** Escapes characters that a path cannot contain; existing escapes stay. */
const encodePath = (text: string): string =>
  text.replaceAll(/[^\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]/gu, (character) => encodeURIComponent(character));

const decodePath = (path: string): string => path.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/');
