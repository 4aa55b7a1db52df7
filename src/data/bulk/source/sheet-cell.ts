/** A cell as its worksheet writes it (ECMA-376 part 1, 18.3.1.4). */
export interface SheetCell {
  /** From 0. */
  readonly column: number;
  /** `s` shared string, `str` formula text, `inlineStr`, `b`, `e` error, `d` ISO date, `n` number. */
  readonly type: string;
  readonly style: number;
  readonly value: string | undefined;
  readonly formula: 'formula' | 'plain';
}
