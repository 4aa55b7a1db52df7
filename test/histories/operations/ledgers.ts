import { bareRepository, refsOf, setRefs } from '../harness/git.js';
import { inGit, type LedgerKind, newLedger } from '../harness/ledgers.js';
import { configure, type Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { judgeCode, judgeWrites } from '../laws/answers.js';
import { isCertain, isIdle, judgeApply, judgePlan } from '../laws/applies.js';
import { judgeWorkspace } from '../laws/workspace.js';
import { expectedPlan } from '../model/plan.js';
import { Violation } from '../violation.js';
import { type Judged, operation } from './operation.js';
import type { Operation } from './operations.js';

/** A remote that has lost what a clone has pushed is refused by that clone, until it is pushed back (law 1). */
async function judgeRewound(world: World, site: Site): Judged {
  const remote = world.ledger.repository;
  if (remote === undefined) return 'skipped';
  const expected = expectedPlan({ ...world.placeOf(site), adopt: 'never' });
  const before = refsOf(remote);
  if (before.size === 0 || !isCertain(expected) || isIdle(expected)) return 'skipped';
  await judgeApply(world, site, {});
  const after = refsOf(remote);
  setRefs(remote, before);
  world.note('# the remote of the ledger is restored from a backup made before');
  await world.service.newRequests();
  const ended = await world.run(site, 'apply', '--yes', '--json');
  if (ended.code !== 1) throw new Violation(1, `A rewound ledger is accepted: ${ended.out.slice(-600)}${ended.err}`);
  judgeWrites(await world.service.newRequests(), 0, 'an apply whose ledger is rewound');
  setRefs(remote, after);
  world.note('# what was missing is pushed back');
  return world.check(() => judgePlan(world, site, {}));
}

/** A configuration that names another ledger than the one in use is refused (law 1): an empty one would forget what is owned. */
async function judgeElsewhere(world: World, site: Site): Judged {
  const { ledger } = world.placeOf(site);
  if (ledger.size === 0) return 'skipped';
  await judgePlan(world, site, {});
  const { section } = world.ledger;
  const other = section === '' ? inGit(bareRepository(world.root, 'other')) : '';
  configure(site, other);
  world.note(`# sync.config.yaml names ${other === '' ? 'no ledger' : 'a git ledger'} by mistake`);
  await world.service.newRequests();
  const ended = await world.run(site, 'apply', '--yes', '--json');
  if (![1, 3].includes(ended.code ?? 0))
    throw new Violation(1, `Another ledger is begun, though one is in use: ${ended.out.slice(-600)}${ended.err}`);
  configure(site, section);
  world.note('# the configuration is corrected');
  await judgeWorkspace(world);
  return world.check(() => judgePlan(world, site, {}));
}

const KINDS: readonly LedgerKind[] = ['file', 'postgres', 'git'];

/** A ledger that goes somewhere else is the same there, and its old place is closed to clones that do not know yet (law 8). */
async function judgeMove(world: World, site: Site): Judged {
  const { ledger } = world.placeOf(site);
  if (ledger.size === 0) return 'skipped';
  const { from, section } = world.ledger;
  world.ledger = await newLedger(world.random.pick(KINDS), world.root);
  configure(site, world.ledger.section);
  world.note(`# sync.config.yaml: ${world.ledger.section.trim()}`);
  for (const environment of await world.environments(site))
    judgeCode(await world.run(site, 'ledger', 'move', environment, '--from', from, '--json'), 0, 'ledger move');
  for (const other of world.sites.filter((one) => one !== site)) {
    const ended = await world.run(other, 'apply', '--yes', '--json');
    if (ended.code !== 1 && ended.code !== 3)
      throw new Violation(
        8,
        `A ledger that was moved from ${section} is still used: ${ended.err}${ended.out.slice(-600)}`,
      );
    configure(other, world.ledger.section);
    world.note(`# sync.config.yaml: ${world.ledger.section.trim()}`);
  }
  await judgeWorkspace(world);
  return world.check(async () => {
    for (const one of world.sites) await judgePlan(world, one, {});
    return undefined;
  });
}

/** What becomes of the ledger beside applies. */
export const LEDGER: readonly Operation[] = [
  { ...operation('ledger rewound', 4, judgeRewound), needs: { ledger: 'git' } },
  operation('another ledger named', 1, judgeElsewhere),
  operation('ledger move', 3, judgeMove),
];
