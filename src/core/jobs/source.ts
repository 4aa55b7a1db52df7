import { object, serverDefault } from '../model/fields.js';
import { type Static, Type } from '../model/schema.js';
import { cellOptions, hierarchySchema } from './source-cells.js';

/** Unicode, and the encodings of one language or a few. */
const ENCODINGS = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253'] as const),
  ...(['windows-1254', 'windows-1257', 'iso-8859-2', 'iso-8859-15', 'cp850', 'cp852', 'cp866'] as const),
  ...(['shift_jis', 'gb18030'] as const),
];

const headerSchema = (description: string) => Type.String({ minLength: 1, description });
const valuesSchema = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })], {
  description: 'a value, or a list of values of which the cell has one ("" is an empty cell)',
});

const conditionSchema = Type.Union(
  [
    valuesSchema,
    object(
      { not: valuesSchema },
      { description: 'a map such as { not: obsolete }, for rows with none of these values' },
    ),
  ],
  {
    description: '{ Type: [Part, Assembly] }, { DNP: "" } or { Status: { not: obsolete } }.',
  },
);

const stopAtSchema = Type.Union(
  [
    Type.Literal('blank'),
    object({ column: headerSchema('Header of the column.'), value: Type.String({ description: 'The whole cell.' }) }),
  ],
  {
    description:
      'Where the table ends: at the first blank row, or at the first row with a given value in a column, such as { column: Part, value: Total }. That row and the rows below it are not read.',
  },
);

