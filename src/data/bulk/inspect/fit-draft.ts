import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Condition } from '#core/jobs/source.js';
import { type AddedColumn, PARENT_COLUMN } from '#core/jobs/source-cells.js';
import type { Finding } from '#core/model/findings.js';
import { prepareImport } from '../prepare.js';
import { countDesignators } from './counted-designators.js';
import { findDifferingFields } from './differing-fields.js';
import {
  columnsIn,
  type Draft,
  draftDefinition,
  flowText,
  keepNames,
  LEFT_OUT,
  whereFilled,
  withoutField,
  withoutRemark,
  withProblem,
  withRemark,
  withSource,
} from './draft.js';
import { keepFirstNames } from './first-names.js';
import { rowsText } from './rows-text.js';

const MOST_ROUNDS = 12;

/**
 * Changes a draft until the checks of an import find no error in its rows, as far as leaving something out helps; adds
 * a remark about errors that it cannot correct. Reads the file once for each change.
 */
export const fitDraft = (path: string, draft: Draft, signal: AbortSignal): Promise<Draft> =>
  correctDraft(path, draft, MOST_ROUNDS, signal);

/** Adds a remark about errors in the rows of a draft that stays as it is. */
export const checkDraft = (path: string, draft: Draft, signal: AbortSignal): Promise<Draft> =>
  correctDraft(path, draft, 0, signal);

async function correctDraft(path: string, draft: Draft, rounds: number, signal: AbortSignal): Promise<Draft> {
  let fitted = draft;
  for (let round = 0; ; round += 1) {
    const errors = await errorsOf(path, fitted, signal);
    const [first] = errors;
    if (first === undefined) return fitted;
    const better = round < rounds ? await correctedDraft(path, fitted, errors) : undefined;
    if (better === undefined) {
      const problem = openText(fitted, first, errors);
      return withProblem(fitted, problem);
    }
    fitted = better;
  }
}

/** Describes what prevents the import of a draft, with solutions if they are known. */
function openText(draft: Draft, first: Finding, errors: readonly Finding[]): string {
  const column = quantityOf(draft);
  const finding = errors.find((one) => one.column === column && one.value !== undefined);
  if (column === undefined || finding === undefined) return sentenceOf(first, errors);
  const [name, value] = [flowText(column), flowText(finding.value ?? '')];
  return (
    `${sentenceOf(finding, errors)} Without it the line would have the quantity 1, so it is not left out. In the manifest of the BOM, give such values a number ` +
    `(\`values: { ${name}: { ${value}: … } }\`), or leave their lines out (\`where: { ${name}: { not: ${value} } }\`).`
  );
}

/** The column without which each line of a BOM would have the quantity 1. */
const quantityOf = ({ kind, mapping }: Draft): string | undefined =>
  kind === 'BOM' ? mapping.get('quantity') : undefined;

