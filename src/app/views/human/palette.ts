import colors from 'picocolors';

/** Functions that colour text, or return it unchanged for plain output. */
export type Palette = ReturnType<typeof colors.createColors>;

/** The palette of `color`, regardless of the environment. */
export const createPalette = (color: 'color' | 'plain'): Palette => colors.createColors(color === 'color');
