import stringWidth from 'string-width';

const ASCII = /^[ -~]*$/;

/** The columns that a text takes in a terminal. To measure characters of other scripts loads the tables of Unicode. */
export const textWidth = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));
