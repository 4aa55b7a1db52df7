/** `1 row`, `7 rows`. */
export const rowPhrase = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;
