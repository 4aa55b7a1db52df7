import { type Command, InvalidArgumentError, Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportFileOptions } from '../library/library.js';
import { assignment, collectTexts, pickGiven } from './option-values.js';

type ImportSource = ImportFileOptions['source'];
type ConditionsByColumn = NonNullable<ImportSource['where']>;

/** Flags of `addSourceOptions`. */
export interface SourceFlags {
  readonly pick?: NonNullable<ImportSource['pick']>;
  readonly worksheet?: string;
  readonly headerRow?: number;
  /** False: the table has no header. */
  readonly header?: boolean;
  readonly headerRows?: number;
  readonly comment?: string;
  readonly range?: string;
  readonly skipBlank?: boolean;
  readonly stopAt?: NonNullable<ImportSource['stopAt']>;
  readonly delimiter?: string;
  readonly encoding?: NonNullable<ImportSource['encoding']>;
  readonly quotes?: NonNullable<ImportSource['quotes']>;
  readonly shortRows?: NonNullable<ImportSource['shortRows']>;
  readonly hidden?: NonNullable<ImportSource['hidden']>;
  readonly fillDown?: readonly string[];
  readonly wrapped?: readonly string[];
  readonly where?: ConditionsByColumn;
  readonly rename?: Readonly<Record<string, string>>;
  readonly set?: Readonly<Record<string, string>>;
}

/** Adds options for finding the rows in a file, as `source` of an Import manifest has them. */
export const addSourceOptions = (command: Command): Command =>
  rowOptions(textFileOptions(sheetOptions(command.optionsGroup('File options:')))).optionsGroup('Options:');

/** Options for the file and the part of it that is read. */
const sheetOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--pick <which>', 'which file to use if the quoted name has * or ?; newest: the last by name').choices(
        ['only', 'newest'],
      ),
    )
    .option(
      '--worksheet <name>',
      'worksheet of a workbook; by default the first. A name with * reads all that match as one table',
    )
    .option('--header-row <n>', 'number of the row with the headers', parseRowNumber)
    .option('--header-rows <n>', 'how many rows the header has; their texts are joined', parseRowNumber)
    .option('--no-header', 'read a table without headers; its columns get the names A, B, C')
    .option('--comment <text>', 'leave out rows that begin with this text, such as #')
    .option('--range <cells>', 'part to read, such as B5:H200, B5:H or B:H', parseCellRange)
    .option('--no-skip-blank', 'keep blank rows between other rows')
    .option(
      '--stop-at <row>',
      'stop before the first blank row (blank) or the first row with COLUMN=VALUE',
      parseStopAt,
    );

const textFileOptions = (command: Command): Command =>
  command
    .option(
      '--delimiter <character>',
      'delimiter of a text file, \\t for a tab, aligned if spaces align the columns; by default detected',
      parseCharacter,
    )
    .addOption(
      new Option('--encoding <name>', 'encoding of a text file; by default detected').choices([
        'utf-8',
        'utf-16le',
        'utf-16be',
        'windows-1250',
        'windows-1251',
        'windows-1252',
        'windows-1253',
        'windows-1254',
        'windows-1257',
        'iso-8859-2',
        'iso-8859-15',
        'cp850',
        'cp852',
        'cp866',
        'shift_jis',
        'gb18030',
      ]),
    )
    .addOption(
      new Option(
        '--quotes <rule>',
        'how to read quotes; lenient: keep a quote within an unquoted value; backslash: a quoted one is \\"',
      ).choices(['strict', 'lenient', 'backslash']),
    )
    .addOption(
      new Option('--short-rows <rule>', 'rows with fewer cells than the header; by default reported').choices([
        'report',
        'allow',
      ]),
    );

