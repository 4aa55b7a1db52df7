/** Explanation of an error code for the person who prepares the file, with advice. */
export interface KnownCause {
  readonly explanation: string;
  readonly advice: string;
  /** The field that the error is about, if the code alone decides it. Lower case, as in `Column.fields`. */
  readonly about?: 'refdes' | 'quantity' | 'item.number' | 'number';
}

const CHECK_TYPE = 'Correct the cells, or map another column.';
const CHECK_FORMAT = "Check the category's number format and the column with the number.";

/** The option that turns the check of designators off (wire-facts 4). */
const NO_DESIGNATOR_CHECK = 'checkRefDes: DO_NOT_CHECK';

const valueRequired = (what: string): KnownCause => ({
  explanation: `The ${what} must have a value.`,
  advice: 'Fill the cell, or map a column with values. For an existing record, an empty cell changes nothing.',
});

const valueOfList = (what: string): KnownCause => ({
  explanation: `The ${what} accepts only the values of its list, and this value is not in it.`,
  advice: 'Use a value of the list in its exact spelling, or ask an administrator to add this one.',
});

/** By code (wire-facts 2.1). The explanations are ours. */
const CAUSES: readonly (KnownCause & { readonly codes: readonly number[] })[] = [
  { codes: [2001], explanation: 'The custom attribute does not accept this value.', advice: CHECK_TYPE },
  { codes: [2002, 2021], ...valueOfList('custom attribute') },
  {
    codes: [2003, 2022],
    explanation: 'The cell is not a date that the service can read.',
    advice: 'Write dates as 2026-11-21.',
  },
  {
    codes: [2004, 2029],
    explanation: 'The cell is not a number.',
    advice: 'Write it with a decimal point, without a unit or thousands separators: 1250.5.',
  },
  { codes: [2005, 2023], explanation: 'The number must not be negative.', advice: 'Correct the cell.' },
  {
    codes: [2006, 2024],
    explanation: 'The number has more decimal places than the attribute allows.',
    advice: 'Round the number.',
  },
  {
    codes: [2007, 2025],
    explanation: 'The cell has more values than the attribute allows, or the same value twice.',
    advice: 'Remove values; check `multiSelectDelimiter` if one value was read as several.',
  },
  { codes: [2008], ...valueRequired('custom attribute') },
  {
    codes: [2011, 2027],
    explanation: 'The attribute allows only one line of text.',
    advice: 'Remove the line breaks.',
  },
  {
    codes: [2014, 3020, 3215],
    explanation: 'The value of this attribute cannot be removed.',
    advice: 'Give a value, or leave the cell empty to keep the current value.',
  },
  {
    codes: [3000],
    explanation: 'The service failed while it processed the row.',
    advice: 'Send the row again later.',
  },
  { codes: [3001], ...valueRequired('attribute') },
  { codes: [3003], explanation: 'The attribute does not accept this value.', advice: CHECK_TYPE },
  {
    codes: [3004],
    explanation: 'The attribute is mapped, but the item’s category does not have it.',
    advice: 'Clear the cell, change the category, or add the attribute to the category.',
  },
  { codes: [3006], ...valueOfList('attribute') },
  {
    codes: [3007],
    explanation: 'The category only groups other categories and cannot be assigned.',
    advice: 'Use one of the categories below it.',
  },
  { codes: [3009], explanation: 'A field of the number format has no value.', advice: CHECK_FORMAT },
  {
    codes: [3010],
    explanation: 'A field of the number format has an invalid value.',
    advice: CHECK_FORMAT,
  },
  {
    codes: [3014],
    explanation: 'The category’s number format is free text, so each new item needs a number.',
    advice: CHECK_FORMAT,
  },
  { codes: [3015], explanation: 'The number is longer than the format allows.', advice: CHECK_FORMAT },
  {
    codes: [3011],
    explanation: 'No object of this workspace has this GUID.',
    advice: 'GUIDs differ between workspaces: refer to the object by its number instead.',
  },
  {
    codes: [3012],
    explanation: 'The row refers to an object that the workspace does not have.',
    advice: 'Import the item (or file) first, or correct its number; a leading zero may have been lost.',
  },
  {
    codes: [3016],
    explanation: 'The object is in use and cannot be deleted.',
    advice: 'Remove it first from the objects that use it.',
  },
  {
    codes: [3024],
    explanation: 'The object does not exist, or the user of this import may not see it.',
    advice: 'Check the number; then ask an administrator which policy applies to the user.',
  },
  {
    codes: [3025],
    explanation: 'The number exists already, or several records have it, so the row is ambiguous.',
    advice:
      'Use another number, use mode EDIT or OVERWRITE to change the record, or set `matchDuplicates: APPLY_TO_ALL`.',
    about: 'number',
  },
  { codes: [3031], explanation: 'The attribute cannot be set on a new record.', advice: 'Remove it from the mapping.' },
  { codes: [3032], explanation: 'The attribute is read-only.', advice: 'Remove it from the mapping.' },
  {
    codes: [3038],
    explanation: 'The category is not active.',
    advice: 'Use an active category, or ask an administrator to activate this one.',
  },
  { codes: [3238], explanation: 'The category was deleted.', advice: 'Use another category.' },
  {
    codes: [3085, 3086, 3221],
    explanation: 'The user of this import does not have permission to change this record.',
    advice: 'Ask an administrator which policy applies to the user.',
  },
  { codes: [3101, 3103], explanation: 'The text is longer than the attribute allows.', advice: 'Shorten the text.' },
  { codes: [3207], explanation: 'The category does not number items automatically.', advice: CHECK_FORMAT },
  { codes: [3214], explanation: 'The category has no number format.', advice: CHECK_FORMAT },
  {
    codes: [3224],
    explanation: 'The item has no open working revision, and other revisions cannot be changed.',
    advice: 'Open a change for the item, or send the rows with `addToChange`.',
  },
  {
    codes: [3229],
    explanation: 'Another line of this assembly already has the reference designator.',
    advice: 'Use each designator on one line only; in mode OVERWRITE, an existing line may still have it.',
    about: 'refdes',
  },
  {
    codes: [3230],
    explanation: 'The quantity does not match the number of reference designators.',
    advice: 'Correct the quantity or the designators of each line.',
    about: 'quantity',
  },
  {
    codes: [3234],
    explanation: 'The part is already in this assembly, or is in it more than once.',
    advice: 'Merge the lines of each part, or set `createDuplicates: ALLOW` if repeated lines are intended.',
    about: 'item.number',
  },
  {
    codes: [3605],
    explanation: 'One line has the same reference designator twice.',
    advice: 'Remove the repetition.',
    about: 'refdes',
  },
  {
    codes: [3606],
    explanation: 'The reference designators cannot be read.',
    advice: 'Separate them with commas and write ranges as R1-R4.',
    about: 'refdes',
  },
  { codes: [9000], explanation: 'The service could not access its data.', advice: 'Send the row again later.' },
  {
    codes: [9999],
    explanation: 'The service reported an unspecified error.',
    advice: "Send the row again; if it fails again, contact the service's support.",
  },
];

const BY_CODE: ReadonlyMap<number, KnownCause> = new Map(
  CAUSES.flatMap(({ codes, ...cause }) => codes.map((code) => [code, cause])),
);

/** Number of rows from which an option is worth mentioning. */
const MANY = 10;

/** Returns undefined for the names of findings, and for codes without an explanation. */
export const knownCause = (code: number | string | undefined): KnownCause | undefined =>
  typeof code === 'number' ? BY_CODE.get(code) : undefined;

/** Returns the advice for this number of rows with one code. */
export function adviceFor(code: number | string | undefined, count: number): string | undefined {
  const advice = knownCause(code)?.advice;
  if (code !== 3230 || count < MANY) return advice;
  return `${advice} If your designators do not have to match, set \`${NO_DESIGNATOR_CHECK}\` in the import definition's options.`;
}
