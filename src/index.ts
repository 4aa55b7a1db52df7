/** The library of dexsync. */
export * from './app/library/library.js';