/** Options for the rows that are used and the content of their cells. */
const rowOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--hidden <rule>', 'hidden rows and columns of a worksheet; by default read with a warning').choices([
        'read',
        'skip',
      ]),
    )
    .option(
      '--fill-down <column>',
      'fill empty cells with the value above; can be repeated. merged: the cells of merged ranges, in all columns',
      collectTexts,
    )
    .option(
      '--wrapped <column>',
      'a row with values in such columns alone continues the row above; can be repeated',
      collectTexts,
    )
    .option(
      '--where <column=value>',
      'only rows with this value (COLUMN!=VALUE: without it); can be repeated',
      addCondition,
    )
    .option('--rename <header=new>', 'give a column another header; can be repeated', assignment('HEADER'))
    .option(
      '--set <column=value>',
      'add a column with the same value in all rows; can be repeated',
      assignment('COLUMN'),
    );

/** The source of an import for these flags. */
export function toImportSource(file: string, flags: SourceFlags): ImportSource {
  const { fillDown, set, skipBlank, wrapped } = flags;
  return {
    file,
    ...pickGiven(flags, 'pick', 'worksheet', 'headerRow'),
    ...headerOption(flags),
    ...pickGiven(flags, 'comment', 'range'),
    ...(skipBlank === false ? { skipBlank } : {}),
    ...pickGiven(flags, 'stopAt', 'delimiter', 'encoding', 'quotes', 'shortRows', 'hidden'),
    ...(fillDown === undefined ? {} : { fillDown: fillDown.join() === 'merged' ? ('merged' as const) : [...fillDown] }),
    ...(wrapped === undefined ? {} : { wrapped: [...wrapped] }),
    ...pickGiven(flags, 'where', 'rename'),
    ...omitUndefined({ constants: set }),
  };
}

function headerOption({ header, headerRows }: SourceFlags): Pick<ImportSource, 'header'> {
  if (header === false) return { header: 'none' };
  return headerRows === undefined ? {} : { header: { rows: headerRows } };
}

function parseRowNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Rows are numbered from 1.');
  return Number(text);
}

function parseCellRange(text: string): string {
  if (/^[A-Z]{1,3}([1-9]\d*)?:[A-Z]{1,3}([1-9]\d*)?$/i.test(text)) return text;
  throw new InvalidArgumentError('Write B5:H200, B5:H or B:H.');
}

function parseStopAt(text: string): NonNullable<ImportSource['stopAt']> {
  const [column = '', ...value] = text.split('=');
  if (text === 'blank') return text;
  if (column === '' || value.length === 0) throw new InvalidArgumentError('Write blank or COLUMN=VALUE.');
  return { column, value: value.join('=') };
}

/** Values of one column are alternatives; = and != for the same column are mutually exclusive. */
function addCondition(text: string, before: ConditionsByColumn = {}): ConditionsByColumn {
  const [, column, not, value = ''] = /^(.+?)(!?)=(.*)$/s.exec(text) ?? [];
  if (column === undefined) throw new InvalidArgumentError('Write COLUMN=VALUE or COLUMN!=VALUE.');
  const known = before[column];
  const values = [...valuesOf(known), value];
  if (known !== undefined && isNegated(known) !== (not === '!')) {
    throw new InvalidArgumentError(
      `The column "${column}" has a condition with = and one with !=. Use only one of them.`,
    );
  }
  return { ...before, [column]: not === '!' ? { not: values } : values };
}

type ColumnCondition = ConditionsByColumn[string];

const isNegated = (condition: ColumnCondition): boolean => typeof condition === 'object' && !Array.isArray(condition);

const valuesOf = (condition: ColumnCondition | undefined): string[] =>
  condition === undefined
    ? []
    : ([isNegated(condition) ? (condition as { not: string | string[] }).not : condition].flat() as string[]);

/** Parses one character; shells pass `\t` as two. */
function parseCharacter(text: string): string {
  const character = text === '\\t' ? '\t' : text;
  if (character.length !== 1 && character !== 'aligned')
    throw new InvalidArgumentError('Give one character, \\t for a tab, or aligned.');
  return character;
}