/** How to find the rows of a list in its file. All columns have their names after `rename`. */
export const rowSourceSchema = object(
  {
    file: Type.String({
      minLength: 1,
      description:
        'CSV, TSV, XLSX, XLS or ODS file, relative to the manifest. In the file name, * matches any characters and ? one character, unless a file has exactly this name.',
    }),
    pick: Type.Optional(
      Type.Union([Type.Literal('only'), Type.Literal('newest')], {
        description:
          'Which file is read if the name contains * or ?: only (several matches are an error) or newest (the last by name; numbers are compared as numbers, so parts-2026-11-21.csv comes after parts-2026-9-30.csv).',
        ...serverDefault('only'),
      }),
    ),
    worksheet: Type.Optional(
      Type.Union(
        [
          Type.String({ minLength: 1 }),
          Type.Array(Type.String({ minLength: 1, description: 'Name of a worksheet.' }), {
            minItems: 1,
            uniqueItems: true,
            description: 'Names of worksheets.',
          }),
        ],
        {
          description:
            'Worksheet of a workbook; the first by default. A list of names, or a name with *, reads several worksheets with one header as one table; * alone reads all that are shown.',
        },
      ),
    ),
    headerRow: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Row with the headers, as counted in the file; blank rows from there on are skipped.',
        ...serverDefault(1),
      }),
    ),
    header: Type.Optional(
      Type.Union(
        [
          Type.Literal('none'),
          object(
            { rows: Type.Integer({ minimum: 1, maximum: 10, description: 'How many rows the header has.' }) },
            { description: '{ rows: 2 } for headers in two rows' },
          ),
        ],
        {
          description:
            'Whether the table has headers: { rows: 2 } joins the texts of two header rows, those above merged cells included (Size Length); none: columns have the names A, B, C as in a worksheet, and the first row is data.',
        },
      ),
    ),
    comment: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Rows whose first filled cell begins with this text, such as #, are not read.',
      }),
    ),
    range: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{1,3}([1-9][0-9]*)?:[A-Za-z]{1,3}([1-9][0-9]*)?$',
        description:
          'A range such as B5:H200, B5:H (to the end) or B:H. Only this part of the sheet, or of the lines and columns of a text file, is read. Its first row that is not blank has the headers, unless headerRow is set.',
      }),
    ),
    skipBlank: Type.Optional(
      Type.Boolean({
        description: 'Skip rows without any value. false: blank rows between others are read as rows.',
        ...serverDefault(true),
      }),
    ),
    stopAt: Type.Optional(stopAtSchema),
    delimiter: Type.Optional(
      Type.String({
        pattern: '^(?:[^\\r\\n]|aligned)$',
        description:
          'One character between the cells of a text file, or aligned. By default detected from its first lines: comma, semicolon, tab or |; aligned: spaces or runs of tabs align the columns below their headers.',
      }),
    ),
    encoding: Type.Optional(
      Type.Unsafe<(typeof ENCODINGS)[number]>(
        Type.Union(
          ENCODINGS.map((encoding) => Type.Literal(encoding)),
          {
            description:
              'Encoding of a text file. By default detected as UTF-8 or UTF-16, otherwise by its letters, with a warning. Bytes that do not fit the encoding set here are an error.',
          },
        ),
      ),
    ),
    quotes: Type.Optional(
      Type.Union([Type.Literal('strict'), Type.Literal('lenient'), Type.Literal('backslash')], {
        description:
          'Quotes in a text file. strict: RFC 4180; anything else is an error with its line. lenient: a quote within a value that does not begin with a quote is kept as it is (5" wheel). backslash: a quote within a quoted value is written \\", as some programs do.',
        ...serverDefault('strict'),
      }),
    ),
    shortRows: Type.Optional(
      Type.Union([Type.Literal('report'), Type.Literal('allow')], {
        description:
          'Rows of a text file with fewer cells than the header. report: an error if a mapped cell is missing. allow: the missing cells are empty.',
        ...serverDefault('report'),
      }),
    ),
    hidden: Type.Optional(
      Type.Union([Type.Literal('read'), Type.Literal('skip')], {
        description:
          'Hidden rows and columns of a worksheet. By default they are read, with a warning that gives their number.',
      }),
    ),
    fillDown: Type.Optional(
      Type.Union(
        [Type.Literal('merged'), Type.Array(headerSchema('Header of a column.'), { minItems: 1, uniqueItems: true })],
        {
          description:
            'Columns whose empty cells take the value above them. merged: only the cells of merged ranges take the value of their range, in all columns of a worksheet.',
        },
      ),
    ),
    wrapped: Type.Optional(
      Type.Array(headerSchema('Header of a column.'), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Columns whose texts go on in the next rows: a row that has values in these columns alone continues the row above it. Lists are joined with a comma, other texts with a space.',
      }),
    ),
    splitRows: Type.Optional(
      object(
        {
          columns: Type.Array(headerSchema('Header of a column.'), {
            minItems: 1,
            uniqueItems: true,
            description: 'Columns with several values in a cell, such as [Manufacturer, MPN].',
          }),
          at: Type.Optional(
            Type.String({ minLength: 1, description: 'The text between two values; line breaks by default.' }),
          ),
        },
        {
          description:
            'Makes a row for each of the values: the first of each column, the second, and so on. A single value is that of all rows; other numbers of values are an error.',
        },
      ),
    ),
    where: Type.Optional(
      Type.Record(Type.String(), conditionSchema, {
        description:
          'Conditions by column; a row is read if it meets all of them. They compare the cells of the file, after fillDown, or those of an added column. White space around cells is ignored, letter case is not.',
      }),
    ),
    rename: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        description:
          'New names for headers of the file, such as { "Part Nr.": Part Number }. The second column with a repeated header is named Manufacturer#2; a column without a header is named by its letter, such as { C: Remarks }.',
      }),
    ),
    ...cellOptions,
  },
  { description: 'Where the rows come from.' },
);

/** How to find the rows of an import in its file. */
export const importSourceSchema = object(
  {
    ...rowSourceSchema.properties,
    hierarchy: Type.Optional(hierarchySchema),
    files: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Folder or pattern of the physical files that the rows refer to, relative to the manifest.',
      }),
    ),
    constants: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Columns that the file does not have, each with one value for all rows, such as the parent of a BOM.',
      }),
    ),
  },
  { description: 'Where the rows come from.' },
);

/** The location of the rows of a list, and which of them count. */
export type RowSource = Static<typeof rowSourceSchema>;
/** The location of an import's rows, and which of them count. Rows and columns count from 1. */
export type ImportSource = Static<typeof importSourceSchema>;
/** The encodings that can be configured; UTF-8 and UTF-16 are also detected by their bytes. */
export type Encoding = NonNullable<ImportSource['encoding']>;
/** The values that a cell must or must not have. */
export type Condition = Static<typeof conditionSchema>;
