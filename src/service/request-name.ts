import { type Guid, looksLikeGuid } from '#core/model/kind.js';
import type { Request } from './send.js';

/** Stands where a GUID stood: GUIDs mean nothing to people, and appear in no message and no journal's words. */
const HIDDEN = '{guid}';

/** `PUT /imports/{guid}/runs/{guid}`: a request as messages call it. `--trace` shows it whole. */
export const nameOfRequest = ({ method, path }: Pick<Request, 'method' | 'path'>): string =>
  `${method} ${path.split('/').map(hideSegment).join('/')}`;

/** The service's own words without the GUIDs that it quotes (wire-facts 2.1: `The guid "X" is not valid.`). */
export const withoutGuids = (text: string): string => text.replaceAll(/[A-Za-z0-9]+/g, hideGuid);

/** The same, with each GUID that is known, quoted or not, told as what it stands for: `attribute "Weight in Grams"`. */
export const withNames =
  (wordsFor: (guid: Guid) => string | undefined) =>
  (text: string): string =>
    withoutGuids(
      text.replaceAll(/"([\w.~-]+)"|[\w~-]+/g, (whole, quoted?: string) => wordsFor(quoted ?? whole) ?? whole),
    );

const hideGuid = (word: string): string => (looksLikeGuid(word) ? HIDDEN : word);

/** Endpoints are words of letters; what holds a digit is an object's. */
const hideSegment = (segment: string): string => (/\d/.test(segment) ? HIDDEN : hideGuid(segment));
