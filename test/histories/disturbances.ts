import type { FaultFile } from '#emulator/faults/fault-file.js';
import type { WorkspaceServer } from '../../dist/emulator/serve.js';
import type { Crowd } from './harness/crowd.js';
import type { Random } from './harness/random.js';
import { PATHS, RESERVATIONS } from './harness/service.js';
import { KIND_NAMES, kindModel } from './model/kinds.js';

export type Rule = FaultFile['faults'][number];

/** A fault of a history: what the service does, and what happens to the program's machine while it does it. */
export interface Disturbance {
  readonly name: string;
  readonly rule?: Rule;
  /** The service that does it, where that is not the one of the history. */
  readonly at?: WorkspaceServer['faults'];
  /** What the service does beside it. */
  readonly beside?: readonly Rule[];
  /** The program is killed, or its machine loses power too: what was not synced is gone. */
  readonly ends?: 'program' | 'power';
  /** How often the rule may strike: what it meets is sent so often and no more. */
  readonly atMost?: number;
  /** What happens somewhere else before the rule acts. */
  readonly meanwhile?: () => Promise<void>;
  /** What the service does to the next command: it does not show yet what was written. */
  readonly unheard?: readonly Rule[];
  /** The nth write to the disk fails, and where the disk is full, each one after it. */
  readonly disk?: { readonly at: number; readonly code: 'ENOSPC' | 'EIO' };
}

type Drawn = Omit<Disturbance, 'name'>;

/** A write that a command is to send, by what distinguishes it from others: they run side by side. */
export type Write = Required<Pick<Rule, 'method' | 'path'>> & Pick<Rule, 'body'>;

/** What a command is about to write, and which lists may say too little of what it reads. */
interface Drawing {
  readonly random: Random;
  readonly writes: readonly Write[];
  /** How many steps are imports. */
  readonly imports: number;
  readonly lists: readonly string[];
  /** A list of several pages. */
  readonly crowd: Crowd | undefined;
  /** Faults that are meant; all by default. */
  readonly only: readonly string[] | undefined;
}

/** A command that neither needs lists nor sends anything. */
export const READING = { writes: [], imports: 0, lists: [], crowd: undefined } as const;

type Fault = Pick<Rule, 'do'> & Partial<Rule>;

export const OF_PROGRAM = { user: 'admin@example.com' } as const;

function onWrite(fault: Fault, ends?: Disturbance['ends']): (drawing: Drawing) => Drawn | undefined {
  return ({ random, writes }) =>
    writes.length === 0
      ? undefined
      : { rule: { ...random.pick(writes), ...OF_PROGRAM, ...fault }, ...(ends === undefined ? {} : { ends }) };
}

/** The list that a write belongs to. */
const listOf = (path: string): string => path.replace(/(\/\*)+$/, '');

const HIDDEN = { method: 'GET', times: 'always', ...OF_PROGRAM } as const;

/** A list is as it was. */
const lagging = (path: string): Rule => ({ ...HIDDEN, path, do: 'stale', lag: 1 });

/** The service knows no object by that GUID. */
export const unknown = (path: string): Rule => ({ ...HIDDEN, path, do: 'status', status: 400, code: 3011 });

const UNIQUE = [
  RESERVATIONS,
  ...KIND_NAMES.filter((kind) => kindModel(kind).names === 'unique').map((kind) => PATHS[kind]),
];

/** A write of which nobody hears, not even the next command: the list is as it was, and so may be what is read by GUID. */
const unheard =
  (fault: Fault, ends?: Disturbance['ends']) =>
  (drawing: Drawing): Drawn | undefined => {
    // Only the taken name shows that an unanswered creation succeeded which no list shows. A kill at another write may
    // leave such a creation beside it.
    const isHidden = ({ method, path }: Write): boolean => method === 'POST' && !UNIQUE.includes(path);
    const lists = drawing.writes.filter((one) => isHidden(one) && one.path !== listOf(RUN)).map(({ path }) => path);
    const writes = drawing.writes.filter((one) => !isHidden(one) && !lists.includes(listOf(one.path)));
    const drawn = onWrite({ ...fault, when: 'after' }, ends)({ ...drawing, writes });
    if (drawn?.rule?.path === undefined) return undefined;
    const path = listOf(drawn.rule.path);
    const [list, object] = [lagging(path), unknown(`${path}/*`)];
    const isCreation = drawn.rule.method === 'POST' && drawn.rule.path === path;
    return { ...drawn, unheard: isCreation && drawing.random.chance(50) ? [list, object] : [list] };
  };

