/** An environment as DEXSYNC_..._URL and its like write it. */
export const overrideKey = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
