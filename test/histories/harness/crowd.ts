import { CROWD, PATHS, type Service } from './service.js';

/** Objects that nobody writes about, and so many that their list has more than one page. */
export interface Crowd {
  readonly path: string;
  /** One of the first page is deleted, so that what follows moves up. */
  leave(): Promise<void>;
}

/** The list of triggers is paged (endpoints.tsv). A page has 400 entries, so the first one of a history begins the second page. */
const SIZE = 400;

const AT_ONCE = 20;

export async function openCrowd({ create, list, call }: Service): Promise<Crowd> {
  const path = PATHS.Trigger;
  const names = Array.from({ length: SIZE }, (_, index) => `${CROWD} ${index}`);
  for (let at = 0; at < names.length; at += AT_ONCE)
    await Promise.all(
      names.slice(at, at + AT_ONCE).map((name) => create('Trigger', name, { resource: 'ITEM', action: 'EDIT' })),
    );
  const guids = (await list(path)).filter(({ name }) => String(name).startsWith(CROWD)).map(({ guid }) => guid);
  return {
    path,
    async leave() {
      await call('DELETE', `${path}/${guids.shift()}`);
    },
  };
}
