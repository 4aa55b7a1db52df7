import type { Case } from './generators.js';

/** Cases that failed once, as small as they became. */
export const KEPT: readonly Case[] = [];
