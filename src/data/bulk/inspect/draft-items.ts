import type { ChosenKey } from './choose-key.js';
import { roleNamed } from './column-names.js';
import { withDates } from './date-orders.js';
import { columnsIn, columnTexts, type Draft, flowText, type OpenColumn, withRemark } from './draft.js';
import { withNames } from './item-names.js';
import { blankDraft, type KnownTable } from './known-table.js';
import type { Meaning, Role } from './meanings.js';
import { withNumbers } from './number-formats.js';
import { orderRemarks } from './order-list.js';
import { parentNames } from './parent-columns.js';
import { emptyPlaceholders } from './placeholders.js';
import { withUnit } from './quantity-units.js';
import { findVariants } from './quantity-variants.js';
import { substitutesIn, withSubstitutes } from './substitutes.js';
import { costCurrency, lineCosts, unclearCost } from './unclear-cost.js';

/** Drafts the items of a list. */
export function draftItems(table: KnownTable, key: ChosenKey): Draft {
  const { roles } = table;
  const blank = {
    ...blankDraft(table, key, 'items'),
    remarks: key.remarks,
    mapping: new Map([['number', key.column]]),
  };
  const named = withNames({ ...blank, kind: 'items', resource: 'ITEM_SPECS' }, table, key);
  const mapping = new Map(named.mapping);
  const description = roles.get('description');
  const name = mapping.get('name') ?? '';
  const [first] = columnTexts(named.source, name);
  if (description !== undefined && name !== description.name && first !== `{${description.name}}`)
    mapping.set('description', description.name);
  const unclear = [...unclearCost(table), ...lineCosts(table)];
  for (const role of ['uom', 'cost'] as const) {
    const column = roles.get(role);
    if (column !== undefined && column.multiline === 0 && !(role === 'cost' && unclear.length > 0))
      mapping.set(role === 'cost' ? 'standardCost' : role, column.name);
  }
  const ordered = [
    ...orderRemarks(table.columns, roles, mapping.has('standardCost') ? roles.get('cost') : undefined),
    ...unclear,
    ...(mapping.has('standardCost') ? costCurrency(table) : []),
    ...assemblyCosts(table, mapping),
    ...namelessColumns(table),
  ].reduce(withRemark, withVariants({ ...named, mapping }, table));
  const formatted = withUnit(withNumbers(ordered, table, ['cost']), table);
  const whole = emptyPlaceholders(withDates(formatted, table.columns), table.columns);
  return { ...withSubstitutes(whole, table), open: openColumns(table, mapping, key) };
}

/** Names cells below no header, which no manifest can name. */
const namelessColumns = ({ columns }: KnownTable): string[] =>
  columns
    .filter(({ name, filled }) => name === '' && filled > 0)
    .map(
      ({ filled, samples }) =>
        `Open: a column without a header has ${filled === 1 ? '1 cell' : `${filled} cells`}, such as ${JSON.stringify(samples[0] ?? '')}, and is not imported. Give it a header to import it.`,
    );

/** Says that the costs of assemblies may be sums. */
function assemblyCosts({ roles }: KnownTable, mapping: ReadonlyMap<string, string>): string[] {
  const cost = mapping.get('standardCost');
  if (cost === undefined || !['level', 'path', 'parent'].some((role) => roles.has(role as Role))) return [];
  return [
    `Open: costs in "${cost}" of assemblies may be the sums of those of their parts. If they are, empty them (\`values: { ${flowText(cost)}: { "…": "" } }\`).`,
  ];
}

/** Names the quantities of variants: which of them are meant is not known. */
function withVariants(draft: Draft, { columns, roles }: KnownTable): Draft {
  const variants = findVariants(columns);
  if (variants.length < 2 || roles.has('quantity')) return draft;
  const names = variants.map(({ name }) => `"${name}"`).join(', ');
  return withRemark(
    draft,
    `Open: ${names} look like quantities of variants, and no BOM is proposed for them. Inspect the file once for each, with \`--column "${variants[0]?.name}=quantity" --out FOLDER\`.`,
  );
}

const FOR_BOM: readonly Role[] = [
  ...(['level', 'parent', 'refDes', 'quantity', 'lineNumber', 'unfitted', 'fitted', 'placement'] as const),
];

/** Fields of items whose values the workspace must have. */
const KNOWN_VALUES: Partial<Record<Meaning, readonly [apiName: string, why: string]>> = {
  category: ['category.name', 'They must be categories of the workspace.'],
  lifecycle: ['lifecyclePhase.name', 'They must be lifecycle phases of the workspace.'],
  revision: ['revisionNumber', 'The service sets it when an item is released.'],
};

/** Attributes that the items of a workspace may have. */
const ATTRIBUTES: Partial<Record<Meaning, string>> = {
  manufacturer: 'Manufacturer',
  mpn: 'Manufacturer Part Number',
  supplier: 'Supplier',
  supplierPartNumber: 'Supplier Part Number',
  value: 'Value',
  package: 'Package',
  notes: 'Remarks',
};

/** Lists columns with values but without a certain field; those of BOM lines are in their own import. */
function openColumns(table: KnownTable, mapping: ReadonlyMap<string, string>, { of = '' }: ChosenKey): OpenColumn[] {
  const { columns, roles, source } = table;
  const substitutes = substitutesIn(table);
  const divided = Object.values(source.columns ?? {}).flatMap((added) => {
    if (Array.isArray(added)) return added.flatMap(columnsIn);
    return typeof added === 'object' && 'bracketed' in added ? added.bracketed : [];
  });
  const used = new Set([of, ...divided, ...mapping.values(), ...Object.keys(source.constants ?? {})]);
  const roleOf = new Map([...roles].map(([role, { name }]) => [name, role]));
  return columns.flatMap((column): OpenColumn[] => {
    const { name, filled, samples, header } = column;
    const role = roleOf.get(name);
    const isOfLine =
      FOR_BOM.includes(role as Role) ||
      (roleNamed(header) === 'placement' && roles.has('refDes')) ||
      substitutes.includes(column) ||
      column === parentNames(columns, roles);
    if (filled === 0 || header.trim() === '' || used.has(name) || role === 'path' || isOfLine) return [];
    const why = `${filled === 1 ? '1 value' : `${filled} values`} such as ${JSON.stringify(samples[0] ?? '')}.`;
    const known = role === undefined ? undefined : KNOWN_VALUES[role];
    if (known !== undefined) return [{ column: name, target: { apiName: known[0] }, why: `${why} ${known[1]}` }];
    const attribute = (role === undefined ? undefined : ATTRIBUTES[role]) ?? name;
    return [{ column: name, target: { attribute }, why }];
  });
}
