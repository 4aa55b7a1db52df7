import { DexsyncError } from '#base/errors.js';
import { isObject, jsonIn } from '#core/model/json.js';
import type { Edit } from './repository.js';
import type { Tip } from './tip.js';

/** A file of the index: the names of journals that a commit contains. */
interface List {
  readonly commit: string;
  readonly journals: readonly string[];
}

/** A file that replaces lists that left the newest state too: the commit that has them, and how many names. */
interface Lists {
  readonly commit: string;
  readonly lists: number;
}

type IndexFile = List | Lists;

/** The most names in the newest state, which every new clone fetches; the branch's history has the others. */
const MOST_NAMES = 2000;

/** Reads the files of a few older commits, and fetches no others. */
export interface EarlierStates {
  states(commits: readonly string[]): Promise<readonly Tip[]>;
}

/** Maps the journals that left the newest state to their commits; most of these names are fetched first. */
export async function olderJournals(
  root: string,
  tip: Tip,
  branch: EarlierStates,
): Promise<ReadonlyMap<string, string>> {
  const found = await readIndex(root, tip);
  const commits = found.filter((file) => !isList(file)).map(({ commit }) => commit);
  const earlier = await Promise.all((await branch.states(commits)).map((state) => readIndex(root, state)));
  const lists = [...earlier.flat(), ...found].filter(isList);
  return new Map(lists.flatMap(({ commit, journals }) => journals.map((name) => [name, commit] as const)));
}

/** The edits that index journals which leave the newest state, so that their names are found. */
export async function addOlder(root: string, journals: readonly string[], tip: Tip): Promise<readonly Edit[]> {
  const last = journals.at(-1);
  if (last === undefined || tip.commit === undefined) return [];
  const paths = indexPaths(root, tip);
  const lists = (await readIndex(root, tip)).flatMap((file, index) =>
    isList(file) ? [{ path: paths[index] ?? '', names: file.journals.length }] : [],
  );
  const count = lists.reduce((sum, { names }) => sum + names, 0);
  const own = indexFile(`${root}/older/${last.replace(/\.jsonl$/, '')}.json`, { commit: tip.commit, journals });
  const left = lists.at(-1);
  if (left === undefined || count + journals.length <= MOST_NAMES) return [own];
  return [
    ...lists.map(({ path }) => ({ path, text: null })),
    indexFile(left.path, { commit: tip.commit, lists: count }),
    own,
  ];
}

const isList = (file: IndexFile): file is List => 'journals' in file;

const indexPaths = (root: string, tip: Tip): readonly string[] => tip.under(`${root}/older/`);

const indexFile = (path: string, content: IndexFile): Edit => ({
  path,
  text: `${JSON.stringify(content, undefined, 1)}\n`,
});

async function readIndex(root: string, tip: Tip): Promise<IndexFile[]> {
  const paths = indexPaths(root, tip);
  return (await tip.read(paths)).map((text, index) => {
    const found = indexFileIn(text);
    if (found !== undefined) return found;
    throw new DexsyncError('LEDGER_DAMAGED', `${paths[index]} of the ledger's branch cannot be read.`);
  });
}

function indexFileIn(text: string): IndexFile | undefined {
  const value = jsonIn(text);
  if (!isObject(value) || typeof value.commit !== 'string') return undefined;
  const { commit, journals, lists } = value;
  if (Array.isArray(journals)) return { commit, journals: journals.map(String) };
  return typeof lists === 'number' ? { commit, lists } : undefined;
}
