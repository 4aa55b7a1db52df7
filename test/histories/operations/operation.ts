import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import type { HistorySettings } from '../history.js';

/** Skipped where it cannot be done now. */
export type Judged = Promise<'skipped' | undefined>;

/** Something that somebody does. */
export interface Operation {
  readonly name: string;
  readonly weight: number;
  /** Without which it is skipped. */
  readonly needs?: Partial<
    Pick<HistorySettings, 'dialect' | 'ledger' | 'clones' | 'second' | 'isVersioned' | 'isCrowded'>
  >;
  /** Whether people do it without the program. */
  readonly isEdit?: true;
  run(world: World): Judged;
}

/** What somebody does in one of the clones. */
export const operation = (
  name: string,
  weight: number,
  run: (world: World, site: Site) => Judged,
  more: Pick<Operation, 'needs' | 'isEdit'> = {},
): Operation => ({ name, weight, ...more, run: (world) => run(world, world.random.pick(world.sites)) });

/** What somebody does in the first clone that can, begun with any. */
export const somewhere = (name: string, weight: number, run: (world: World, site: Site) => Judged): Operation => ({
  name,
  weight,
  async run(world) {
    const first = world.random.pick(world.sites);
    const others = world.sites.filter((site) => site !== first);
    for (const site of [first, ...others]) if ((await run(world, site)) !== 'skipped') return undefined;
    return 'skipped';
  },
});

/** What people do without the program. */
export const edit = (...[name, weight, run, more = {}]: Parameters<typeof operation>): Operation =>
  operation(name, weight, run, { ...more, isEdit: true });
