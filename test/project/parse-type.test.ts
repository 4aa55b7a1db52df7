import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { typesMeant } from '#core/model/types-meant.js';
import { parseKindOrJob, parseType, typesMatching } from '#project/parse-type.js';

test.each([
  ['UserGroup', 'UserGroup'],
  ['usergroup', 'UserGroup'],
  ['UserGroups', 'UserGroup'],
  ['user-groups', 'UserGroup'],
  ['USER_GROUP', 'UserGroup'],
  ['group', 'UserGroup'],
  ['Groups', 'UserGroup'],
  ['importdefs', 'ImportDefinition'],
  ['import-def', 'ImportDefinition'],
  ['def', 'ImportDefinition'],
  ['policies', 'Policy'],
  ['categories', 'Category'],
  ['cats', 'Category'],
  ['lifecycle-phases', 'LifecyclePhase'],
  ['reservations', 'NumberReservation'],
])('%s is %s', (word, name) => {
  expect(parseType(word, builtIn).type.name).toBe(name);
});

describe('a typed word', () => {
  test('selects one type of the catalog', () => {
    const types = [...builtIn.kinds, ...builtIn.jobs, ...builtIn.lookups];
    const words = types.flatMap(({ name, shortNames = [] }) => [name, `${name}s`, ...shortNames]);
    expect(words.filter((word) => typesMeant(word, types).length !== 1)).toEqual([]);
    expect(parseKindOrJob('imports', builtIn)).toBe('Import');
  });

  test('is a name before it is a short name, and may be the short name of several', () => {
    const types = [
      { name: 'UserGroup', shortNames: ['group'] },
      { name: 'PartGroup', shortNames: ['group'] },
    ];
    expect(typesMeant('groups', types)).toEqual(types);
    const group = { name: 'Group' };
    expect(typesMeant('groups', [...types, group])).toEqual([group]);
  });

  test.each([
    ['Address', 'addresses'],
    ['Box', 'boxes'],
    ['Status', 'statuses'],
    ['Batch', 'batches'],
    ['Purchase', 'purchases'],
    ['Series', 'series'],
  ])('%s has the plural %s', (name, plural) => {
    expect(typesMeant(plural, [{ name }])).toEqual([{ name }]);
    expect(typesMeant(name.toLowerCase(), [{ name }])).toEqual([{ name }]);
  });

  test('is refused with the nearest name if no type has it', () => {
    expect(() => parseType('grops', builtIn)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_NAME', hint: 'Did you mean "group"?' }),
    );
    expect(() => parseType('UserGroup/Quality', builtIn)).toThrow(
      expect.objectContaining({
        hint: 'Give the kind without a name: UserGroup. In `dexsync get`, the name follows after a space.',
      }),
    );
  });

  test('selects kinds in patterns', () => {
    expect(typesMatching('groups', builtIn)).toEqual(['UserGroup']);
    expect(typesMatching('*Definition', builtIn)).toEqual([
      'ImportDefinition',
      'ExportDefinition',
      'ExtractDefinition',
    ]);
    expect(typesMatching('zzz', builtIn)).toEqual([]);
  });
});
