import type { OtherTable } from '#data/bulk/inspect/choose-table.js';
import type { Inspection } from '#data/bulk/inspect/inspect-table.js';
import type { LookedUpParts } from '#data/bulk/inspect/known-items.js';
import type { InspectedFile } from '../../operations/inspect-file.js';
import { countText } from './count-text.js';
import type { Palette } from './palette.js';
import { rowPhrase } from './row-phrase.js';
import { sizeText } from './size-text.js';
import { tableText } from './table.js';

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
};

/** Describes a file column by column, up to the heading of the proposed manifests. */
export function inspectionText(found: Inspection, palette: Palette, width: number | undefined): string {
  return [
    `${palette.bold(found.file)}\n`,
    ...fileFacts(found).map(([name, value]) => `  ${name.padEnd(12)}${value}\n`),
    '\n',
    columnsText(found, width),
    ...found.notes.map(({ severity, message, hint }) => {
      const mark = severity === 'warning' ? palette.yellow('warning') : palette.dim('note');
      return `\n${mark}  ${message}${hint === undefined ? '' : `\n  ${hint}`}\n`;
    }),
    ...problemText(found, palette),
    `\n${palette.bold('Proposed manifests')}\n\n`,
  ].join('');
}

/** The proposed manifests as a file. */
export const proposalText = ({ proposal }: Inspection): string => proposal.text;

interface WrittenPlace {
  readonly folder: string;
  /** The environment of the project that the manifests are for; without it, the folder is a project. */
  readonly environment: string | undefined;
}

/** The files that were written, and the next steps. */
export function writtenText(
  { written = [], proposal, lookedUp, notes }: InspectedFile,
  { folder, environment }: WrittenPlace,
  palette: Palette,
): string {
  const files = written.map(({ file }) => `${palette.green('✓')} ${file}\n`);
  const found = lookedUp === undefined ? [] : [`${palette.dim('looked up')}  ${lookedUpText(lookedUp)}\n`];
  const open = proposal.remarks.flatMap((remark) => {
    const [, mark = '', text = ''] = /^(Open|Left out|Known): (.*)$/s.exec(remark) ?? [];
    return text === '' ? [] : [`${palette.yellow(mark.toLowerCase())}  ${text}\n`];
  });
  const warnings = notes.flatMap(({ severity, ...note }) =>
    severity === 'warning' ? [`${palette.yellow('warning')}  ${noteText(note)}\n`] : [],
  );
  const assumed = proposal.notes.map((note) => `${palette.dim('note')}  ${note}\n`);
  const where = belonging(proposal, written, palette);
  const isOfImports = proposal.manifests.some(({ kind }) => kind === 'Import');
  const plan = `run \`dexsync plan${isOfImports ? ' --validate-imports' : ''}`;
  const next =
    environment === undefined
      ? `${plan}\` in ${folder}`
      : `list ${folder}/manifests under \`manifests\` in sync.config.yaml, and ${plan} --env ${environment}\``;
  return [
    ...files,
    ...readingLines(proposal, palette),
    ...found,
    ...warnings,
    ...where,
    ...open,
    ...assumed,
    `\nNext: ${next}.\n`,
  ].join('');
}

const noteText = ({ message, hint }: Pick<Inspection['notes'][number], 'message' | 'hint'>): string =>
  hint === undefined ? message : `${message} ${hint}`;

/** What each import takes from the list. The list of an assembly is written for it. */
const readingLines = ({ readings }: InspectedFile['proposal'], palette: Palette): string[] =>
  readings
    .filter(({ kind }) => kind !== 'assembly')
    .map(({ kind, fields }) => {
      const shown = fields.map(
        ({ field, from }) => `${kind === 'BOM' && field === 'number' ? 'parent' : field} from ${from}`,
      );
      return `${palette.dim('reads')}  ${kind}: ${shown.join(', ')}\n`;
    });

