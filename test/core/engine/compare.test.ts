import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { compareSides, type Side } from '#core/engine/compare.js';
import { hasRetiredName } from '#core/engine/retired-name.js';
import type { JsonObject } from '#core/model/json.js';
import { deadReference } from '#core/model/kind.js';
import type { Observed } from '#core/model/observation.js';

const group = builtIn.knownKind('UserGroup');
const trigger = builtIn.knownKind('Trigger');
const definition = builtIn.knownKind('ImportDefinition');

const object = (name: string, spec: JsonObject = {}, number?: number): Observed => ({
  name,
  spec,
  identity: `${name}${number ?? ''}`,
  ...(number === undefined ? {} : { number }),
});

const side = (environment: string, objects: Record<string, readonly Observed[]>, more: Partial<Side> = {}): Side => ({
  environment,
  objects: new Map(Object.entries(objects)),
  unlisted: new Set(),
  hidden: () => [],
  ...more,
});

const groups = (from: readonly Observed[], to: readonly Observed[]) =>
  compareSides({ from: side('dev', { UserGroup: from }), to: side('prod', { UserGroup: to }) }, [group], () => true);

describe('two workspaces, compared by address', () => {
  test('show an object that only one of them has in full, without defaults', () => {
    const { differences, equal } = groups(
      [object('B', { description: 'x', enabled: true })],
      [object('A', { members: ['ann@example.com'] })],
    );
    expect(differences).toEqual([
      {
        address: 'UserGroup/A',
        what: 'only-to',
        fields: [{ path: 'members[ann@example.com]', before: 'ann@example.com' }],
      },
      { address: 'UserGroup/B', what: 'only-from', fields: [{ path: 'description', after: 'x' }] },
    ]);
    expect(equal).toBe(0);
  });

  test('hide a GUID in a value, which equals nothing; text that only resembles one is text', () => {
    const guid = 'A1B2C3D4E5F6G7H8I9J0';
    const specs = [guid, guid, 'MANUFACTURERPARTNUMB', '491134960100', 'A1B2'];
    const made = specs.map((description, index) => object(`${index}`, { description }));
    const { differences, equal } = groups(made.slice(1), made.slice(0, 1).concat(made.slice(1)));
    expect(equal).toBe(3);
    expect(differences).toEqual([
      { address: 'UserGroup/0', what: 'only-to', fields: [{ path: 'description', before: '(a GUID of prod)' }] },
      {
        address: 'UserGroup/1',
        what: 'different',
        fields: [{ path: 'description', before: '(a GUID of prod)', after: '(a GUID of dev)' }],
      },
    ]);
  });

  test('differ in each field, no matter which of the two has it; values that the service fills in do not count', () => {
    const { differences, equal } = groups(
      [object('A', { description: 'x', enabled: true, members: ['ann'] }), object('Same', { description: '' })],
      [object('A', { assignability: ['QUALITY'], members: ['ben'] }), object('Same', { enabled: true })],
    );
    expect(differences).toEqual([
      {
        address: 'UserGroup/A',
        what: 'different',
        fields: [
          { path: 'description', after: 'x' },
          { path: 'members[ann]', after: 'ann' },
          { path: 'members[ben]', before: 'ben' },
          { path: 'assignability[QUALITY]', before: 'QUALITY' },
        ],
      },
    ]);
    expect(equal).toBe(1);
  });

  test('differ also inside entries of a list', () => {
    const mapping = (entry: JsonObject): JsonObject => ({
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options: { mapping: [{ resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part', ...entry }] },
    });
    const { differences } = compareSides(
      {
        from: side('dev', { ImportDefinition: [object('D', mapping({ inResponse: true }))] }),
        to: side('prod', { ImportDefinition: [object('D', mapping({ notes: 'n' }))] }),
      },
      [definition],
      () => true,
    );
    expect(differences).toEqual([
      {
        address: 'ImportDefinition/D',
        what: 'different',
        fields: [{ path: 'options.mapping[ITEM_SPECS number].notes', before: 'n' }],
      },
    ]);
  });

  test('never have equal objects of a shared name, and a finding gives their numbers', () => {
    const { differences, equal, findings } = groups(
      [object('A', {}, 1), object('A', {}, 2)],
      [object('A'), object('B'), object('B')],
    );
    expect(differences).toEqual([
      { address: 'UserGroup/A', what: 'unclear', fields: [] },
      { address: 'UserGroup/B', what: 'unclear', fields: [] },
    ]);
    expect(equal).toBe(0);
    expect(findings.map(({ message }) => message)).toEqual([
      'Environment "dev" has 2 objects named UserGroup/A (#1, #2), so it is not clear which is meant.',
      'Environment "prod" has 2 objects named UserGroup/B, so it is not clear which is meant.',
    ]);
  });

  test('never have equal references to deleted objects', () => {
    const dead = { resource: 'ITEM', action: 'EDIT', category: deadReference('Category') };
    const sides = (to: JsonObject) => ({
      from: side('dev', { Trigger: [object('T', dead)] }),
      to: side('prod', { Trigger: [object('T', to)] }),
    });
    const both = compareSides(sides(dead), [trigger], () => true);
    expect(both.differences).toEqual([{ address: 'Trigger/T', what: 'unclear', fields: [] }]);
    expect(both.findings.map(({ code, message }) => [code, message])).toEqual([
      ['reference-dead', 'Trigger/T of environment "dev" refers to an object that was deleted (category).'],
      ['reference-dead', 'Trigger/T of environment "prod" refers to an object that was deleted (category).'],
    ]);
    const one = compareSides(sides({ ...dead, category: 'Item' }), [trigger], () => true);
    expect(one.differences).toMatchObject([{ what: 'different', fields: [{ path: 'category', before: 'Item' }] }]);
    const attributes = [{ attribute: deadReference('attribute') }, { attribute: deadReference('attribute') }];
    const several = compareSides(sides({ ...dead, attributes }), [trigger], () => true);
    expect(several.findings[1]?.message).toContain(
      'refers to 3 objects that were deleted (category, attributes[0].attribute, attributes[1].attribute).',
    );
  });

  test('do not differ in a field that either service hides', () => {
    const spec = { resource: 'ITEM', action: 'EDIT' };
    const { differences, equal } = compareSides(
      {
        from: side('dev', { Trigger: [object('T', { ...spec, attributes: [{ apiName: 'name' }] })] }),
        to: side('prod', { Trigger: [object('T', spec)] }, { hidden: () => ['attributes', 'conditions'] }),
      },
      [trigger],
      () => true,
    );
    expect([differences, equal]).toEqual([[], 1]);
  });

  test('name and skip kinds that a service does not list, and differ only in the selected kinds', () => {
    const unlisted = new Set(['Trigger']);
    const { differences, findings, equal } = compareSides(
      {
        from: side('dev', { Trigger: [], UserGroup: [object('A'), object('B ~retired #1')] }),
        to: side('prod', {}, { unlisted }),
      },
      [group, trigger, definition],
      (address) => !hasRetiredName(address),
    );
    expect(differences.map(({ address }) => address)).toEqual(['UserGroup/A']);
    expect(equal).toBe(0);
    expect(findings).toEqual([
      {
        severity: 'warning',
        code: 'kind-unlisted',
        message: 'The service of environment "prod" does not list Trigger objects, so they are not compared.',
      },
    ]);
  });

  test('name fields that a service does not return, where there is something to compare', () => {
    const hidden = { hidden: () => ['conditions'] };
    const of = (name: string) => {
      const [from, to] = [side('dev', { Trigger: [object(name)] }, hidden), side('prod', { Trigger: [object('T')] })];
      return compareSides({ from, to }, [group, trigger], () => true).findings;
    };
    expect(of('T')).toEqual([
      {
        severity: 'warning',
        code: 'field-hidden',
        message:
          'The service of environment "dev" does not return conditions of Trigger objects, so they are not compared.',
      },
    ]);
    expect(of('Other')).toEqual([]);
  });
});
