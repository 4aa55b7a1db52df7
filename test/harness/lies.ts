import type { FaultFile } from './hosted-workspace.js';

type Rule = FaultFile['faults'][number];

/** How a service answers falsely; plain data, so that a matrix of lies can be drawn. */
export interface Lie {
  readonly on: 'list' | 'read' | 'write';
  readonly does: keyof typeof LIST_LIES | keyof typeof OBJECT_LIES | 'lag' | 'acknowledge without doing';
  /** The collection that it is about. */
  readonly path: string;
}

export const LIST_LIES = {
  'drop the first entry': { do: 'omit-entry' },
  'drop the last entry': { do: 'omit-entry', entry: 'last' },
  'show nothing': { do: 'empty' },
  'show nothing, and count all': { do: 'empty', count: 'all' },
  'repeat an entry': { do: 'repeat-entry' },
  'swap GUIDs': { do: 'swap-guids' },
  'contradict itself': { do: 'contradict' },
} as const satisfies Readonly<Record<string, Rule>>;

/** About a single object, or about the result of a write. */
export const OBJECT_LIES = {
  'say nothing': { do: 'say-nothing' },
  'tell the GUID alone': { do: 'guid-alone' },
  'echo another object': { do: 'another-object' },
  forbid: { do: 'forbid', when: 'after' },
} as const satisfies Readonly<Record<string, Rule>>;

const LIES = {
  ...LIST_LIES,
  ...OBJECT_LIES,
  lag: { do: 'stale' },
  'acknowledge without doing': { do: 'acknowledge', shows: 'found' },
} as const satisfies Readonly<Record<Lie['does'], Rule>>;

const WHERE: Readonly<Record<Lie['on'], { readonly methods: readonly Rule['method'][]; readonly below: string }>> = {
  list: { methods: ['GET'], below: '/**' },
  read: { methods: ['GET'], below: '/*' },
  write: { methods: ['POST', 'PUT', 'DELETE'], below: '/**' },
};

/** The faults that make a service lie to dexsync on each request; a test that looks for itself gets the truth. */
export const faultsOf = ({ on, does, path }: Lie): Rule[] =>
  WHERE[on].methods.map((method) => ({
    ...(method && { method }),
    path: `${path}${WHERE[on].below}`,
    user: 'admin@example.com',
    times: 'always',
    ...LIES[does],
  }));
