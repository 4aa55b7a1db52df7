import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';

/** The variable of a job that says which branch has the signers and roles: `origin/main`. */
export const REF_VARIABLE = 'DEXSYNC_REVIEWS_REF';

/** Whether reviews may be asked for, as far as it shows without the protected branch. */
export const mayNeedReviews = ({ reviews }: Pick<Config, 'reviews'>, { variables }: Pick<Host, 'variables'>): boolean =>
  reviews !== undefined || Boolean(variables[REF_VARIABLE]);
