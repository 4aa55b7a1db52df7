/** How a text file is cut into cells. `lenient`: a quote within a value that is not quoted is a character like others. */
export interface CsvForm {
  readonly delimiter: string;
  readonly quotes: 'strict' | 'lenient';
}
