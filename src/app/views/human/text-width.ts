import stringWidth from 'string-width';

const ASCII = /^[ -~]*$/;

/** The columns of a text in a terminal. Only texts beyond ASCII load the tables of Unicode. */
export const textWidth = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));
