import type { Place } from '#project/connection/place.js';

/** `prod (https://plm.example.com/v1, workspace "Production")`. */
/** Where something was read or done, in a sentence. */
export const whereText = ({ environment, workspace }: Pick<Place, 'environment' | 'workspace'>): string =>
  `environment ${environment} (workspace "${workspace}")`;

export const placeText = ({ environment, url, workspace }: Place): string =>
  `${environment} (${url}, workspace "${workspace}")`;
