import { describe, expect, test } from 'vitest';
import { LIST_LIES, type Lie, OBJECT_LIES } from '../harness/lies.js';
import { lyingService } from '../harness/lying-service.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import type { TestWorkspace } from '../harness/test-workspace.js';

const [DEFINITIONS, GROUPS, TRIGGERS] = [
  '/imports',
  '/settings/usergroups',
  '/settings/integrations/triggers',
] as const;
const COLLECTIONS = [DEFINITIONS, GROUPS, TRIGGERS, '/settings/policies', '/exports', '/outboundevents'];

/** What the stack has: nobody may lose or double any of it. */
const KEPT =
  itemsDefinition('Parts', { Part: 'number' }) +
  itemsDefinition('Prices', { Part: 'number' }) +
  manifest('ExportDefinition', 'Resistors', { description: 'a' }) +
  manifest('UserGroup', 'Reviewers', { description: 'a', members: ['ann@example.com'] }) +
  manifest('UserGroup', 'Buyers', { description: 'a' });
/** Protected, and later in no manifest. */
const PROTECTED = manifest('UserGroup', 'Keep', { description: 'a' }, { protect: true });
/** Not protected, and later in no manifest. */
const SPARE = manifest('UserGroup', 'Spare', { description: 'a' });
const CHANGED =
  KEPT.replace('"Reviewers"},"spec":{"description":"a"', '"Reviewers"},"spec":{"description":"b"') +
  manifest('UserGroup', 'Added', { description: 'a', members: ['bob@example.com'] }) +
  itemsDefinition('Added', { Part: 'number' });

const LOCALLY = ['apply', '--yes', '--env', 'local'];
const promotion = (from: string, to: string): string[][] => [
  LOCALLY,
  ['promote', from, to, '--out', 'promoted.json'],
  ['apply', 'promoted.json', '--yes'],
];

/** Operations, the manifests that they find, and what they may take away. */
const OPERATIONS: Readonly<Record<string, { args: string[][]; manifests: string; removes?: readonly string[] }>> = {
  plan: { args: [['plan']], manifests: KEPT + PROTECTED + SPARE },
  'an apply without a change': { args: [['apply', '--yes']], manifests: KEPT + PROTECTED + SPARE },
  'an apply of changes': { args: [['apply', '--yes']], manifests: CHANGED + PROTECTED + SPARE },
  'an apply that prunes': { args: [['apply', '--yes', '--prune']], manifests: KEPT, removes: ['Spare'] },
  'an apply that adopts': { args: [['apply', '--yes', '--adopt']], manifests: KEPT + PROTECTED + SPARE },
  drift: { args: [['drift']], manifests: KEPT + PROTECTED + SPARE },
  pull: { args: [['pull']], manifests: KEPT + PROTECTED + SPARE },
  'a promotion to it': { args: promotion('local', 'remote'), manifests: CHANGED + PROTECTED + SPARE },
  'a promotion from it': { args: promotion('remote', 'local'), manifests: KEPT + PROTECTED + SPARE },
  'a comparison': { args: [LOCALLY, ['diff', 'local', 'remote']], manifests: KEPT + PROTECTED + SPARE },
};

const LIES: readonly Lie[] = [DEFINITIONS, GROUPS].flatMap((path) => [
  ...[...Object.keys(LIST_LIES), 'lag'].map((does) => ({ on: 'list', does, path }) as Lie),
  ...Object.keys(OBJECT_LIES).flatMap((does) => [
    { on: 'read', does, path } as Lie,
    { on: 'write', does, path } as Lie,
  ]),
  { on: 'write', does: 'acknowledge without doing', path } as const,
]);

const CASES = (['reference', 'arena'] as const).flatMap((dialect) =>
  Object.keys(OPERATIONS).flatMap((operation) => LIES.map((lie) => ({ dialect, operation, lie }))),
);

interface Entry {
  readonly guid: string;
  readonly name: string;
}

/** All objects by GUID, read over the wire by the test itself. */
async function objectsOf({ call }: TestWorkspace): Promise<ReadonlyMap<string, Entry>> {
  const lists = await Promise.all(COLLECTIONS.map((path) => call('GET', path)));
  const entries = lists.flatMap(({ body }) => (body.results ?? []) as Entry[]);
  return new Map(entries.map((entry) => [entry.guid, entry]));
}

/** What the laws forbid: something that was known is gone, doubled or emptied. */
function violations(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>, removes: readonly string[]) {
  const names = [...after.values()].map(({ name }) => name);
  return [...before.values()].flatMap(({ guid, name, ...was }): string[] => {
    const { name: now, ...is } = after.get(guid) ?? {};
    if (now === undefined) return removes.includes(name) ? [] : [`${name} is gone`];
    const count = names.filter((one) => one === name).length;
    const emptied = Object.entries(was).filter(
      ([field, value]) => !isEmpty(value) && isEmpty((is as Record<string, unknown>)[field]),
    );
    return [
      ...(now === name ? [] : [`${name} is named ${now}`]),
      ...(count === 1 ? [] : [`${name} is there ${count} times`]),
      ...emptied.map(([field]) => `${name} lost its ${field}`),
    ];
  });
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

describe('a service that answers falsely makes dexsync neither lose, double nor empty a record of its ledger', () => {
  test.each(sample(CASES, 7))(
    '$operation while $lie.path $lie.on: $lie.does ($dialect)',
    async ({ dialect, operation, lie }) => {
      const { args, manifests, removes = [] } = OPERATIONS[operation] as (typeof OPERATIONS)[string];
      const { workspace, project, run, tell } = await lyingService(KEPT + PROTECTED + SPARE, dialect);
      const before = await objectsOf(workspace);
      await project.write('manifests/all.yaml', manifests);
      await tell(lie);
      for (const command of args) expect([0, 1, 2, 3, 4, 5]).toContain((await run(...command)).code);
      expect(violations(before, await objectsOf(workspace), removes)).toEqual([]);
      await tell(undefined);
      await project.write('manifests/all.yaml', KEPT);
      const after = await run('apply', '--yes', '--prune', '--allow', 'changed-deletes');
      expect([after.out, violations(before, await objectsOf(workspace), ['Spare'])]).toEqual([after.out, []]);
      expect(after.out).toMatch(/UserGroup\/Keep .*blocked[\s\S]*It is protected/);
    },
    60_000,
  );
});
