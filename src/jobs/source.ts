import { object, serverDefault } from '../model/fields.js';
import { type Static, Type } from '../model/schema.js';

const headerSchema = (description: string) => Type.String({ minLength: 1, description });
const valuesSchema = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })], {
  description: 'A value, or several of which a cell holds one. "" is an empty cell.',
});

const conditionSchema = Type.Union(
  [valuesSchema, object({ not: valuesSchema }, { description: 'Rows that hold none of these values.' })],
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
      'Where the table ends: at the first blank row, or at the first row whose cell of a column holds a value, such as { column: Part, value: Total }. That row and those below it are not read.',
  },
);

/** How the rows of an import are found in its file. Columns are called as `rename` leaves them, everywhere. */
export const importSourceSchema = object(
  {
    file: Type.String({
      minLength: 1,
      description:
        'CSV, TSV or XLSX file, relative to the manifest. In its name * stands for any characters and ? for one, where no file has that very name.',
    }),
    pick: Type.Optional(
      Type.Union([Type.Literal('only'), Type.Literal('newest')], {
        description:
          'Which file is taken where the name has * or ?. only: several are an error. newest: the last by name, in which numbers count as numbers, so that parts-2026-11-21.csv comes after parts-2026-9-30.csv.',
        ...serverDefault('only'),
      }),
    ),
    worksheet: Type.Optional(
      Type.String({ minLength: 1, description: 'Worksheet of a workbook; the first by default.' }),
    ),
    headerRow: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Row that holds the headers, as the file counts; blank ones from there on are passed over.',
        ...serverDefault(1),
      }),
    ),
    range: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{1,3}([1-9][0-9]*)?:[A-Za-z]{1,3}([1-9][0-9]*)?$',
        description:
          'The part of the sheet that is read, such as B5:H200, B5:H (to the end) or B:H. Its first row that is not blank holds the headers, unless headerRow names one. Text files count lines and columns likewise.',
      }),
    ),
    skipBlank: Type.Optional(
      Type.Boolean({
        description: 'Pass over rows without any value. false: those between others are rows too.',
        ...serverDefault(true),
      }),
    ),
    stopAt: Type.Optional(stopAtSchema),
    delimiter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1,
        description: 'Of a text file. By default told from its first lines: comma, semicolon, tab or |.',
      }),
    ),
    encoding: Type.Optional(
      Type.Union(
        [Type.Literal('utf-8'), Type.Literal('utf-16le'), Type.Literal('utf-16be'), Type.Literal('windows-1252')],
        {
          description:
            'Of a text file. By default UTF-8 or UTF-16 as its bytes show, otherwise Windows-1252 with a warning. Bytes that do not fit a stated one are an error.',
        },
      ),
    ),
    quotes: Type.Optional(
      Type.Union([Type.Literal('strict'), Type.Literal('lenient')], {
        description:
          'Of a text file. strict: RFC 4180, anything else is an error that names its line. lenient: a quote within a value that does not begin with one is taken as it stands (5" wheel).',
        ...serverDefault('strict'),
      }),
    ),
    hidden: Type.Optional(
      Type.Union([Type.Literal('read'), Type.Literal('skip')], {
        description:
          'Hidden rows and columns of a worksheet. By default they are read, with a warning that says how many.',
      }),
    ),
    fillDown: Type.Optional(
      Type.Union(
        [Type.Literal('merged'), Type.Array(headerSchema('Header of a column.'), { minItems: 1, uniqueItems: true })],
        {
          description:
            'Columns whose empty cells take the value above them. merged: the cells of merged ranges alone take the value of their range, in all columns of a worksheet.',
        },
      ),
    ),
    where: Type.Optional(
      Type.Record(Type.String(), conditionSchema, {
        description:
          'Conditions by column, all of which hold for the rows that are read. White space around cells does not count, letter case does.',
      }),
    ),
    rename: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        description:
          'New headers by those of the file, such as { "Part Nr.": Part Number }. The second column of a repeated header is called Manufacturer#2.',
      }),
    ),
    files: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Folder or pattern of the physical files that the rows name, relative to the manifest.',
      }),
    ),
    constants: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Columns that the file lacks, each with the one value of all rows, such as the parent of a BOM.',
      }),
    ),
  },
  { description: 'Where the rows come from.' },
);

/** Where the rows of an import stand, and which of them count. Rows and columns count from 1. */
export type ImportSource = Static<typeof importSourceSchema>;
/** The encodings that can be stated; UTF-8 and UTF-16 are told by their bytes, too. */
export type Encoding = NonNullable<ImportSource['encoding']>;
/** What a cell must hold, or must not. */
export type Condition = Static<typeof conditionSchema>;
