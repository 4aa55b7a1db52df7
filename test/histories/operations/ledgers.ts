import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Disturbance, OF_PROGRAM } from '../disturbances.js';
import { bareRepository, refsOf, setRefs } from '../harness/git.js';
import { inGit, type LedgerHome, type LedgerKind, newLedger } from '../harness/ledgers.js';
import { configure, type Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { judgeCode, judgeRefusal, judgeWrites } from '../laws/answers.js';
import { isCertain, isIdle, judgeApply, judgePlan } from '../laws/applies.js';
import { applyOf, judgeEnd, writesOf } from '../laws/disturbed.js';
import { judgeDrift } from '../laws/drift.js';
import { judgeWorkspace } from '../laws/workspace.js';
import { carryOut } from '../model/effects.js';
import { type ExpectedStep, expectedPlan } from '../model/plan.js';
import type { Ledger } from '../model/world.js';
import { Violation } from '../violation.js';
import { addManifest } from './changes.js';
import { type Judged, type Operation, operation } from './operation.js';

/** Notes what the ledger of a clone holds, and returns what restores that; undefined where it is in a database. */
function backUp({ ledger, root }: World, { folder }: Site): (() => void) | undefined {
  const { repository, locks } = ledger;
  if (repository !== undefined) {
    const refs = refsOf(repository);
    return refs.size === 0 ? undefined : () => setRefs(repository, refs);
  }
  if (locks !== 'in each folder') return undefined;
  const place = ledger.folder ?? join(folder, '.dexsync/ledger');
  if (!existsSync(place)) return undefined;
  const copy = mkdtempSync(join(root, 'backup-'));
  cpSync(place, copy, { recursive: true });
  return () => {
    rmSync(place, { recursive: true });
    cpSync(copy, place, { recursive: true });
  };
}

/** An apply that the ledger has lost. */
interface Lost {
  readonly putBack: () => void;
  /** What the ledger knew before. */
  readonly known: Ledger;
  /** Its journal, where the history showed it. */
  readonly journals: readonly string[];
}

/** What is applied gets lost: the ledger is restored from a backup made before, and an apply says so (law 1). */
async function loseApply(world: World, site: Site, isMeant: (steps: Steps) => boolean): Promise<Lost | undefined> {
  const { workspace, told, service } = world;
  if (addManifest(world, site.model.manifests)) world.write(site);
  const expected = expectedPlan({ ...world.placeOf(site), adopt: 'never' });
  if (!isCertain(expected) || isIdle(expected) || !isMeant(expected.steps)) return undefined;
  const restore = backUp(world, site);
  if (restore === undefined) return undefined;
  const known = new Map(world.placeOf(site).ledger);
  const before = new Map(told);
  workspace.ledgers.push(known);
  await judgeApply(world, site, {});
  workspace.ledgers.pop();
  const putBack = backUp(world, site) as () => void;
  restore();
  world.note('# the ledger is restored from a backup made before');
  await service.newRequests();
  const ended = await world.run(site, 'apply', '--yes', '--json');
  if (ended.code !== 1) throw new Violation(1, `A rewound ledger is accepted: ${ended.out.slice(-600)}${ended.err}`);
  judgeWrites(await service.newRequests(), 0, 'an apply whose ledger is rewound');
  return { putBack, known, journals: [...told.keys()].filter((journal) => !before.has(journal)) };
}

type Steps = Exclude<ReturnType<typeof expectedPlan>, { error: string }>['steps'];

/** A ledger that has lost an apply is refused until it is put back. */
async function judgeRewound(world: World, site: Site): Judged {
  const lost = await loseApply(world, site, () => true);
  if (lost === undefined) return 'skipped';
  lost.putBack();
  world.note('# what was missing is put back');
  return world.check(() => judgePlan(world, site, {}));
}

/** A ledger that has lost an apply for good gets back what the workspace shows, and no more. */
async function judgeRebuiltAfterLoss(world: World, site: Site): Judged {
  const lost = await loseApply(world, site, (steps) => [...steps.keys()].every((one) => !one.startsWith('Import/')));
  if (lost === undefined) return 'skipped';
  for (const journal of lost.journals) world.told.delete(journal);
  const { ledger } = world.placeOf(site);
  ledger.clear();
  for (const [address, fact] of lost.known) ledger.set(address, fact);
  return judgeRebuilt(world, site);
}

/** A rebuilt ledger records what the workspace shows of the manifests, and no more (law 8). */
async function judgeRebuilt(world: World, site: Site): Judged {
  const place = world.placeOf(site);
  const expected = expectedPlan({ ...place, adopt: 'given' });
  if (!('error' in expected) && !isCertain(expected)) return 'skipped';
  await world.service.newRequests();
  if ('error' in expected) {
    const refused = await world.run(site, 'ledger', 'rebuild', '--yes', '--json');
    return judgeRefusal(refused, expected.error);
  }
  const ended = await world.run(site, 'ledger', 'rebuild', '--yes', '--json');
  judgeWrites(await world.service.newRequests(), 0, 'ledger rebuild');
  judgeCode(ended, 0, 'ledger rebuild');
  const steps = [...expected.steps].filter(([, step]) => isRecorded(step));
  // What was last applied to an object stays unknown.
  if (steps.length > 0)
    carryOut(
      place,
      steps.map(([address, { actions }]) => ({ address, action: actions[0] ?? '' })),
    );
  await judgeWorkspace(world);
  return world.check(async () => {
    for (const one of world.sites) await judgePlan(world, one, {});
    return judgeDrift(world, site);
  });
}

/** Whether the ledger alone changes. */
const isRecorded = ({ actions: [action], fields = [] }: ExpectedStep): boolean =>
  action === 'adopt' || (action === 'update' && fields.every((field) => field === 'metadata.protect'));

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
  if (world.placeOf(site).ledger.size === 0) return 'skipped';
  return moveLedger(world, site, await newLedger(world.random.pick(KINDS), world.root));
}

