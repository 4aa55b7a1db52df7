/** What an error code means to a person who prepares the file, and what to do about it. */
export interface KnownCause {
  readonly explanation: string;
  readonly advice: string;
  /** The field that the error is about, where the code alone says so. Lower case, as in `Column.fields`. */
  readonly about?: 'refdes' | 'quantity' | 'item.number' | 'number';
}

const CHECK_TYPE = 'Correct the cells, or map another column.';

/** The option that turns the check of designators off (wire-facts 4). */
const NO_DESIGNATOR_CHECK = 'checkRefDes: DO_NOT_CHECK';

/** By code (wire-facts 2.1). The explanations are ours. */
const KNOWN: ReadonlyMap<number, KnownCause> = new Map<number, KnownCause>([
  [2001, { explanation: 'The custom attribute does not take this value.', advice: CHECK_TYPE }],
  [2002, choice('custom attribute')],
  [2003, date()],
  [2004, number()],
  [2005, positive()],
  [2006, decimals()],
  [2007, tooMany()],
  [2008, required('custom attribute')],
  [2011, oneLine()],
  [2014, empty()],
  [2021, choice('custom attribute')],
  [2022, date()],
  [2023, positive()],
  [2024, decimals()],
  [2025, tooMany()],
  [2027, oneLine()],
  [2029, number()],
  [3000, { explanation: 'The service failed while it worked on the row.', advice: 'Send the row again later.' }],
  [3001, required('attribute')],
  [3003, { explanation: 'The attribute does not take this value.', advice: CHECK_TYPE }],
  [
    3004,
    {
      explanation: 'The attribute is mapped, but the item’s category does not have it.',
      advice: 'Empty the cell, change the category, or give the category the attribute.',
    },
  ],
  [3006, choice('attribute')],
  [
    3007,
    {
      explanation: 'The category only groups other categories; nothing can be put into it.',
      advice: 'Name one of the categories below it.',
    },
  ],
  [3009, numberFormat('A field of the number format has no value.')],
  [3010, numberFormat('A field of the number format has a value that it does not take.')],
  [3014, numberFormat('The category’s format is free text, so each new item needs a number.')],
  [3015, numberFormat('The number is longer than the format allows.')],
  [
    3011,
    {
      explanation: 'The GUID is that of no object of this workspace.',
      advice: 'GUIDs differ between workspaces: name the object by its number instead.',
    },
  ],
  [
    3012,
    {
      explanation: 'The row refers to an object that the workspace does not have.',
      advice: 'Import the item (or file) first, or correct its number; a leading zero may have been lost.',
    },
  ],
  [
    3016,
    { explanation: 'The object is in use and cannot be deleted.', advice: 'Remove it from where it is used first.' },
  ],
  [3020, empty()],
  [3215, empty()],
  [
    3024,
    {
      explanation: 'The object does not exist, or the user of this import may not see it.',
      advice: 'Check the number; then ask an administrator which policy applies to the user.',
    },
  ],
  [
    3025,
    {
      explanation: 'The number exists already, or more than one record has it, so the row does not say which is meant.',
      advice: 'Use another number, mode EDIT or OVERWRITE to change the record, or `matchDuplicates: APPLY_TO_ALL`.',
      about: 'number',
    },
  ],
  [3031, { explanation: 'The attribute cannot be set on a new record.', advice: 'Take it out of the mapping.' }],
  [3032, { explanation: 'The attribute can be read only.', advice: 'Take it out of the mapping.' }],
  [
    3038,
    {
      explanation: 'The category is not active.',
      advice: 'Name an active one, or have an administrator activate it.',
    },
  ],
  [3238, { explanation: 'The category was deleted.', advice: 'Name another one.' }],
  [3085, privileges()],
  [3086, privileges()],
  [3221, privileges()],
  [3101, tooLong()],
  [3103, tooLong()],
  [3207, numberFormat('The category numbers no items by itself.')],
  [3214, numberFormat('The category has no number format.')],
  [
    3224,
    {
      explanation: 'The item has no open working revision, and others cannot be changed.',
      advice: 'Open a change for the item, or send the rows with `addToChange`.',
    },
  ],
  [
    3229,
    {
      explanation: 'Another line of this assembly has the reference designator already.',
      advice: 'Give each designator to one line; in mode OVERWRITE a line of before may still have it.',
      about: 'refdes',
    },
  ],
  [
    3230,
    {
      explanation: 'The quantity is not the number of reference designators.',
      advice: 'Correct the quantity or the designators of each line.',
      about: 'quantity',
    },
  ],
  [
    3234,
    {
      explanation: 'The part is in this assembly already, or more than once.',
      advice: 'Merge the lines of one part, or set `createDuplicates: ALLOW` where that is meant.',
      about: 'item.number',
    },
  ],
  [
    3605,
    {
      explanation: 'One line has the same reference designator twice.',
      advice: 'Remove the repetition.',
      about: 'refdes',
    },
  ],
  [
    3606,
    {
      explanation: 'The reference designators cannot be read.',
      advice: 'Separate them by commas and write ranges as R1-R4.',
      about: 'refdes',
    },
  ],
  [9000, { explanation: 'The service could not reach its data.', advice: 'Send the row again later.' }],
  [
    9999,
    {
      explanation: 'The service met an error that it has no word for.',
      advice: 'Send the row again; where it fails again, ask the service’s support.',
    },
  ],
]);

