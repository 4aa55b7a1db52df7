import type { FaultFile } from '../../src/workspace/faults/fault-file.js';
import type { Random } from './harness/random.js';

/** A fault of a history: what the service does, or that the program is killed while it does it. */
export interface Disturbance {
  readonly name: string;
  readonly rule: FaultFile['faults'][number];
  readonly kills?: true;
}

type Drawn = Omit<Disturbance, 'name'>;

export type WriteMethod = 'POST' | 'PUT' | 'DELETE';

/** What a command is about to write, and which lists may say too little of what it reads. */
interface Drawing {
  readonly random: Random;
  readonly writes: readonly WriteMethod[];
  readonly lists: readonly string[];
}

type Fault = Pick<Drawn['rule'], 'do'> & Partial<Drawn['rule']>;

const OF_PROGRAM = { user: 'admin@example.com' } as const;

/** One of the first requests of a method that the command is to send, whichever it is about. */
function onWrite(fault: Fault, kills?: true): (drawing: Drawing) => Drawn | undefined {
  return ({ random, writes }) => {
    if (writes.length === 0) return undefined;
    const method = random.pick(writes);
    const nth = 1 + random.below(writes.filter((one) => one === method).length);
    return { rule: { method, nth, ...OF_PROGRAM, ...fault }, ...(kills === undefined ? {} : { kills }) };
  };
}

const onRead =
  (fault: Fault) =>
  ({ random }: Drawing): Drawn => ({ rule: { method: 'GET', nth: 1 + random.below(4), ...OF_PROGRAM, ...fault } });

/** What a service, a proxy or a role that lost a privilege may say of one object. */
const onObject =
  (fault: Fault) =>
  ({ random, lists }: Drawing): Drawn => ({
    rule: { method: 'GET', path: `${random.pick(lists)}/*`, nth: 1 + random.below(3), ...OF_PROGRAM, ...fault },
  });

const onList =
  (fault: Fault) =>
  ({ random, lists }: Drawing): Drawn => ({
    rule: { method: 'GET', path: random.pick(lists), times: 'always', ...OF_PROGRAM, ...fault },
  });

/** What may happen to a command, by the name under which coverage counts it. */
const DISTURBANCES: Readonly<Record<string, (drawing: Drawing) => Drawn | undefined>> = {
  'killed before a write': onWrite({ do: 'reset' }, true),
  'killed after a write': onWrite({ do: 'reset', when: 'after' }, true),
  'write lost': onWrite({ do: 'reset' }),
  'answer of a write lost': onWrite({ do: 'reset', when: 'after' }),
  '500 before a write': onWrite({ do: 'status', status: 500 }),
  '500 after a write': onWrite({ do: 'status', status: 500, when: 'after' }),
  '429 at a write': onWrite({ do: 'status', status: 429, retryAfter: 0 }),
  'session ended': onWrite({ do: 'end-session' }),
  'session taken over': onWrite({ do: 'take-over' }),
  'write acknowledged and not done': onWrite({ do: 'acknowledge' }),
  'write answered with nothing': onWrite({ do: 'say-nothing' }),
  'write delivered twice': (drawing) => {
    const writes = drawing.writes.filter((method) => method !== 'POST');
    return onWrite({ do: 'twice', answer: drawing.random.pick(['first', 'last']) })({ ...drawing, writes });
  },
  'read lost': onRead({ do: 'reset' }),
  '500 at a read': onRead({ do: 'status', status: 500 }),
  'answer of a read cut': onRead({ do: 'cut' }),
  'answer of a read malformed': onRead({ do: 'malformed' }),
  'page in place of a read': onRead({ do: 'page' }),
  'read of an object says nothing': onObject({ do: 'say-nothing' }),
  'read of an object says its GUID alone': onObject({ do: 'guid-alone' }),
  'read of an object gives another one': onObject({ do: 'another-object' }),
  'list lacks an entry': (drawing) =>
    onList({ do: 'omit-entry', entry: drawing.random.pick(['first', 'last']) })(drawing),
  'list is empty': (drawing) => onList({ do: 'empty', count: drawing.random.pick(['shown', 'all']) })(drawing),
  'list repeats an entry': onList({ do: 'repeat-entry' }),
  'list in another order': onList({ do: 'reorder' }),
  'list with swapped GUIDs': onList({ do: 'swap-guids' }),
  'list contradicts itself': onList({ do: 'contradict' }),
};

/** Undefined where the drawn one has nothing to meet. */
export function drawDisturbance(drawing: Drawing): Disturbance | undefined {
  const name = drawing.random.pick(Object.keys(DISTURBANCES));
  const drawn = DISTURBANCES[name]?.(drawing);
  return drawn && { name, ...drawn };
}
