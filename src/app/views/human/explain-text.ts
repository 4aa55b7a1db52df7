import type { Explanation, FieldFacts, KindRow } from '../../operations/explain.js';
import type { Palette } from './palette.js';
import { tableText } from './table.js';

/** Kinds, lookups and jobs, one on each line. */
export const kindsText = (rows: readonly KindRow[], width: number | undefined): string =>
  tableText(
    ['NAME', 'SHORT NAMES', 'ROLE', 'DESCRIPTION'],
    rows.map(({ name, shortNames, role, summary }) => [name, shortNames.join(', '), role, summary]),
    width,
  );

/** A kind or a field: its summary, and its fields as a tree with types, known values and defaults. */
export function explanationText({ name, summary, fields }: Explanation, palette: Palette): string {
  const body = fields.map((field) => fieldTree(field, palette, 1)).join('');
  return `${palette.bold(name)}\n  ${summary}\n${body === '' ? '' : `\n${body}`}`;
}

function fieldTree(field: FieldFacts, palette: Palette, depth: number): string {
  const pad = '  '.repeat(depth);
  const { path, type, required, description, known, fields } = field;
  const facts = [
    ...(description === undefined ? [] : [description]),
    ...(known === undefined ? [] : [`Known values: ${known.join(', ')}.`]),
    ...(field.default === undefined ? [] : [`Default: ${JSON.stringify(field.default)}.`]),
  ];
  const head = `${pad}${palette.bold(path)}  ${palette.dim(type)}${required ? palette.yellow('  required') : ''}\n`;
  const body = facts.map((fact) => `${pad}    ${fact}\n`).join('');
  return head + body + fields.map((inner) => fieldTree(inner, palette, depth + 1)).join('');
}