async function errorsOf(path: string, draft: Draft, signal: AbortSignal): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-inspect-'));
  try {
    const { source, repeated } = draft;
    const adding = repeated === undefined ? {} : { repeated };
    const definition = draftDefinition(draft);
    const { findings } = await prepareImport({ path, source, definition, folder, signal, ...adding });
    return findings.kept.filter(({ severity }) => severity === 'error');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Correction = (
  draft: Draft,
  finding: Finding,
  errors: readonly Finding[],
  path: string,
) => Draft | undefined | Promise<Draft | undefined>;

const withOption = (draft: Draft, option: string, value: string, remark: string): Draft | undefined =>
  draft.options[option] === value
    ? undefined
    : withRemark({ ...draft, options: { ...draft.options, [option]: value } }, remark);

const unevenDesignators: Correction = async (draft, finding, errors, path) =>
  (await countDesignators(path, draft)) ?? uncheckedDesignators(draft, finding, errors, path);

const uncheckedDesignators: Correction = (draft, finding, errors) =>
  withOption(
    draft,
    'checkRefDes',
    'DO_NOT_CHECK',
    `Open: reference designators are not compared with quantities: ${sentenceOf(finding, errors)}${placesOf(finding, errors)}`,
  );

const rowsOf = (errors: readonly Finding[], code: string): number[] =>
  errors.flatMap((one) => (one.code === code && one.row !== undefined ? [one.row] : []));

/** The rows of all such findings, if there are several. */
function placesOf({ code }: Finding, errors: readonly Finding[]): string {
  const rows = rowsOf(errors, code);
  return new Set(rows).size < 2 ? '' : ` In ${rowsText(rows)}.`;
}

const SUMMED = 'Rows of one parent and part become one line with the sum of their quantities:';

/** Repeated keys: BOM rows become their sum, or a line each if that fails; other rows lose the fields that differ. */
const repeated: Correction = async (draft, finding, errors, path) => {
  if (draft.kind === 'BOM') {
    if (draft.repeated === undefined && draft.mode === 'OVERWRITE' && !hasSeveralUnits(draft)) {
      const why = `${SUMMED} ${sentenceOf(finding, errors)}`;
      return withRemark<Draft>({ ...draft, repeated: 'sum' }, why);
    }
    const { repeated: _, ...others } = withoutRemark(draft, SUMMED);
    const created: Draft = { ...others, mode: 'CREATE' };
    return withOption(
      created,
      'createDuplicates',
      'ALLOW',
      `Some parts have several lines, which all become lines of the BOM: ${sentenceOf(finding, errors)}`,
    );
  }
  const named = draft.resource === 'ITEM_SPECS' ? await keepFirstNames(path, draft) : undefined;
  if (named !== undefined) return named;
  const unlike = await findDifferingFields(path, draft);
  const reason = (field: string, rows: readonly number[]): string =>
    `Rows of one number differ in it (${rowsText(rows)}); it can be mapped${field === 'name' ? ' instead of the number' : ''} once they are equal.`;
  const left = unlike.filter(({ field }) => field !== 'number');
  return left.length === 0
    ? undefined
    : left.reduce((one, { field, rows }) => leaveOutField(one, field, reason(field, rows)), draft);
};

/** Quantities in several units have no sum. */
const hasSeveralUnits = (draft: Draft): boolean => Array.isArray(draft.source.numbers?.[quantityOf(draft) ?? '']?.unit);

/** Leaves out a field. New items need a name, so their number replaces one that is left out. */
function leaveOutField(draft: Draft, field: string, why: string): Draft {
  const without = withoutField(draft, field, why);
  if (field !== 'name' || draft.resource !== 'ITEM_SPECS') return without;
  const number = draft.mapping.get('number') ?? '';
  if (draft.mapping.get('name') === number) return without;
  const numbered = { ...without, mapping: new Map([...without.mapping, ['name', number]]) };
  return withRemark(keepNames(numbered), `Open: the numbers are used as names. "${draft.mapping.get('name')}": ${why}`);
}

/** The one column that an added text comes from, if it has no other. */
function originOf(made: AddedColumn | undefined): string | undefined {
  const [only, ...others] = typeof made === 'string' ? columnsIn(made) : [];
  return others.length === 0 ? only : undefined;
}

/** Whether a condition leaves out other values than empty cells, or there is none. */
const mayExcludeEmpty = (condition: Condition | undefined): boolean =>
  condition === undefined ||
  (typeof condition === 'object' && 'not' in condition && ![condition.not].flat().includes(''));

/** Corrections that leave out or change something, by the code of the finding. */
const CORRECTIONS: Readonly<Record<string, Correction>> = {
  'designators-uneven': unevenDesignators,
  'designator-repeated': uncheckedDesignators,
  'key-empty': (draft, finding, errors) => {
    const { column = '' } = finding;
    const rows = rowsOf(errors, 'key-empty');
    const made = draft.source.columns?.[column];
    const from = originOf(made) ?? column;
    if (
      from === PARENT_COLUMN ||
      !mayExcludeEmpty(draft.source.where?.[from]) ||
      draft.source.constants?.[column] !== undefined
    )
      return undefined;
    const left = `without "${from}": ${rowsText(rows)}`;
    return withRemark(
      whereFilled(draft, from),
      draft.kind === 'sources' ? `${LEFT_OUT}sources of rows ${left}.` : `Open: left out, since ${left}.`,
    );
  },
  'key-overwritten': repeated,
  'key-repeated': repeated,
  'row-short': (draft, _, errors) => {
    if (draft.source.shortRows === 'allow') return undefined;
    const rows = rowsOf(errors, 'row-short');
    return withRemark(
      withSource(draft, { shortRows: 'allow' }),
      `Open: ${rowsText(rows)}: fewer cells than the header has, and the others are taken as empty (\`shortRows: allow\`). Check that no cell of these rows is in a wrong column.`,
    );
  },
};

async function correctedDraft(path: string, draft: Draft, errors: readonly Finding[]): Promise<Draft | undefined> {
  for (const code of Object.keys(CORRECTIONS)) {
    const all = errors.filter((one) => one.code === code);
    const first = all.filter(({ column }, index) => all.findIndex((one) => one.column === column) === index);
    for (const finding of first) {
      const better = await CORRECTIONS[code]?.(draft, finding, errors, path);
      if (better !== undefined) return better;
    }
  }
  const keys = ['number', 'item.number', 'supplier.name', 'supplierItem.number'];
  for (const finding of errors.filter(({ column }) => column === undefined || column !== quantityOf(draft))) {
    const fields = [...draft.mapping].filter(([field, column]) => column === finding.column && !keys.includes(field));
    const [field] = fields.at(-1) ?? [];
    // A name is corrected in the file: without it, numbers would name all items.
    const isName = draft.kind === 'items' && field === 'name';
    if (field !== undefined && !isName) return leaveOutField(draft, field, sentenceOf(finding, errors));
  }
  return undefined;
}

/** Formats a finding with its row and the number of similar ones. */
function sentenceOf({ code, row, column, message }: Finding, errors: readonly Finding[]): string {
  const like = errors.filter((one) => one.code === code && one.column === column).length - 1;
  const place = row === undefined ? '' : `row ${row}: `;
  // The rest of the message does not apply to proposals.
  const said = message.replace(/: both become one BOM line .*$/s, '.');
  return `${place}${said}${like > 0 ? ` (${like} more)` : ''}`;
}
