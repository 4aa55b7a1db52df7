import type { FileMap, MappedField } from '#data/imports/column-map.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';
import { tableText } from './table.js';

const FROM: Readonly<Record<MappedField['from'], string>> = {
  file: 'file',
  constants: 'constants',
  missing: 'MISSING',
  repeated: 'REPEATED',
};

/** Lists the field of each column, and everything that does not fit. */
export function mapText(map: FileMap, palette: Palette, width: number | undefined): string {
  const { file, worksheet, headerRow, definition, definedIn, resource, mode, problems } = map;
  const sheet = worksheet === undefined ? '' : `, worksheet "${worksheet}"`;
  const where = definedIn === 'manifests' ? 'in the manifests' : 'in the workspace';
  return [
    `${palette.bold(`${file}${sheet}`)} (headers in row ${headerRow}) and ImportDefinition/${definition} ${where} (${resource}, ${mode}), checked against ${whereText(map)}\n\n`,
    map.mapped.length === 0
      ? 'The definition has no mapping: the service uses its default.\n'
      : mappingTable(map, width),
    ...unmappedColumns(map),
    ...map.requiredUnmapped.map((field) => `\n${palette.red('required')}  No column is mapped to "${field}".\n`),
    problems === 0
      ? `\n${palette.green('The mapping matches the file and the workspace.')}\n`
      : `\n${palette.red(`${problems} ${problems === 1 ? 'problem' : 'problems'}.`)} Correct the mapping, or rename columns with \`rename\`.\n`,
  ].join('');
}

function mappingTable({ mapped }: FileMap, width: number | undefined): string {
  const rows = mapped.map(({ column, from, field, exists, required, type = '', hint = '' }) => [
    column,
    FROM[from],
    field,
    exists === 'no' ? 'NO' : exists,
    required ? 'required' : '',
    type,
    hint,
  ]);
  return tableText(['COLUMN', 'FROM', 'FIELD', 'EXISTS', 'REQUIRED', 'TYPE', 'HINT'], rows, width);
}

function unmappedColumns({ unmapped }: FileMap): string[] {
  if (unmapped.length === 0) return [];
  return [
    `\nNot mapped: ${unmapped.map(({ column }) => column).join(', ')}.\n`,
    ...unmapped.flatMap(({ column, hint }) => (hint === undefined ? [] : [`  ${column}: ${hint}\n`])),
  ];
}
