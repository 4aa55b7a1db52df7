/** A journal as versions wrote it that had no hashes: it can be edited, and counts as it is. */
export const unchained = (text: string): string =>
  text.replaceAll(/,"chain":"\w+"\}$/gm, '}').replace(/"previous":\{[^{}]*\},/, '');
