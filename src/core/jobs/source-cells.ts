import { object, serverDefault } from '../model/fields.js';
import { type Static, Type } from '../model/schema.js';

/** The name of the added parent column, unless `parent` gives another. */
export const PARENT_COLUMN = 'Parent Number';

const columnHeader = (description: string) => Type.String({ minLength: 1, description });

const scalarSchema = Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
  description: 'The value that is sent.',
});

const numberFormatSchema = object(
  {
    decimal: Type.Optional(
      Type.Union([Type.Literal('point'), Type.Literal('comma')], {
        description: 'Decimal mark. The other mark, spaces and apostrophes may group thousands (1.234,56).',
        ...serverDefault('point'),
      }),
    ),
    unit: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })], {
        description: 'Text before or after the number that is left out, such as $, or a list of such texts: [EUR, €].',
      }),
    ),
    percent: Type.Optional(
      Type.Union([Type.Literal('fraction'), Type.Literal('whole')], {
        description: 'What 5% means: 0.05 (fraction) or 5 (whole).',
        ...serverDefault('fraction'),
      }),
    ),
  },
  { description: 'How numbers are written in a column.' },
);

const addedColumnSchema = Type.Union(
  [
    Type.String({ minLength: 1 }),
    Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: '["{Part Number}", "{Maker Number}"] for the first of several such texts that is not empty',
    }),
    object(
      { count: columnHeader('Column with reference designators: the cell is their number, R3-R5 being three.') },
      { description: '{ count: Designators } for the number of reference designators' },
    ),
    object(
      { designators: columnHeader('Column with reference designators in any form, such as R1、R2 or R4~R10.') },
      { description: '{ designators: Parts } for reference designators as the service reads them: R1,R2,R4-R10' },
    ),
    object(
      { unit: columnHeader('Column with a number and its unit in one cell.') },
      { description: '{ unit: Length } for the unit behind a number: m of 1,8 m' },
    ),
    object(
      {
        bracketed: columnHeader('Column with a number in square brackets before a name: [FURN_7800] Table.'),
        part: Type.Union([Type.Literal('number'), Type.Literal('name')]),
      },
      {
        description:
          '{ bracketed: Product, part: number } for FURN_7800 of [FURN_7800] Table, or its part: name; a cell without brackets is both',
      },
    ),
    object(
      {
        is: Type.Union([Type.Literal('title'), Type.Literal('worksheet')], {
          description:
            'title: the only text of the row above the header of a block; where it stands, later rows that repeat the header begin further blocks, and neither they nor the titles are rows. worksheet: the name of the worksheet.',
        }),
      },
      { description: '{ is: title } for the title of the block that the row is in, or { is: worksheet }' },
    ),
    object(
      {
        split: columnHeader('Column with two values in one cell.'),
        at: Type.String({ minLength: 1, description: 'The text between the values, at its first place in the cell.' }),
        part: Type.Union([Type.Literal('first'), Type.Literal('second')], { description: 'Which of the two values.' }),
      },
      {
        description:
          '{ split: Source, at: ": ", part: first } for one of two values in a cell; a cell without `at` is the first one as a whole',
      },
    ),
  ],
  { description: 'a text with columns in braces, or a value that is computed from one column' },
);

const dateOrderSchema = Type.Union(
  [Type.Literal('day-month-year'), Type.Literal('month-day-year'), Type.Literal('year-month-day')],
  { description: 'The order of day, month and year in a column.' },
);

/** Options for the content of cells and the values sent for them. Cells to which none applies stay as they are. */
export const cellOptions = {
  numbers: Type.Optional(
    Type.Record(Type.String(), numberFormatSchema, {
      description:
        'How numbers are written, by column, such as { Price: { decimal: comma, unit: € } }; also those of an added column. They are sent as digits with a point before decimals; any other cell stays unchanged.',
    }),
  ),
  dates: Type.Optional(
    Type.Record(Type.String(), dateOrderSchema, {
      description:
        'How dates are written, by column, such as { Approved: day-month-year } for 13/02/2026, 13.2.26 or 13 Feb 2026. They are sent as 2026-02-13; any other cell of the column is an error.',
    }),
  ),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), scalarSchema), {
      description:
        'Values to replace, by column, such as { Status: { NI: true, "": false } }. The whole cell must be equal, white space around it aside; other cells stay as they are. Also for an added column.',
    }),
  ),
  columns: Type.Optional(
    Type.Record(Type.String(), addedColumnSchema, {
      description:
        'Columns to add, each as a text with the names of columns in braces, such as { Item Number: "PUMP-{Part}" } for a prefix (it has one line), or computed from one column, such as { Pieces: { count: Designators } }. The cell is empty if all columns that it comes from are. { Section: { is: title } } and { Assembly: { is: worksheet } } say where a row is; other options may name these columns too.',
    }),
  ),
};

/** The schema for finding the parents of BOM lines from the order of the rows. */
export const hierarchySchema = object(
  {
    level: Type.Optional(
      Type.Union(
        [
          Type.String({ minLength: 1 }),
          Type.Array(columnHeader('Header of a column.'), { minItems: 1, uniqueItems: true }),
        ],
        {
          description:
            'Column with the level of each row (0, 1, 2; dots, dashes and spaces before it are left out, and ". ." alone is 2), or columns of which the first filled one is the level, from the left.',
        },
      ),
    ),
    path: Type.Optional(columnHeader('Column with dotted numbers: 1.2.3 is below 1.2.')),
    outline: Type.Optional(
      Type.Boolean({ description: 'The level is the outline level of the row in the worksheet.' }),
    ),
    number: columnHeader('Column with the item number of each row.'),
    parent: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Name of the added column that has the item number of the parent.',
        ...serverDefault(PARENT_COLUMN),
      }),
    ),
    top: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Item number of the parent of rows on the highest level. By default they have none: they are the assemblies themselves, and no lines.',
      }),
    ),
  },
  {
    description:
      'How the parent of each row follows from the rows above it; exactly one of level, path and outline says so. An assembly that is listed again has the lines of its first list.',
    oneOf: [{ required: ['level'] }, { required: ['path'] }, { required: ['outline'] }],
  },
);

/** What an added column has in its cells. */
export type AddedColumn = Static<typeof addedColumnSchema>;
/** A column with the place of each row, which counts as a column of the file for all other options. */
export type PlaceColumn = Extract<AddedColumn, { readonly is: unknown }>;
/** The format of numbers in a column. */
export type NumberFormat = Static<typeof numberFormatSchema>;
/** The order of day, month and year in a column. */
export type DateOrder = Static<typeof dateOrderSchema>;
/** The way to find the parent of each row. */
export type Hierarchy = Static<typeof hierarchySchema>;