/** How often an apply of a few steps writes to the disk, roughly. */
const WRITES_TO_DISK = 15;

const onDisk =
  (code: 'ENOSPC' | 'EIO') =>
  ({ random }: Drawing): Drawn => ({ disk: { at: 1 + random.below(WRITES_TO_DISK), code } });

const onRead =
  (fault: Fault) =>
  ({ random }: Drawing): Drawn => ({ rule: { method: 'GET', nth: 1 + random.below(4), ...OF_PROGRAM, ...fault } });

/** What a service, a proxy or a role that lost a privilege may say of an object that is about to be changed. */
const onObject =
  (fault: Fault) =>
  ({ random, writes }: Drawing): Drawn | undefined => {
    const updates = writes.filter(({ method, path }) => method === 'PUT' && path.endsWith('/*'));
    if (updates.length === 0) return undefined;
    const { path } = random.pick(updates);
    return { rule: { method: 'GET', path, nth: 1 + random.below(2), ...OF_PROGRAM, ...fault } };
  };

const onList =
  (fault: Fault) =>
  ({ random, lists }: Drawing): Drawn => ({
    rule: { method: 'GET', path: random.pick(lists), times: 'always', ...OF_PROGRAM, ...fault },
  });

const RUN = '/imports/*/runs/*';

/** A read of an import run, which shows its state. */
const onRun =
  (fault: Fault) =>
  ({ random, imports }: Drawing): Drawn | undefined =>
    imports === 0
      ? undefined
      : { rule: { method: 'GET', path: RUN, nth: 1 + random.below(3 * imports), ...OF_PROGRAM, ...fault } };

/** A command sends a commit once, no matter how it ends. */
const onCommits =
  (fault: Fault) =>
  ({ imports }: Drawing): Drawn | undefined =>
    imports === 0
      ? undefined
      : { rule: { method: 'PUT', path: RUN, times: 'always', ...OF_PROGRAM, ...fault }, atMost: imports };

/** What may happen to a command, by the name under which coverage counts it. */
type Disturbances = Readonly<Record<string, (drawing: Drawing) => Drawn | undefined>>;

const ENDS: Disturbances = {
  'killed before a write': onWrite({ do: 'reset' }, 'program'),
  'killed after a write': onWrite({ do: 'reset', when: 'after' }, 'program'),
  'power lost before a write': onWrite({ do: 'reset' }, 'power'),
  'power lost after a write': onWrite({ do: 'reset', when: 'after' }, 'power'),
};

const DISKS: Disturbances = {
  'disk full': onDisk('ENOSPC'),
  'disk error': onDisk('EIO'),
};

/** Errors of the service, or of what stands before it. A creation, which has a name of its own, is sent once all the same. */
const failing =
  (when: 'before' | 'after') =>
  (drawing: Drawing): Drawn | undefined => {
    const status = drawing.random.pick([500, 502, 503, 504]);
    const drawn = onWrite({ do: 'status', status, when })(drawing);
    const { rule } = drawn ?? {};
    if (rule?.method !== 'POST' || rule.body === undefined) return drawn;
    return { ...drawn, rule: { ...rule, times: 'always' }, atMost: 1 };
  };

const WRITES: Disturbances = {
  'write lost': onWrite({ do: 'reset' }),
  'answer of a write lost': onWrite({ do: 'reset', when: 'after' }),
  'error before a write': failing('before'),
  'error after a write': failing('after'),
  'session refused after a write': onWrite({ do: 'status', status: 401, when: 'after' }),
  '429 at a write': onWrite({ do: 'status', status: 429, retryAfter: 0 }),
  'session ended': onWrite({ do: 'end-session' }),
  'session taken over': onWrite({ do: 'take-over' }),
  'write acknowledged and not done': onWrite({ do: 'acknowledge' }),
  'write answered with nothing': onWrite({ do: 'say-nothing' }),
  'write delivered twice': (drawing) => {
    const writes = drawing.writes.filter(({ method }) => method !== 'POST');
    return onWrite({ do: 'twice', answer: drawing.random.pick(['first', 'last']) })({ ...drawing, writes });
  },
};

