import { type Guid, looksLikeGuid } from '#core/model/kind.js';
import type { Request } from './send.js';

/** Replaces GUIDs, which mean nothing to people and appear neither in messages nor in texts of journals. */
const HIDDEN = '{guid}';

/** Names a request as messages do: `PUT /imports/{guid}/runs/{guid}`. `--trace` shows it whole. */
export const nameOfRequest = ({ method, path }: Pick<Request, 'method' | 'path'>): string =>
  `${method} ${path.split('/').map(hideSegment).join('/')}`;

/** Hides the GUIDs that the service quotes in its texts (wire-facts 2.1: `The guid "X" is not valid.`). */
export const withoutGuids = (text: string): string => text.replaceAll(/[A-Za-z0-9]+/g, hideGuid);

/** Also replaces each known GUID, quoted or not, by the object that it means: `attribute "Weight in Grams"`. */
export const withNames =
  (wordsFor: (guid: Guid) => string | undefined) =>
  (text: string): string =>
    withoutGuids(
      text.replaceAll(/"([\w.~-]+)"|[\w~-]+/g, (whole, quoted?: string) => wordsFor(quoted ?? whole) ?? whole),
    );

const hideGuid = (word: string): string => (looksLikeGuid(word) ? HIDDEN : word);

/** Hides segments that identify objects: the names of endpoints consist of letters, so a digit marks an object. */
const hideSegment = (segment: string): string => (/\d/.test(segment) ? HIDDEN : hideGuid(segment));
