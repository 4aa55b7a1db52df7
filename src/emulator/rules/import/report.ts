import { closeSync, openSync, writeSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import type { ImportDefinition } from '../../families/import-definitions.js';
import type { SourceRow } from '../../sources/source.js';
import { REPORT_COLUMNS, REPORT_RESOURCE } from '../../store/imports.js';
import type { RunFiles } from '../../store/run-files.js';
import type { ErrorDetail } from '../service-error.js';
import type { Columns } from './columns.js';

/** The header of the error report, exactly as interface 2.3 has it. */
const ERROR_HEADER = ['Row Number', 'Number', 'Status', 'Error Code', 'Error Message'];

const SUCCESS = 'Success';
const FAILURE = 'Error';

/** The number of lines to buffer before they are written. */
const BUFFERED = 2000;

class CsvFile {
  readonly #file: number;
  #open = true;
  #lines: string[][] = [];

  constructor(path: string, header: readonly string[]) {
    this.#file = openSync(path, 'w');
    this.#lines.push([...header]);
  }

  add(line: readonly string[]): void {
    this.#lines.push([...line]);
    if (this.#lines.length >= BUFFERED) this.#flush();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#lines.length > 0)
      writeSync(this.#file, stringify(this.#lines, { record_delimiter: 'windows', quoted_match: /[\r\n]/ }));
    this.#lines = [];
  }
}

/** Writes the two reports of a run: the failed rows (interface 2.3), and all rows with the columns of the mapping. */
export class Report {
  readonly #errors: CsvFile;
  readonly #results: CsvFile;
  readonly #shown: readonly number[];

  constructor(files: RunFiles, run: string, definition: ImportDefinition, { columns }: Columns) {
    const shown = columns.filter((column) => column.inResponse);
    this.#shown = shown.map((column) => column.index);
    this.#errors = new CsvFile(files.path(run, 'error'), ERROR_HEADER);
    const names = shown.map((column) => column.sourceName);
    this.#results = new CsvFile(files.path(run, 'result'), [...names, ...reportNames(definition)]);
  }

  success(row: SourceRow): void {
    this.#results.add([...this.#cells(row), SUCCESS, '', '']);
  }

  /** `number` identifies the record (wire-facts 0). */
  failure(row: SourceRow, { code, message }: ErrorDetail, number: string): void {
    this.#errors.add([String(row.number), number, FAILURE, String(code), message]);
    this.#results.add([...this.#cells(row), FAILURE, String(code), message]);
  }

  /** Closes the reports; closing them again does nothing. */
  close(): void {
    this.#errors.close();
    this.#results.close();
  }

  #cells(row: SourceRow): string[] {
    return this.#shown.map((index) => row.cells[index] ?? '');
  }
}

/** Names the columns besides the data; a mapping of the resource "import" may change the names (wire-facts 4). */
function reportNames({ options }: ImportDefinition): string[] {
  const renamed = new Map(
    (options.mapping ?? [])
      .filter((entry) => entry.resource === REPORT_RESOURCE)
      .map((entry) => [entry.apiName, entry.sourceName]),
  );
  return REPORT_COLUMNS.map((column) => renamed.get(column) ?? column);
}
