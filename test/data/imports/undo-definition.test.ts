import { describe, expect, test } from 'vitest';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Observed } from '#core/model/observation.js';
import { lostColumns, lostColumnsIn } from '#data/bulk/read-back/lost-columns.js';
import { chooseDefinition, undoSpec } from '#data/imports/undo/undo-definition.js';
import { definitionOf } from '../bulk/support.js';

const LINES = definitionOf(
  'ITEM_BOM',
  'REPLACE',
  { number: 'Assembly', 'item.number': 'Part', refDes: 'Notes' },
  { matchDuplicateParents: 'ALLOW', removeValue: '-', createDuplicates: 'ALLOW', stripWhiteSpace: 'STRIP' },
);
const ITEMS = definitionOf('ITEM_SPECS', 'OVERWRITE', { number: 'Part', name: 'Name' }, { removeValue: '-' });

const MAPPED = { lost: [], related: new Map() };
const OWN = [
  { header: 'Assembly', fields: ['number'] },
  { header: 'Part', fields: ['item.number'] },
  { header: 'Notes', fields: ['refdes'] },
];
const WHOLE = {
  ...MAPPED,
  lost: lostColumns(OWN, LINES, ['lineNumber', 'quantity', 'refDes', 'notes', 'Side']),
};

const live = (name: string, spec: ImportDefinitionSpec): Observed =>
  ({ name, spec, identity: name }) as unknown as Observed;
const choose = (wanted: ImportDefinitionSpec, those: readonly Observed[]) =>
  chooseDefinition('edit', wanted, { name: 'Specs' }, those);

describe('the definition for an undo', () => {
  test('has the mapping, and the options that apply in the other mode', () => {
    expect(undoSpec('edit', { name: 'Specs', spec: ITEMS, ...MAPPED })).toEqual({ ...ITEMS, mode: 'EDIT' });
    const { options, mode } = undoSpec('delete', { name: 'Boms', spec: LINES, ...WHOLE });
    expect([mode, options]).toEqual(['DELETE', { mapping: LINES.options?.mapping }]);
  });

  test('has the further fields of lines, where whole lines are sent', () => {
    const { options } = undoSpec('replace', { name: 'Boms', spec: LINES, ...WHOLE });
    expect(
      options?.mapping
        ?.slice(3)
        .map(({ apiName, attribute, sourceName }) => `${apiName ?? attribute} from ${sourceName}`),
    ).toEqual([
      'lineNumber from lineNumber',
      'quantity from quantity',
      'notes from notes of the line',
      'Side from Side',
    ]);
    const header = [...OWN, ...WHOLE.lost].map((column) => column.header);
    expect(lostColumnsIn(header, ['Assembly', 'Part', 'Notes'], LINES)).toEqual(WHOLE.lost);
    expect(undoSpec('replace', { name: 'Boms', spec: LINES, ...MAPPED }).options?.mapping).toHaveLength(3);
  });

  test('is an existing definition with exactly that content, despite echoes of the service', () => {
    const wanted = undoSpec('edit', { name: 'Specs', spec: ITEMS, ...MAPPED });
    const echoed = {
      ...{ resource: 'ITEM_SPECS', mode: 'EDIT', description: 'By hand' },
      options: {
        ...{ removeValue: '-', stripWhiteSpace: 'STRIP', createDuplicates: 'ERROR', fileEdition: undefined },
        mapping: wanted.options?.mapping?.map((entry) => ({ ...entry, inResponse: true })).reverse(),
      },
    } as unknown as ImportDefinitionSpec;
    expect(choose(wanted, [live('By hand', echoed)])).toEqual({ name: 'By hand', is: 'there' });
    // Its own one rather than another, and none that was replaced or whose name two have.
    const own = live('Specs (undo edit)', echoed);
    expect(choose(wanted, [live('By hand', echoed), own]).name).toBe('Specs (undo edit)');
    expect(choose(wanted, [live('Old ~retired #3', echoed)]).is).toBe('new');
    expect(choose(wanted, [live('Twin', echoed), live('Twin', ITEMS)]).is).toBe('new');
  });

  test.each<[string, object]>([
    ['another marker', { removeValue: '[Remove Value]' }],
    ['a change that rows are added to', { removeValue: '-', addToChange: 'ECO-1' }],
    ['other matching', { removeValue: '-', matchDuplicates: 'APPLY_TO_ALL' }],
  ])('is a new one where the existing one has %s', (_, options) => {
    const wanted = undoSpec('edit', { name: 'Specs', spec: ITEMS, ...MAPPED });
    const other = { ...wanted, options: { ...options, mapping: wanted.options?.mapping } } as ImportDefinitionSpec;
    expect(choose(wanted, [live('Specs (undo edit)', other)])).toEqual({ name: 'Specs (undo edit 2)', is: 'new' });
  });
});