async function moveLedger(world: World, site: Site, to: LedgerHome): Judged {
  const { from, section } = world.ledger;
  world.ledger = to;
  configure(site, to.section);
  world.note(`# sync.config.yaml: ${to.section.trim()}`);
  for (const environment of await world.environments(site)) {
    const ended = await world.run(site, 'ledger', 'move', environment, '--from', from, '--json');
    // A target to which nothing was applied yet has no ledger.
    judgeCode(ended, 0, 'ledger move', environment === 'two' ? [3] : []);
  }
  for (const other of world.sites.filter((one) => one !== site)) {
    const ended = await world.check(() => world.run(other, 'apply', '--yes', '--json'));
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

/** The database of the ledger loses power while an apply writes: a few plain ones end where it would have ended (law 7). */
async function judgePostgresStopped(world: World, site: Site): Judged {
  const planning = { ...world.placeOf(site), adopt: 'never' } as const;
  const expected = expectedPlan(planning);
  if (world.ledger.locks !== 'at each write' || !isCertain(expected)) return 'skipped';
  const writes = writesOf(expected);
  if (writes.length === 0) return 'skipped';
  // There is nothing yet to move to a server that nobody else uses.
  if (world.ledger.restart === undefined && planning.ledger.size === 0) return 'skipped';
  if (world.ledger.restart === undefined)
    await moveLedger(world, site, await newLedger('stopping postgres', world.root));
  const { restart } = world.ledger;
  const when = world.random.pick(['before', 'after'] as const);
  const rule = { ...world.random.pick(writes), ...OF_PROGRAM, do: 'latency', milliseconds: 1, when } as const;
  const disturbance: Disturbance = { name: 'PostgreSQL loses power', rule, meanwhile: async () => restart?.() };
  const first = await world.runDisturbed(site, disturbance, ...applyOf({}));
  return judgeEnd(world, site, {}, { disturbance, first, planning });
}

/** What becomes of the ledger beside applies. */
export const LEDGER: readonly Operation[] = [
  operation('ledger rewound', 4, judgeRewound),
  operation('ledger rebuilt after a loss', 4, judgeRebuiltAfterLoss),
  operation('ledger rebuild', 2, judgeRebuilt),
  operation('another ledger named', 1, judgeElsewhere),
  operation('ledger move', 3, (world, site) => judgeMove(world, site)),
  operation('PostgreSQL loses power', 3, judgePostgresStopped, { needs: { ledger: 'postgres' } }),
];