/** From so many rows on an option is worth naming. */
const MANY = 10;

export const knownCause = (code: number | string | undefined): KnownCause | undefined =>
  typeof code === 'number' ? KNOWN.get(code) : undefined;

/** What to do about so many rows of one code. */
export function adviceFor(code: number | string | undefined, count: number): string | undefined {
  const advice = knownCause(code)?.advice;
  if (code !== 3230 || count < MANY) return advice;
  return `${advice} If your designators do not have to match, set \`${NO_DESIGNATOR_CHECK}\` in the import definition's options.`;
}

function required(what: string): KnownCause {
  return {
    explanation: `The ${what} must have a value.`,
    advice: 'Fill the cell, or map a column that has one. An empty cell of an existing record changes nothing.',
  };
}

function choice(what: string): KnownCause {
  return {
    explanation: `The ${what} takes values of its list only, and this is none of them.`,
    advice: 'Use one of the listed values, spelled as there, or have an administrator add it.',
  };
}

function date(): KnownCause {
  return { explanation: 'The cell holds no date that the service can read.', advice: 'Write dates as 2026-11-21.' };
}

function number(): KnownCause {
  return {
    explanation: 'The cell holds no number.',
    advice: 'Write it with a point and without unit or grouping: 1250.5.',
  };
}

function positive(): KnownCause {
  return { explanation: 'The number must not be negative.', advice: 'Correct the cell.' };
}

function decimals(): KnownCause {
  return { explanation: 'The number has more decimals than the attribute keeps.', advice: 'Round it.' };
}

function tooMany(): KnownCause {
  return {
    explanation: 'The cell holds more values than the attribute takes, or one of them twice.',
    advice: 'Take values out; check `multiSelectDelimiter` where one value was read as several.',
  };
}

function oneLine(): KnownCause {
  return { explanation: 'The attribute takes one line of text only.', advice: 'Take the line breaks out.' };
}

function empty(): KnownCause {
  return {
    explanation: 'The value of this attribute cannot be emptied.',
    advice: 'Give a value, or leave the cell empty to keep the one that is there.',
  };
}

function tooLong(): KnownCause {
  return { explanation: 'The text is longer than the attribute takes.', advice: 'Shorten the text.' };
}

function privileges(): KnownCause {
  return {
    explanation: 'The user of this import may not do that to this record.',
    advice: 'Ask an administrator which policy applies to the user.',
  };
}

function numberFormat(explanation: string): KnownCause {
  return { explanation, advice: 'Check the number format of the category and the column of the number.' };
}