/** The item that the lines belong to, and the columns that the manifests do not read. */
function belonging(
  { assembly, assemblyFrom, unmapped }: InspectedFile['proposal'],
  written: NonNullable<InspectedFile['written']>,
  palette: Palette,
): string[] {
  const list = written.find(({ file }) => file.endsWith('-assembly.csv'))?.file;
  const names = unmapped.map((name) => JSON.stringify(name)).join(', ');
  const open = palette.yellow('open');
  return [
    ...(assembly === undefined || list === undefined
      ? []
      : assemblyFrom === 'file'
        ? [
            `${open}  The BOM belongs to the item "${assembly}", named after the file. If it has another number, inspect the file again with \`--assembly NUMBER\`.\n`,
          ]
        : [
            `${palette.dim('assembly')}  "${assembly}", from ${assemblyFrom === 'option' ? '`--assembly`' : assemblyFrom}; it is in ${list}\n`,
          ]),
    ...(names === '' ? [] : [`${open}  Not imported: ${names}. Comments in the manifests map them.\n`]),
  ];
}

function lookedUpText({ environment, requests, numbers, found, near, unread }: LookedUpParts): string {
  const counts = [
    `${rowPhrase(found)} with an existing item`,
    ...(near === 0 ? [] : [`${countText(near, 'near match', 'near matches')}`]),
    ...(unread.length === 0 ? [] : [`${rowPhrase(unread.length)} not looked up`]),
  ];
  const what = countText(numbers, "maker's number", "makers' numbers");
  return `${what} in ${environment} (${countText(requests, 'request')}): ${counts.join(', ')}`;
}

function fileFacts(found: Inspection): [string, string][] {
  const {
    bytes,
    encoding,
    delimiter,
    worksheets,
    worksheet,
    headerRow,
    headerCandidates,
    rows,
    others,
    end,
    lookedUp,
  } = found;
  const likely = headerCandidates.filter(({ row }) => row !== headerRow);
  const taken = headerCandidates.find(({ row }) => row === headerRow);
  return [
    ['Size', sizeText(bytes)],
    ...(encoding === undefined ? [] : [['Encoding', encoding] as [string, string]]),
    ...(delimiter === undefined
      ? []
      : [['Delimiter', `${DELIMITERS[delimiter] ?? ''} ${JSON.stringify(delimiter)}`.trim()] as [string, string]]),
    ...(worksheets ?? []).map(({ name, state, range }, index): [string, string] => [
      index === 0 ? 'Worksheets' : '',
      `"${name}"${range === undefined ? '' : `, ${range}`}${state === 'hidden' ? ', hidden' : ''}${name === worksheet || found.read?.includes(name) === true ? '  (shown below)' : ''}`,
    ]),
    [
      'Header',
      found.header === 'none'
        ? 'none: columns have letters for names'
        : `row ${headerRow}${taken === undefined ? '' : ` (${taken.reason})`}`,
    ],
    ...(likely.length === 0
      ? []
      : [['', `less likely: ${likely.map(({ row }) => `row ${row}`).join(', ')}`] as [string, string]]),
    ['Rows', rows.toLocaleString('en-US')],
    ...(lookedUp === undefined ? [] : [['Looked up', lookedUpText(lookedUp)] as [string, string]]),
    ...(end === undefined ? [] : [['Ends', `with row ${end.row}: ${end.why}`] as [string, string]]),
    ...others.map((other, index): [string, string] => [index === 0 ? 'Not read' : '', otherText(other, worksheet)]),
  ];
}

/** A table or text beside the table that was read, with its place. */
function otherText(other: OtherTable, shown: string | undefined): string {
  const sheet = other.worksheet === undefined || other.worksheet === shown ? '' : `worksheet "${other.worksheet}", `;
  return `${sheet}${other.range}: ${other.is === 'table' ? 'a table' : 'text'} with ${rowPhrase(other.rows)}`;
}

function columnsText({ columns, rows }: Inspection, width: number | undefined): string {
  const head = ['#', 'COLUMN', 'READ AS', 'FILLED', 'DISTINCT', 'TYPE', 'KEY', 'SAMPLES'];
  const lines = columns.map(({ name, meaning = '', filled, distinct, type, key, samples }, index) => [
    String(index + 1),
    name === '' ? '(no header)' : name,
    meaning,
    rows === 0 ? '-' : `${Math.floor((100 * filled) / rows)}%`,
    distinct.toLocaleString('en-US'),
    type,
    key === 'likely' ? 'likely' : '',
    samples.join(' | '),
  ]);
  return tableText(head, lines, width);
}

function problemText({ problem, rows }: Inspection, palette: Palette): string[] {
  if (problem === undefined) return [];
  const hint = problem.hint === undefined ? '' : `\n  ${problem.hint}`;
  return [`\n${palette.red('error')}  Reading stopped after ${rowPhrase(rows)}: ${problem.message}${hint}\n`];
}
