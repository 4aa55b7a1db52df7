import type { Place } from '#project/connection/place.js';

/** Where something was read or done, for a sentence. */
export const whereText = ({ environment, workspace }: Pick<Place, 'environment' | 'workspace'>): string =>
  `environment ${environment} (workspace "${workspace}")`;

/** `prod (https://plm.example.com/v1, workspace "Production")`. */
export const placeText = ({ environment, url, workspace }: Place): string =>
  `${environment} (${url}, workspace "${workspace}")`;
