import type { FaultFile, RuleReport } from './hosted-workspace.js';
import { finished, type TestProject } from './test-project.js';
import type { TestWorkspace } from './test-workspace.js';

type Rule = FaultFile['faults'][number];

/** What happens to one request. `before` and `after`: the service saw it not, or did all of it; `twice`: it did it again. */
export const FAULTS = {
  'killed before': { do: 'reset' },
  'killed after': { do: 'reset', when: 'after' },
  'cut before': { do: 'reset' },
  'cut after': { do: 'reset', when: 'after' },
  'answered 500 after': { do: 'status', status: 500, when: 'after' },
  'answered 401 after': { do: 'status', status: 401, when: 'after' },
  'answered the first time of twice that': { do: 'twice', answer: 'first' },
  'answered the last time of twice that': { do: 'twice', answer: 'last' },
  'met by another user before': { do: 'pass' },
} as const satisfies Readonly<Record<string, Rule>>;

export type Fault = keyof typeof FAULTS;

/**
 * A request of a command: method and path, without GUIDs and query, and which of those that look alike it is. Steps run side
 * by side, so the place in the order of all requests says nothing.
 */
export type RequestName = string;

/** Where a fault strikes. */
export interface Striking {
  readonly request: RequestName;
  readonly fault: Fault;
  /** Ends the program, where the fault is to kill it; or is all that another user does meanwhile. */
  readonly act: () => Promise<void>;
}

/** Lets a fault strike once, counted from here. Gives whether it did. */
export async function strikeAt({ arm }: TestWorkspace, { request, fault, act }: Striking): Promise<() => boolean> {
  const [method = '', path = '', nth = ''] = request.split(' ');
  let struck = false;
  const rule = { method: method as 'GET', path, nth: Number(nth.slice(1)), ...FAULTS[fault] };
  await arm([rule], async () => {
    struck = true;
    if (/^(killed|met) /.test(fault)) await act();
  });
  return () => struck;
}

/** Runs a command while a fault strikes it; one that is to be killed runs in a process of its own. Gives whether it struck. */
export async function runStruck(
  { workspace, project }: { readonly workspace: TestWorkspace; readonly project: TestProject },
  { request, fault }: Omit<Striking, 'act'>,
  args: readonly string[],
): Promise<boolean> {
  let kill = (): void => undefined;
  const hasStruck = await strikeAt(workspace, { request, fault, act: async () => kill() });
  if (fault.startsWith('killed')) {
    const child = project.start(args, workspace.variables);
    kill = () => void child.kill('SIGKILL');
    const { code } = await finished(child);
    if (hasStruck() && code !== null) throw new Error(`${args.join(' ')} ended with ${code} although it was killed.`);
  } else await project.run(args, workspace.variables);
  return hasStruck();
}

/** Notes the requests from here on. Gives the names of those that came. */
export async function noteRequests({ arm, faults }: TestWorkspace): Promise<() => Promise<RequestName[]>> {
  await arm([{ times: 'always', do: 'pass' }]);
  return async () => namesOf((await faults()).flatMap(({ requests }) => requests));
}

function namesOf(requests: RuleReport['requests']): RequestName[] {
  const counts = new Map<string, number>();
  return requests.map(({ method, path }) => {
    const alike = `${method} ${path.replaceAll(/\b[A-Z0-9]{20}\b/g, '*')}`;
    counts.set(alike, (counts.get(alike) ?? 0) + 1);
    return `${alike} #${counts.get(alike)}`;
  });
}
