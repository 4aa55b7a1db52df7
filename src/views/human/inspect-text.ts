import { stringify } from 'yaml';
import type { Inspection } from '../../bulk/inspect/inspect-table.js';
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

/** What a file contains, column by column, up to the title of the manifests that are proposed for it. */
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
export function proposalText({ proposal }: Inspection): string {
  const remarks = proposal.remarks.map((remark) => `# ${remark.replaceAll(/\s+/g, ' ')}\n`).join('');
  const documents = [proposal.definition, proposal.import].map((document) => stringify(document, { lineWidth: 0 }));
  return remarks + documents.join('---\n');
}

function fileFacts(found: Inspection): [string, string][] {
  const { bytes, encoding, delimiter, worksheets, worksheet, headerRow, headerCandidates, rows } = found;
  const others = headerCandidates.filter(({ row }) => row !== headerRow);
  const taken = headerCandidates.find(({ row }) => row === headerRow);
  return [
    ['Size', sizeText(bytes)],
    ...(encoding === undefined ? [] : [['Encoding', encoding] as [string, string]]),
    ...(delimiter === undefined
      ? []
      : [['Delimiter', `${DELIMITERS[delimiter] ?? ''} ${JSON.stringify(delimiter)}`.trim()] as [string, string]]),
    ...(worksheets ?? []).map(({ name, state, range }, index): [string, string] => [
      index === 0 ? 'Worksheets' : '',
      `"${name}"${range === undefined ? '' : `, ${range}`}${state === 'hidden' ? ', hidden' : ''}${name === worksheet ? '  (shown below)' : ''}`,
    ]),
    ['Header', `row ${headerRow}${taken === undefined ? '' : ` (${taken.reason})`}`],
    ...(others.length === 0
      ? []
      : [['', `less likely: ${others.map(({ row }) => `row ${row}`).join(', ')}`] as [string, string]]),
    ['Rows', rows.toLocaleString('en-US')],
  ];
}

function columnsText({ columns, rows }: Inspection, width: number | undefined): string {
  const head = ['#', 'COLUMN', 'FILLED', 'DISTINCT', 'TYPE', 'KEY', 'SAMPLES'];
  const lines = columns.map(({ name, filled, distinct, type, key, samples }, index) => [
    String(index + 1),
    name === '' ? '(no header)' : name,
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
