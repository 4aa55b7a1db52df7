/** The requests that an apply leaves of a daily quota if the configuration does not say: enough to look and to repair. */
export const defaultReserve = (limit = 0): number => Math.max(20, Math.ceil(limit * 0.05));
