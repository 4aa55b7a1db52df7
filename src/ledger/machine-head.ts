import { hash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { reasonOf } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';
import { pathExists } from '#base/files/path-exists.js';
import { temporaryBeside } from '#base/files/replace-file.js';
import { isObject, jsonIn } from '#core/model/json.js';
import type { Head, HeadStore } from './journal-store.js';

/** Where this machine keeps the heads of the ledgers that it saw. */
export interface MachineHeadOptions {
  /** The data folder, which records that this machine has a head: a fresh folder has none, and misses none. */
  readonly data: string;
  /** The state folder, which clones of a project on this machine share. */
  readonly state: () => Promise<string>;
  readonly warn: (message: string) => void;
}

/** Opens the head of a ledger. `key`: the same for all processes that open it here. `place`: its name in messages. */
export type MachineHeads = (place: string, key: string | Promise<string>) => HeadStore;

const HEADS = 'heads';

/** Keeps the heads in one file for each ledger. */
export const machineHeads =
  ({ data, state, warn }: MachineHeadOptions): MachineHeads =>
  (place, key) => {
    const name = Promise.resolve(key).then((text) => hash('sha256', text).slice(0, 32));
    const path = async (): Promise<string> => join(await state(), HEADS, `${await name}.json`);
    const note = async (): Promise<string> => join(data, HEADS, await name);
    const readKept = async (): Promise<Head | undefined> =>
      parseHead(await readFile(await path(), 'utf8').catch(() => ''));
    let isMissed = false;
    /** What is noted already. */
    let known: Head | undefined;
    return {
      async read() {
        const head = await readKept();
        known = head;
        if (head === undefined && !isMissed && (await readFile(await note(), 'utf8').catch(() => '')) === hostname()) {
          isMissed = true;
          warn(
            `${await path()} is gone or cannot be read: there this machine noted where the ledger in ${place} ends. Whether the ledger is complete is unknown; it is noted again from now on.`,
          );
        }
        return head === undefined ? [] : [head];
      },
      async write(head) {
        if (known !== undefined && isSame(known, head)) return;
        try {
          const before = await readKept();
          if (before !== undefined && (before.journal > head.journal || isSame(before, head))) return;
          await putFile(await path(), `${JSON.stringify({ place, ...head })}\n`);
          if (before === undefined) await putFile(await note(), hostname());
          known = head;
        } catch (error) {
          warn(
            `Where the ledger in ${place} ends cannot be noted in the state folder (${reasonOf(error)}): journals that get lost will not be missed.`,
          );
        }
      },
      async forget() {
        known = undefined;
        for (const file of [await path(), await note()]) await rm(file, { force: true });
      },
    };
  };

/** A head in a state folder. `place`: its ledger in messages; `isOurs`: the project with this data folder used it. */
export interface NotedHead extends Head {
  readonly place: string;
  readonly isOurs: boolean;
}

/** A machine may know more ledgers than files that it may open at once. */
const AT_ONCE = 64;

/** The workspaces of heads that were read, by their files: a file keeps its workspace. */
export type KnownHeads = Map<string, Promise<string | undefined>>;

/** The heads of one workspace in a state folder. */
export async function notedHeads(
  workspace: string,
  { state, data, known }: { readonly state: string; readonly data: string; readonly known: KnownHeads },
): Promise<readonly NotedHead[]> {
  const read = async (name: string): Promise<Omit<NotedHead, 'isOurs'> | undefined> => {
    const text = await readFile(join(state, HEADS, name), 'utf8').catch(() => '');
    const [head, value] = [parseHead(text), jsonIn(text)];
    const place = isObject(value) ? value.place : undefined;
    return head === undefined || typeof place !== 'string' ? undefined : { ...head, place };
  };
  const names = await readdir(join(state, HEADS)).catch(() => []);
  const limit = pLimit(AT_ONCE);
  for (const name of names)
    if (!known.has(name))
      known.set(
        name,
        limit(async () => (await read(name))?.workspace),
      );
  const owners = await Promise.all(names.map((name) => known.get(name)));
  const own = names.filter((_, index) => owners[index] === workspace);
  const heads = own.map(async (name) => {
    const head = await read(name);
    const isOurs = await pathExists(join(data, HEADS, basename(name, '.json')));
    return head?.workspace === workspace ? [{ ...head, isOurs }] : [];
  });
  return (await Promise.all(heads)).flat();
}

const isSame = (one: Head, other: Head): boolean => one.journal === other.journal && one.chain === other.chain;

/** Replaces a file atomically, but not durably: an older head detects fewer losses, and a torn one counts as none. */
async function putFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path), 0o700);
  const made = await temporaryBeside(path);
  try {
    await writeFile(made, text, { mode: 0o600 });
    await rename(made, path);
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
}

function parseHead(text: string): Head | undefined {
  const value = jsonIn(text);
  if (!isObject(value)) return undefined;
  const { workspace, applies, journal, chain, commit } = value;
  if (typeof workspace !== 'string' || typeof journal !== 'string' || typeof chain !== 'string') return undefined;
  return { workspace, applies: Number(applies), journal, chain, ...(typeof commit === 'string' ? { commit } : {}) };
}
