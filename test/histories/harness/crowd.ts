import { NAMES } from '../model/kinds.js';
import { CROWD, PATHS, type Service } from './service.js';

/** Objects that nobody writes to, on more than one page of their list; others of their kind come after them. */
export interface Crowd {
  readonly path: string;
  /** Deletes this many objects of the first page; those after them move up. */
  leave(count: number): Promise<void>;
}

/** The list of triggers is paged (endpoints.tsv). A page has 400 entries, so what people make beside the crowd begins the second. */
const SIZE = 400;

const AT_ONCE = 20;

export async function openCrowd({ create, list, call }: Service): Promise<Crowd> {
  const path = PATHS.Trigger;
  const names = Array.from({ length: SIZE }, (_, index) => `${CROWD} ${index}`);
  const createOne = (name: string) => create('Trigger', name, { resource: 'ITEM', action: 'EDIT' });
  for (let at = 0; at < names.length; at += AT_ONCE) await Promise.all(names.slice(at, at + AT_ONCE).map(createOne));
  for (const name of NAMES) await createOne(name);
  const guids = (await list(path)).filter(({ name }) => String(name).startsWith(CROWD)).map(({ guid }) => guid);
  return {
    path,
    async leave(count) {
      for (const guid of guids.splice(0, count)) await call('DELETE', `${path}/${guid}`);
    },
  };
}
