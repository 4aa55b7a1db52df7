import { builtIn } from '#core/catalog.js';
import type { Kind } from '#core/model/kind.js';
import type { Profile } from '#service/profiles/profile.js';
import type { TestWorkspace } from '../harness/test-workspace.js';

/**
 * Everything that a workspace holds of what dexsync can write, without what differs from one workspace to the next: the
 * objects of every kind in the catalog with their children, committed runs, items, and lines of BOMs.
 */
export async function contentsOf(workspace: TestWorkspace, profile: Profile): Promise<unknown> {
  const list = async (path: string): Promise<Entry[]> => {
    const { status, body } = await workspace.call('GET', path);
    if (status !== 200) throw new Error(`GET ${path} was answered with ${status}.`);
    return body.results;
  };
  const kinds = builtIn.kinds.filter(({ collection }) => profile.collections[collection]?.can?.list === true);
  const objects = await Promise.all(
    kinds.map(async (kind) => {
      const path = profile.collections[kind.collection]?.path ?? '';
      const all = await list(`${path}?limit=400`);
      return [kind.name, inOrder(await Promise.all(all.map((object) => withChildren(kind, path, object, list))))];
    }),
  );
  const definitions = await list('/imports?limit=400');
  const committed = await Promise.all(
    definitions.map(async ({ guid, name }) => {
      const runs = await list(`/imports/${guid}/runs?limit=400`);
      return { name, runs: runs.filter(({ commit }) => commit).length };
    }),
  );
  const items = await list('/items?responseview=full&limit=400');
  const lines = await Promise.all(
    items.map(async ({ guid, number }) => {
      const bom = await list(`/items/${guid}/bom`);
      return bom.map(({ item, quantity, refDes }) => [number, (item as Entry).number, quantity, refDes]);
    }),
  );
  return {
    objects: Object.fromEntries(objects),
    committed: inOrder(committed.map(steady)),
    items: inOrder(items.map(({ number, name, description }) => [number, name, description])),
    lines: inOrder(lines.flat()),
  };
}

type Entry = Record<string, unknown>;

async function withChildren(
  { children }: Kind,
  path: string,
  object: Entry,
  list: (path: string) => Promise<Entry[]>,
): Promise<unknown> {
  const below = await Promise.all(
    Object.values(children).map(async (child) =>
      inOrder((await list(`${path}/${object.guid}/${child.path}`)).map(steady)),
    ),
  );
  return [steady(object), ...below];
}

/** What is given by the moment, and not by what somebody asked for. */
const OF_THE_MOMENT = /^(guid|number|url|creator|creat\w+|modif\w+|last\w+|next\w+)$|DateTime$/;

/** Whether a retired definition has the name `~retired #1` or `#2` also depends on the moment. */
function steady(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/~retired #\d+/, '~retired').replaceAll(/\b[A-Z0-9]{20}\b/g, '*');
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !OF_THE_MOMENT.test(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, steady(one)]));
}

const inOrder = (all: readonly unknown[]): unknown[] =>
  all
    .map((one) => JSON.stringify(one))
    .sort()
    .map((text) => JSON.parse(text));
