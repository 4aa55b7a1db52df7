import { type AddToChange, type ImportOptions, MODES, type Mode } from '../store/imports.js';
import { isTimeZone } from './date-times.js';
import { refuse } from './service-error.js';

/** An option of definitions: the modes that it is valid for, its default, and what it accepts. */
interface OptionRule {
  readonly modes: readonly Mode[];
  /** The default; without one, a definition has the option only if it is given. */
  readonly otherwise?: string;
  /** The values of an enumeration; without them, any text is valid. */
  readonly values?: readonly string[];
  readonly check?: (value: string) => boolean;
}

const NOT_DELETE = MODES.filter((mode) => mode !== 'DELETE');

/** The options table of interface 2.1, completed by wire-facts 4. `mapping` and `addToChange` are not plain texts. */
const OPTIONS = {
  createDuplicates: { modes: ['CREATE'], otherwise: 'ERROR', values: ['ALLOW', 'ERROR'] },
  matchDuplicates: { modes: ['EDIT', 'OVERWRITE', 'DELETE'], otherwise: 'ERROR', values: ['APPLY_TO_ALL', 'ERROR'] },
  matchDuplicateParents: { modes: ['EDIT', 'REPLACE'], otherwise: 'ERROR', values: ['ALLOW', 'ERROR'] },
  removeValue: { modes: ['EDIT', 'OVERWRITE', 'REPLACE'], otherwise: '[Remove Value]' },
  multiSelectDelimiter: { modes: NOT_DELETE, otherwise: ';', check: (value) => value !== '' },
  checkRefDes: { modes: NOT_DELETE, otherwise: 'CHECK', values: ['CHECK', 'DO_NOT_CHECK'] },
  timeZone: { modes: NOT_DELETE, otherwise: 'UTC', check: isTimeZone },
  stripWhiteSpace: { modes: MODES, otherwise: 'STRIP', values: ['STRIP', 'RETAIN'] },
  numberingFreeTextHeader: { modes: ['CREATE', 'EDIT', 'OVERWRITE'], otherwise: 'Numbering Free Text' },
  useCategoryNumberFormat: { modes: ['CREATE', 'EDIT', 'OVERWRITE'], check: (value) => value !== '' },
  fileEdition: { modes: NOT_DELETE, values: ['CREATE_EDITION'] },
} as const satisfies Record<string, OptionRule>;

type OptionName = keyof typeof OPTIONS;

/** Options as a request gives them. */
type OptionsBody = Partial<Record<OptionName, string>> & { readonly addToChange?: AddToChange | null };

/** The options that requests give as text; `mapping` and `addToChange` have a form of their own. */
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/**
 * Completes the options of a definition: those given, defaults for the rest, and none that its mode does not know
 * (wire-facts 4, "Answer echoes"). `addToChange` stays as it is given.
 */
export function completeOptions(given: OptionsBody, mode: Mode): ImportOptions {
  const complete: Record<string, string> = {};
  for (const name of OPTION_NAMES) {
    const rule: OptionRule = OPTIONS[name];
    const value = given[name] === undefined ? rule.otherwise : checked(name, given[name], rule);
    if (rule.modes.includes(mode) && value !== undefined) complete[name] = value;
  }
  const { addToChange } = given;
  return (addToChange && mode !== 'DELETE' ? { ...complete, addToChange } : complete) as ImportOptions;
}

function checked(name: OptionName, value: string, rule: OptionRule): string {
  if (rule.values) {
    const known = rule.values.find((candidate) => candidate === value.toUpperCase());
    if (known === undefined) throw refuse.option(value, `options.${name}`);
    return known;
  }
  if (rule.check && !rule.check(value)) throw refuse.invalid(`options.${name}`, `"${value}" cannot be used.`);
  return value;
}
