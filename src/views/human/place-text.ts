import type { Place } from '../../connection/place.js';

/** `prod (https://plm.example.com/v1, workspace "Production")`. */
export const placeText = ({ environment, url, workspace }: Place): string =>
  `${environment} (${url}, workspace "${workspace}")`;
