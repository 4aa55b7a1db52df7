/**
 * How a text file is cut into cells. `lenient`: a quote within an unquoted value is an ordinary character; `backslash`:
 * quotes within a quoted value have one before them.
 */
export interface CsvForm {
  readonly delimiter: string;
  readonly quotes: 'strict' | 'lenient' | 'backslash';
}
