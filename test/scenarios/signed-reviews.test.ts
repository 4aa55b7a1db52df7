import { expect, test } from 'vitest';
import { people, signedProject } from '../harness/signed-project.js';
import { groups } from './lease-project.js';

const PLAN = 'ledger:p';
const APPLY = ['apply', '--as-reviewed', PLAN, '--yes'];

test('only what allowed signers approved is applied', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const { as, workspace } = await signedProject({ 'manifests/all.yaml': groups(1) }, [ann, bob]);
  const direct = await as(ann)('apply', '--yes');
  console.log(direct.text);
  console.log((await as(ann)('plan', '--out', PLAN)).text);
  console.log((await as(ann)(...APPLY)).text);
  console.log((await as(eve)('plan', 'review', PLAN, '--approve')).text);
  console.log((await as(ann)('plan', 'review', PLAN, '--approve')).text);
  console.log((await as(ann)(...APPLY)).text);
  console.log((await as(bob)('plan', 'review', PLAN, '--approve', '--reason', 'fine')).text);
  console.log((await as(bob)('plan', 'list')).text);
  console.log((await as(bob)('show', PLAN)).text);
  console.log((await as(ann)(...APPLY)).text);
  console.log((await as(ann)('history', 'show', '1')).text);
  console.log(await workspace.usage());
});
