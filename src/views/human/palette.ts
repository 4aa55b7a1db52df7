import colors from 'picocolors';

export type Palette = ReturnType<typeof colors.createColors>;

export const paletteOf = (color: 'color' | 'plain'): Palette => colors.createColors(color === 'color');
