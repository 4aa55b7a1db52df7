import { atEnd } from './at-end.js';
import { type HostedWorkspace, openHosted } from './hosted-workspace.js';
import { manifest } from './manifest.js';
import { Session } from './session.js';
import type { TeamLedger } from './team-ledger.js';
import { type TestProject, testProject } from './test-project.js';

/** A row of the table of a fleet. */
export interface Site {
  readonly code: string;
  readonly url: string;
  readonly email: string;
  readonly id: number;
}

/** A fleet whose environments are workspaces of one service, each with a user of its own. */
export interface FleetProject {
  readonly project: TestProject;
  readonly served: HostedWorkspace;
  readonly sites: readonly Site[];
  /** What commands need to log in, and to find the ledger. */
  readonly variables: Readonly<Record<string, string>>;
  /** Writes the table again. */
  writeSites(sites: readonly Site[]): Promise<void>;
  /** Asks for a group with a description in each workspace. */
  ask(description: string): Promise<void>;
  /** The descriptions of all groups of that name that a workspace has. */
  descriptions(site: Site): Promise<string[]>;
  /** Runs a command, whose JSON document or events come with it. */
  run(...args: readonly string[]): Promise<FleetResult>;
}

export interface FleetResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** The status of the rollout, if the command printed one as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what a program printed
  readonly status: any;
}

const GROUP = 'Quality';

/** Makes a fleet `sites` of some workspaces; `settings` are those of the fleet, in the flow style of YAML. */
export async function fleetProject(
  count: number,
  settings = '',
  flags: readonly string[] = [],
  ledger?: TeamLedger,
): Promise<FleetProject> {
  const served = await openHosted('--workspaces', String(count), ...flags);
  atEnd(() => served.stop());
  const sites = (served.workspaces ?? []).map(({ email, workspaceId: id }, index): Site => {
    return { code: `s${index + 1}`, url: served.url, email, id };
  });
  const project = await testProject({ 'sync.config.yaml': configWith(settings) });
  const variables = { SITE_PASSWORD: served.password, ...(await ledger?.place(project)) };
  const writeSites = (rows: readonly Site[]): Promise<void> =>
    project.write(
      'sites.csv',
      `Code,Url,Email,Id\n${rows.map(({ code, url, email, id }) => `${code},${url},${email},${id}\n`).join('')}`,
    );
  const ask = (description: string): Promise<void> =>
    project.write('manifests/groups.yaml', manifest('UserGroup', GROUP, { description }));
  await writeSites(sites);
  await ask('First');
  return {
    ...{ project, served, sites, variables, writeSites, ask },
    async descriptions({ email, id }) {
      const session = await Session.open(served, email, id);
      const { results } = await session.get('/settings/usergroups');
      return results.flatMap((group: { name: string; description: string }) =>
        group.name === GROUP ? [group.description] : [],
      );
    },
    async run(...args) {
      const result = await project.run(args, variables);
      return { ...result, status: args.includes('--json') ? statusIn(result.out) : undefined };
    },
  };
}

/** The configuration of a fleet whose environments are the rows of `sites.csv`. */
const configWith = (settings: string): string => `stack: test
manifests: [manifests]
fleets:
  sites: { environments: "*"${settings === '' ? '' : `, ${settings}`} }
environments:
  block:
    from: sites.csv
    name: \${row.Code}
    url: \${row.Url}
    credentials: { email: "\${row.Email}", workspaceId: "\${row.Id}", password: "\${env.SITE_PASSWORD}" }
`;

/** The status in one document, or in the last event of its kind. */
function statusIn(out: string) {
  if (out.startsWith('{\n')) return JSON.parse(out);
  const events = out.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  return events.findLast(({ type, event }) => type === 'fleet' && event.is === 'status')?.event;
}

/** The results of the environments of a rollout, by name. */
export const resultsIn = (status: { targets: { environment: string; is: string }[] }): Record<string, string> =>
  Object.fromEntries(status.targets.map(({ environment, is }) => [environment, is]));
