import colors from 'picocolors';

/** Colours of a terminal; of a plain one, functions that change nothing. */
export type Palette = ReturnType<typeof colors.createColors>;

/** The palette of `color`, whatever the environment says: cli.ts has decided already. */
export const paletteOf = (color: 'color' | 'plain'): Palette => colors.createColors(color === 'color');
