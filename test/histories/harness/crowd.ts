import { canDo, type Dialect, type KindName } from '../model/kinds.js';
import type { Random } from './random.js';
import { CROWD, PATHS, type Service } from './service.js';

/** Objects that nobody writes about, and so many that their list has more than one page. */
export interface Crowd {
  readonly path: string;
  /** One of the first page is deleted, so that what follows moves up. */
  leave(): Promise<void>;
}

const KINDS: readonly KindName[] = ['UserGroup', 'Trigger', 'OutboundIntegration'];

/** A page has 400 entries, and those of a history come about where the second one begins. */
const LEAST = 394;
const SPREAD = 8;

const AT_ONCE = 20;

export async function openCrowd({ create, list, call }: Service, dialect: Dialect, random: Random): Promise<Crowd> {
  const kind = random.pick(KINDS.filter((one) => canDo(one, dialect).create === 'yes'));
  const path = PATHS[kind];
  const names = Array.from({ length: LEAST + random.below(SPREAD) }, (_, index) => `${CROWD} ${index}`);
  const fields = kind === 'Trigger' ? { resource: 'ITEM', action: 'EDIT' } : {};
  for (let at = 0; at < names.length; at += AT_ONCE)
    await Promise.all(names.slice(at, at + AT_ONCE).map((name) => create(kind, name, fields)));
  const guids = (await list(path)).filter(({ name }) => String(name).startsWith(CROWD)).map(({ guid }) => guid);
  return {
    path,
    async leave() {
      await call('DELETE', `${path}/${guids.shift()}`);
    },
  };
}
