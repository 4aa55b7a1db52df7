import type { FaultFile } from '../../src/workspace/faults/fault-file.js';
import type { Random } from './harness/random.js';

/** A fault of a history: what the service does, or that the program is killed while it does it. */
export interface Disturbance {
  readonly name: string;
  readonly rule: FaultFile['faults'][number];
  readonly kills?: true;
}

type Drawn = Omit<Disturbance, 'name'>;

const WRITES = ['POST', 'PUT', 'DELETE'] as const;

/** The first few requests of a method that the program sends, whichever they are about. */
const someRequest = (random: Random, methods: readonly ('GET' | (typeof WRITES)[number])[]) => ({
  method: random.pick(methods),
  nth: 1 + random.below(4),
  user: 'admin@example.com',
});

const onWrite =
  (fault: Pick<Drawn['rule'], 'do'> & Partial<Drawn['rule']>, kills?: true) =>
  (random: Random): Drawn => ({
    rule: { ...someRequest(random, WRITES), ...fault },
    ...(kills === undefined ? {} : { kills }),
  });

const onRead =
  (fault: Pick<Drawn['rule'], 'do'> & Partial<Drawn['rule']>) =>
  (random: Random): Drawn => ({ rule: { ...someRequest(random, ['GET']), ...fault } });

/** Lists of kinds whose names the service keeps unique: of others, nobody can know what a list hides that no ledger knows. */
const LISTS = ['/settings/usergroups', '/settings/policies', '/settings/integrations/triggers', '/extracts'] as const;

const onList =
  (fault: Pick<Drawn['rule'], 'do'> & Partial<Drawn['rule']>) =>
  (random: Random): Drawn => ({
    rule: { method: 'GET', path: random.pick(LISTS), user: 'admin@example.com', times: 'always', ...fault },
  });

/** What may happen to a command, by the name under which coverage counts it. */
const DISTURBANCES: Readonly<Record<string, (random: Random) => Drawn>> = {
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
  'write delivered twice': (random) => ({
    rule: { ...someRequest(random, ['PUT', 'DELETE']), do: 'twice', answer: random.pick(['first', 'last']) },
  }),
  'read lost': onRead({ do: 'reset' }),
  '500 at a read': onRead({ do: 'status', status: 500 }),
  'answer of a read cut': onRead({ do: 'cut' }),
  'answer of a read malformed': onRead({ do: 'malformed' }),
  'page in place of a read': onRead({ do: 'page' }),
  'list lacks an entry': (random) => onList({ do: 'omit-entry', entry: random.pick(['first', 'last']) })(random),
  'list is empty': (random) => onList({ do: 'empty', count: random.pick(['shown', 'all']) })(random),
  'list repeats an entry': onList({ do: 'repeat-entry' }),
  'list in another order': onList({ do: 'reorder' }),
  'list with swapped GUIDs': onList({ do: 'swap-guids' }),
  'list contradicts itself': onList({ do: 'contradict' }),
};

export const DISTURBANCE_NAMES = Object.keys(DISTURBANCES);

export function drawDisturbance(random: Random): Disturbance {
  const name = random.pick(DISTURBANCE_NAMES);
  return { name, ...(DISTURBANCES[name] as (typeof DISTURBANCES)[string])(random) };
}
