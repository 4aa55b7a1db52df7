import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codes, type Forge, GITHUB, GITLAB, type Stage } from '../harness/pipelines/forges.js';
import type { Merging } from '../harness/pipelines/hosted-project.js';
import { group, repository } from '../harness/pipelines/repository.js';
import { IS_WHOLE } from '../harness/sample.js';

/** The names of groups, by how their changes are merged. A fast-forward has the reviewed commit itself. */
const WAYS: Readonly<Record<string, Merging>> = { Buyers: 'merge', Makers: 'squash', Sellers: 'fast-forward' };

/** `npm test` takes one way on each forge. */
const waysOn = (forge: Forge): [name: string, how: Merging][] =>
  Object.entries(WAYS).filter(([, how]) => IS_WHOLE || how === (forge === GITHUB ? 'merge' : 'squash'));

const LONG = { timeout: 900_000 };

describe.each([GITHUB, GITLAB])('the pipeline of $name', LONG, (forge) => {
  const planOf = (stage: Stage): string => (forge === GITHUB ? 'promotion-plan' : `${stage}-plan`);
  const applyOf = (stage: Stage): string => (forge === GITHUB ? 'promotion' : stage);
  /** What is the same scripts on both is tried on one. */
  const once = test.runIf(IS_WHOLE || forge === GITHUB);

  test('a change is checked, planned and commented on once; merged, squashed or fast-forwarded it is applied', async () => {
    const { host, runs, propose, live } = await repository(forge, { checks: 'run' });
    for (const [name, how] of waysOn(forge)) {
      const change = await propose(name, 'first');
      const quote = `<!-- dexsync plan dev -->\nSee this? ${name}`;
      host.comments.push({ id: host.comments.length + 1, change: change.number, author: 'ann', body: quote });
      if (how === 'merge') {
        expect(codes(await runs.change(change))).toEqual({ check: 0, plan: 0 });
        expect(await propose(name, 'second')).toBe(change);
      }
      expect(codes(await runs.change(change))).toEqual({ check: 0, plan: 0 });
      const comments = host.comments.filter((one) => one.change === change.number).map(({ body }) => body);
      expect(comments).toEqual([quote, expect.stringContaining(`UserGroup/${name}`)]);
      const commit = await host.merge(change, how);
      const jobs = await runs.merged(commit);
      expect(codes(jobs), jobs.apply?.text).toEqual({ check: 0, apply: 0, release: 0 });
      expect(await live(name)).toBe(how === 'merge' ? 'second' : 'first');
    }
  });

  once('a change of a fork is checked without a secret, and planned once somebody starts it', async () => {
    const { host, runs, propose, live, secret } = await repository(forge, { checks: 'run' });
    const change = await propose('Buyers', 'of a fork', 'fork');
    const jobs = await runs.change(change);
    expect(codes(jobs)).toEqual({ check: 0 });
    expect(JSON.stringify(jobs)).not.toContain(secret);
    expect(host.comments).toEqual([]);
    const started = await runs.byHand(change.number);
    expect(codes(started), started.plan?.text).toEqual({ check: 0, plan: 0 });
    expect(host.comments.map(({ change: on }) => on)).toEqual([change.number]);
    const merged = await runs.merged(await host.merge(change, 'squash'));
    expect(codes(merged), merged.apply?.text).toEqual({ check: 0, apply: 0, release: 0 });
    expect(await live('Buyers')).toBe('of a fork');
  });

  once('only the manifests of a fork are used, so the password goes where it went before', async () => {
    const { host, runs } = await repository(forge);
    const change = await host.propose(
      'thief',
      async (desk) => {
        await writeFile(join(desk, 'manifests', 'Buyers.yaml'), group('Buyers', 'x'));
        await rm(join(desk, 'manifests', 'groups.yaml'));
        const config = await readFile(join(desk, 'sync.config.yaml'), 'utf8');
        await writeFile(join(desk, 'sync.config.yaml'), config.replace(/url: .*/, 'url: https://thief.example.com'));
        await writeFile(join(desk, 'ci', 'plan.sh'), 'echo stolen\n');
      },
      'fork',
    );
    const { plan } = await runs.byHand(change.number);
    expect([plan?.code, plan?.text]).toEqual([0, expect.stringContaining('Plan: 1 to create.')]);
    expect(plan?.text).not.toContain('stolen');
  });

  test.runIf(IS_WHOLE)('two merges at once run their jobs in any order, and again', async () => {
    const { host, runs, propose, live } = await repository(forge);
    const changes = [await propose('Buyers', 'one'), await propose('Makers', 'two')];
    for (const change of changes) expect(codes(await runs.change(change))).toEqual({ plan: 0 });
    const commits: string[] = [];
    for (const change of changes) commits.push(await host.merge(change, 'merge'));
    for (const commit of [...commits].reverse()) {
      const { apply } = await runs.merged(commit);
      expect(apply?.code, apply?.text).toBe(0);
      expect([await live('Buyers'), await live('Makers')]).toEqual(['one', 'two']);
    }
    const { apply } = await runs.merged(commits[1] ?? '');
    expect([apply?.code, apply?.text]).toEqual([0, expect.stringContaining('plan.json was already applied on ')]);
  });

  once('an unplanned change is not applied; after a manual plan, the same run applies it', async () => {
    const { host, runs, live } = await repository(forge);
    await writeFile(join(host.desk, 'manifests', 'Buyers.yaml'), group('Buyers', 'pushed'));
    const commit = await host.start();
    const refused = await runs.merged(commit);
    const told = expect.stringContaining(`No plan was made for ${commit}`);
    expect([codes(refused), refused.apply?.text]).toEqual([{ apply: 1 }, told]);
    expect(await live('Buyers')).toBeUndefined();
    expect(codes(await runs.byHand())).toEqual({ plan: 0 });
    expect(codes(await runs.merged(commit))).toEqual({ apply: 0, release: 0 });
    expect(await live('Buyers')).toBe('pushed');
  });

  once(
    'what people changed becomes one change to review; merged it stays, closed the next apply sets it back',
    async () => {
      const { host, runs, live, edit, merged } = await repository(forge);
      for (const name of ['Buyers', 'Makers']) await runs.merged((await merged(name)).commit);
      const proposed = () => host.changes.filter(({ text }) => text !== undefined);
      expect(codes(await runs.night())).toEqual({ drift: 0 });
      expect(proposed()).toEqual([]);

      await edit('Buyers', { description: 'by hand' });
      const night = await runs.night();
      expect(codes(night), night.drift?.text).toEqual({ drift: 0 });
      const [change] = proposed();
      expect(change?.text).toMatch(/UserGroup\/Buyers.*last changed by Cleo/);
      await edit('Buyers', { description: 'by another hand', assignability: ['POLICIES'] });
      for (const time of ['changed', 'as before']) {
        expect(codes(await runs.night()), time).toEqual({ drift: 0 });
        expect(proposed(), time).toEqual([change]);
      }
      if (change === undefined) throw new Error('nothing was proposed');
      if (forge === GITHUB) expect([...new Set(host.started)]).toEqual([change.number]);
      const planned = await (forge === GITHUB ? runs.byHand(change.number) : runs.change(change));
      expect([planned.plan?.code, planned.plan?.text]).toEqual([0, expect.stringContaining('No changes.')]);
      const kept = await runs.merged(await host.merge(change, 'squash'));
      expect(codes(kept), kept.apply?.text).toEqual({ apply: 0, release: 0 });
      expect(codes(await runs.night())).toEqual({ drift: 0 });
      expect([proposed(), await live('Buyers')]).toEqual([[change], 'by another hand']);

      await edit('Makers', { description: 'not wanted' });
      await runs.night();
      const [, unwanted] = proposed();
      if (unwanted === undefined) throw new Error('nothing was proposed');
      unwanted.isClosed = true;
      const after = await runs.night();
      expect([after.drift?.code, after.drift?.text]).toEqual([0, expect.stringContaining('was closed')]);
      expect(proposed()).toHaveLength(2);
      expect(codes(await runs.merged((await merged('Sellers')).commit))).toEqual({ apply: 0, release: 0 });
      expect(await live('Makers')).toBe('one');
      // What was set back and is changed in the same way again is proposed again.
      expect(codes(await runs.night())).toEqual({ drift: 0 });
      await edit('Makers', { description: 'not wanted' });
      await runs.night();
      expect(proposed()).toHaveLength(3);
      await edit('Makers', { description: 'one' });
      await runs.night();
      expect(proposed().at(-1)?.isClosed).toBe(true);
    },
  );

  test.runIf(IS_WHOLE || forge === GITLAB)(
    'what a merge applied to dev is a release; it goes to test and to prod, and back',
    async () => {
      const { host, runs, propose, live, merged, middle, prod } = await repository(forge, { environments: 'each' });
      const at = async (name: string) => [await live(name), await live(name, middle), await live(name, prod)];
      expect(codes(await runs.merged((await merged('Buyers')).commit))).toEqual({ apply: 0, release: 0 });
      // Nothing goes to prod that was not in test.
      const early = await runs.promote('prod');
      expect(early[planOf('prod')]?.text).toContain('It was not applied to environment "test".');
      expect(await live('Buyers', prod)).toBeUndefined();
      for (const stage of ['test', 'prod'] as const) {
        const promoted = await runs.promote(stage);
        expect(codes(promoted), JSON.stringify(promoted)).toEqual({ [planOf(stage)]: 0, [applyOf(stage)]: 0 });
      }
      expect(await at('Buyers')).toEqual(['one', 'one', 'one']);

      const second = await propose('Buyers', 'two');
      await runs.change(second);
      await runs.merged(await host.merge(second, 'squash'));
      for (const stage of ['test', 'prod'] as const) await runs.promote(stage);
      expect(await at('Buyers')).toEqual(['two', 'two', 'two']);
      const back = await runs.promote('prod', 'previous');
      expect(codes(back), JSON.stringify(back)).toEqual({ [planOf('prod')]: 0, [applyOf('prod')]: 0 });
      expect(await at('Buyers')).toEqual(['two', 'two', 'one']);
      const held = await runs.promote('prod');
      expect(held[planOf('prod')]?.text).toContain('went back from dev/r2 to r1');
      expect(await live('Buyers', prod)).toBe('one');
    },
  );
});