const OBJECTS: Disturbances = {
  'read of an object says nothing': onObject({ do: 'say-nothing' }),
  'read of an object says its GUID alone': onObject({ do: 'guid-alone' }),
  'read of an object gives another one': onObject({ do: 'another-object' }),
};

/** Readers notice that the list of the crowd changed, and read it again. */
const MOVES: Disturbances = {
  'list moves up between its pages': ({ crowd, random }) =>
    crowd && {
      rule: { method: 'GET', path: crowd.path, nth: 2, do: 'latency', milliseconds: 1, ...OF_PROGRAM },
      meanwhile: () => crowd.leave(1 + random.below(3)),
    },
};

const READS: Disturbances = {
  'read lost': onRead({ do: 'reset' }),
  '500 at a read': onRead({ do: 'status', status: 500 }),
  'answer of a read cut': onRead({ do: 'cut' }),
  'answer of a read malformed': onRead({ do: 'malformed' }),
  'page in place of a read': onRead({ do: 'page' }),
  '429 at a read': onRead({ do: 'status', status: 429, retryAfter: 0 }),
  'session ended at a read': onRead({ do: 'end-session' }),
  'session taken over at a read': onRead({ do: 'take-over' }),
  'killed at a read': (drawing) => ({ ...onRead({ do: 'reset' })(drawing), ends: 'program' }),
};

const LISTS: Disturbances = {
  'list lacks an entry': (drawing) =>
    onList({ do: 'omit-entry', entry: drawing.random.pick(['first', 'last']) })(drawing),
  'list is empty': (drawing) => onList({ do: 'empty', count: drawing.random.pick(['shown', 'all']) })(drawing),
  'list repeats an entry': onList({ do: 'repeat-entry' }),
  'list in another order': onList({ do: 'reorder' }),
  'list with swapped GUIDs': onList({ do: 'swap-guids' }),
  'list contradicts itself': onList({ do: 'contradict' }),
};

const onPage =
  (fault: Fault) =>
  ({ crowd, lists }: Drawing): Drawn | undefined =>
    crowd === undefined || !lists.includes(crowd.path)
      ? undefined
      : { rule: { method: 'GET', path: crowd.path, times: 'always', ...OF_PROGRAM, ...fault } };

const PAGES: Disturbances = {
  ...MOVES,
  'page of a list left out': onPage({ do: 'omit-page' }),
  'page of a list again': onPage({ do: 'repeat-page' }),
};

const UNHEARD: Disturbances = {
  'killed after a write that does not show yet': unheard({ do: 'reset' }, 'program'),
  'answer lost of a write that does not show yet': unheard({ do: 'reset' }),
  '500 after a write that does not show yet': unheard({ do: 'status', status: 500 }),
  'list of what was written lags': ({ random, writes, lists }) => {
    const paths = writes.map(({ path }) => listOf(path)).filter((path) => [...lists, listOf(RUN)].includes(path));
    return paths.length === 0 ? undefined : { rule: lagging(random.pick(paths)) };
  },
};

const RUNS: Disturbances = {
  'read of a run lost': onRun({ do: 'reset' }),
  '500 at a read of a run': onRun({ do: 'status', status: 500 }),
  'answer of a run cut': onRun({ do: 'cut' }),
  'every commit lost': onCommits({ do: 'reset' }),
  'the answer of every commit lost': onCommits({ do: 'reset', when: 'after' }),
  '500 before every commit': onCommits({ do: 'status', status: 500 }),
};

const ALL = [ENDS, DISKS, WRITES, WRITES, READS, OBJECTS, LISTS, UNHEARD, RUNS, PAGES];

/** What may happen to commands beside applies. */
export const FOR = {
  kills: [ENDS],
  reading: [READS],
  crowds: [MOVES],
  imports: [ENDS, DISKS, WRITES, READS, RUNS],
  promotions: [ENDS, WRITES],
} as const;

/** Undefined where the drawn one has nothing to meet. */
export function drawDisturbance(drawing: Drawing, tables: readonly Disturbances[] = ALL): Disturbance | undefined {
  const { random, crowd } = drawing;
  const table = crowd !== undefined && tables.includes(PAGES) && random.chance(40) ? PAGES : random.pick(tables);
  const { only = Object.keys(table) } = drawing;
  const name = random.pick(only);
  const drawn = tables.find((one) => name in one)?.[name]?.(drawing);
  return drawn && { name, ...drawn };
}
