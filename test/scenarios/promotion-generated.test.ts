import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { manifest } from '../harness/manifest.js';
import { SEED, scaled } from '../harness/sample.js';
import type { TestWorkspace } from '../harness/test-workspace.js';
import { type Random, randomFrom } from '../histories/harness/random.js';

/** What a group has at one end. */
interface Group {
  readonly description: string;
  readonly members: ReadonlySet<string>;
}

type Groups = ReadonlyMap<string, Group>;

type Side = 'release' | 'target';

const PEOPLE = ['ann', 'ben', 'cleo'];
const PATH = '/settings/usergroups';

/** Edits some of the groups of one end; `mayCreate`: how many there may be. */
function edited(groups: Groups, random: Random, text: () => string, mayCreate = 0): Groups {
  const changed = new Map(groups);
  for (const [name, { description, members }] of groups) {
    const person = random.pick(PEOPLE);
    const toggled = new Set(members);
    if (!toggled.delete(person)) toggled.add(person);
    changed.set(name, {
      description: random.chance(40) ? text() : description,
      members: random.chance(30) ? toggled : members,
    });
  }
  if (groups.size < mayCreate && (groups.size === 0 || random.chance(60)))
    changed.set(`G${groups.size + 1}`, { description: text(), members: new Set([random.pick(PEOPLE)]) });
  return changed;
}

/** What each end may say of one value: changed at one end alone, that end wins; undefined: both changed it differently. */
const merged = <T>(base: T, theirs: T, ours: T): T | undefined =>
  theirs === ours || ours === base ? theirs : theirs === base ? ours : undefined;

/** What the target must have after a promotion, as people decide its conflicts. */
function promoted(base: Groups, release: Groups, target: Groups, decide: (name: string) => Side) {
  const conflicts: [name: string, side: Side][] = [];
  const expected = new Map(target);
  for (const [name, theirs] of release) {
    const [before, ours] = [base.get(name), target.get(name)];
    if (before === undefined || ours === undefined) {
      expected.set(name, theirs);
      continue;
    }
    const description = merged(before.description, theirs.description, ours.description);
    const side = description === undefined ? decide(name) : 'target';
    if (description === undefined) conflicts.push([name, side]);
    const members = PEOPLE.filter((one) =>
      merged(before.members.has(one), theirs.members.has(one), ours.members.has(one)),
    );
    const decided = side === 'release' ? theirs.description : ours.description;
    expected.set(name, { description: description ?? decided, members: new Set(members) });
  }
  return { expected, conflicts };
}

/** Reads the groups of a workspace as people see them. */
async function groupsOf(workspace: TestWorkspace): Promise<Groups> {
  const found = (await workspace.pages(PATH)).filter(({ name }) => name !== 'Everyone');
  const read = found.map(async ({ guid, name, description }): Promise<[string, Group]> => {
    const members = await workspace.pages(`${PATH}/${guid}/users`);
    return [name, { description, members: new Set(members.map(({ email }) => String(email).replace(/@.*/, ''))) }];
  });
  return new Map(await Promise.all(read));
}

/** Changes a workspace as people do, until it has these groups. */
async function changeGroups(workspace: TestWorkspace, before: Groups, after: Groups): Promise<void> {
  const [found, users] = await Promise.all([workspace.pages(PATH), workspace.pages('/settings/users')]);
  for (const [name, { description, members }] of after) {
    const path = `${PATH}/${found.find((one) => one.name === name)?.guid}`;
    const known = before.get(name);
    if (known?.description !== description) await workspace.call('PUT', path, { name, description });
    for (const person of PEOPLE.filter((one) => known?.members.has(one) !== members.has(one))) {
      const { guid } = users.find(({ email }) => email === `${person}@example.com`);
      if (members.has(person)) await workspace.call('POST', `${path}/users`, { guid });
      else await workspace.call('DELETE', `${path}/users/${guid}`);
    }
  }
}

const manifests = (groups: Groups): string =>
  [...groups]
    .map(([name, { description, members }]) =>
      manifest('UserGroup', name, { description, members: [...members].sort().map((one) => `${one}@example.com`) }),
    )
    .join('');

const plain = (groups: Groups): object =>
  Object.fromEntries([...groups].map(([name, { description, members }]) => [name, [description, [...members].sort()]]));

/** A write of the target fails, before or after it was done. */
const fault = (random: Random) =>
  ({
    method: random.pick(['PUT', 'POST'] as const),
    path: random.pick([`${PATH}/*`, PATH, `${PATH}/*/users`]),
    ...({ do: 'status', status: 500 } as const),
    when: random.pick(['before', 'after'] as const),
    ...{ nth: 1 + random.below(2), times: 9 },
  }) as const;

const ROUNDS = 6;

test.each(Array.from({ length: scaled(40, 2) }, (_, index) => SEED + index))(
  'what one end alone changed is never lost in rounds of promotions: seed %d',
  async (seed) => {
    const random = randomFrom(seed);
    let texts = 0;
    const text = (): string => `Text ${random.chance(30) ? 0 : ++texts}`;
    const { run, project, prod } = await pairProject();
    const must = async (...args: string[]) => {
      const ended = await run(...args);
      expect(ended.code, `${args.join(' ')}\n${ended.out}${ended.err}`).toBe(0);
    };
    let [dev, base, target]: Groups[] = [new Map(), new Map(), new Map()];
    for (let round = 0; round < ROUNDS; round += 1) {
      dev = edited(dev ?? new Map(), random, text, 4);
      await project.write('manifests/all.yaml', manifests(dev));
      await must('apply', '--env', 'dev', '--yes');
      await must('release', 'create', 'dev');
      const hand = edited(target ?? new Map(), random, text);
      await changeGroups(prod, target ?? new Map(), hand);
      const { expected, conflicts } = promoted(base ?? new Map(), dev, hand, () => random.pick(['release', 'target']));
      const [newest = ''] = (await run('release', 'list', '-o', 'name')).out.split('\n');
      const release = ['promote', '--release', newest, '--to', 'prod'];
      const undecided = await run(...release);
      expect(undecided.code, `${JSON.stringify(conflicts)}\n${undecided.out}${undecided.err}`).toBe(
        conflicts.length > 0 ? 4 : 0,
      );
      const takes = conflicts.flatMap(([name, side]) => ['--take', side, `UserGroup/${name}#description`]);
      if (random.chance(50)) await prod.arm([fault(random)]);
      for (let tries = 0, code: number | null = 4; code !== 0; tries += 1) {
        expect(tries).toBeLessThan(3);
        await must(...release, ...takes, '--out', 'plan.json');
        ({ code } = await run('apply', 'plan.json', '--yes'));
        await prod.arm([]);
      }
      expect(plain(await groupsOf(prod))).toEqual(plain(expected));
      await must(...release, '--detailed-exitcode');
      [base, target] = [dev, expected];
    }
  },
  120_000,
);