test('the check validates every environment, whichever is chosen', async () => {
  const { host, runs, propose } = await repository(GITHUB, { checks: 'run' });
  const change = await propose('Buyers', 'x');
  await host.propose('buyers', async (desk) => {
    const config = await readFile(join(desk, 'sync.config.yaml'), 'utf8');
    await writeFile(
      join(desk, 'sync.config.yaml'),
      config.replace('environments:\n', 'environments:\n  other: { workspace: embedded, overlay: overlays/other }\n'),
    );
  });
  const { check } = await runs.change(change, { DEXSYNC_ENV: 'dev' });
  expect([check?.code, check?.text]).toEqual([3, expect.stringContaining('overlays/other')]);
});

test('an unformatted or invalid file fails the check with its place', async () => {
  const { host, runs } = await repository(GITHUB, { checks: 'run' });
  const change = await host.propose('bad', (desk) =>
    writeFile(join(desk, 'manifests', 'x.yaml'), group('X', 'x').replace('description', 'descripton')),
  );
  const { check } = await runs.change(change);
  expect([check?.code, check?.text]).toEqual([3, expect.stringContaining('::error file=manifests/x.yaml,line=4,col=')]);
  await host.propose('bad', (desk) =>
    writeFile(join(desk, 'manifests', 'x.yaml'), group('X', 'x').replace('spec: {', 'spec:   {')),
  );
  expect((await runs.change(change)).check?.code).toBe(2);
});
