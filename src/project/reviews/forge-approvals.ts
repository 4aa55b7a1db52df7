import { DexsyncError } from '#base/errors.js';
import { FORGES, type Forge, type ForgeChange } from '#core/reviews/forges.js';
import type { ReviewPolicy } from '#core/reviews/judge-reviews.js';
import type { Host } from '../host.js';
import { once } from '../once.js';
import { askForge, type ForgeProject } from './ask-forge.js';
import type { Policies } from './find-policies.js';

/** A pull request or merge request, and who approved it. */
interface Approved {
  readonly change: number;
  readonly approvedBy: readonly string[];
}

/** What is to be applied, and the commit that it comes from. */
export interface FromCommit {
  /** For the beginning of a sentence: `ledger:NAME`. */
  readonly what: string;
  /** Undefined if it comes from no commit alone. */
  commit(): Promise<string | undefined>;
}

/**
 * Asks the forges that policies name for approvals of the change that a commit belongs to. Throws PLAN_UNAPPROVED for too few
 * of them, CREDENTIALS_MISSING without a token, and NETWORK if they cannot be read. Returns what the history keeps, such as
 * `pull request 7 on GitHub, approved by ann`.
 */
export async function forgeApprovals(
  { policies, branch }: Policies,
  { what, commit }: FromCommit,
  host: Host,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of Object.keys(FORGES) as (keyof typeof FORGES)[]) {
    const asked = mostOf(policies, name);
    if (asked === undefined) continue;
    const { source, required, forge } = asked;
    const project = projectOf(forge, source, host);
    const sha = await commit();
    if (sha === undefined) throw uncommitted(what, asked);
    const given = await once(host, ['approvals', name, sha], () => approvalsOf(project, sha, branch, host));
    const [best] = [...given].sort((one, other) => other.approvedBy.length - one.approvedBy.length);
    if (best === undefined || best.approvedBy.length < required) throw unapproved(what, sha, best, branch, asked);
    found.push(
      `${asked.forge.change} ${best.change} on ${asked.forge.name}, approved by ${best.approvedBy.join(', ')}`,
    );
  }
  return found;
}

interface Asked extends Pick<ReviewPolicy, 'source'> {
  readonly forge: Forge;
  readonly required: number;
}

/** The policy that asks for the most approvals of a forge. */
function mostOf(policies: readonly ReviewPolicy[], name: keyof typeof FORGES): Asked | undefined {
  const asking = policies.flatMap(({ source, forge }): Asked[] => {
    const required = forge?.[name]?.approvals ?? 0;
    return required === 0 ? [] : [{ source, required, forge: FORGES[name] }];
  });
  return asking.sort((one, other) => other.required - one.required)[0];
}

function projectOf(forge: Forge, source: string, { variables, secrets }: Host): ForgeProject {
  const [token, url] = [variables[forge.token], forge.projectUrl(variables)];
  if (token && url !== undefined) {
    secrets.add(token);
    return { forge, url, token };
  }
  const missing = token ? forge.place : forge.token;
  throw new DexsyncError(
    'CREDENTIALS_MISSING',
    `\`reviews\` of ${source} asks for approvals on ${forge.name}, which cannot be read: ${missing} is not set.`,
    {
      hint: `Set ${forge.token} to a token with ${forge.right}, and outside of its pipelines also ${forge.place}.`,
    },
  );
}

/** The approvals of each change that a commit belongs to. */
async function approvalsOf(
  project: ForgeProject,
  commit: string,
  branch: string,
  host: Host,
): Promise<readonly Approved[]> {
  const { forge } = project;
  const path = forge.changesOf(commit);
  const answers = await askForge(project, path, host);
  const changes = read(project, path, () => answers.map((one) => forge.changeIn(one))).filter(
    (one) => one.branch === branch && !one.isAbandoned && one.commits.includes(commit),
  );
  return Promise.all(changes.map((one) => approversOf(project, one, host)));
}

async function approversOf(project: ForgeProject, change: ForgeChange, host: Host): Promise<Approved> {
  const { forge } = project;
  const path = forge.approvalsOf(change.number);
  const answers = await askForge(project, path, host);
  const approvedBy = read(project, path, () => forge.approversIn(answers, change));
  return { change: change.number, approvedBy };
}

/** Reads an answer. Throws NETWORK for one of another form. */
function read<T>({ forge, url }: ForgeProject, path: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const message = `Approvals cannot be read from ${forge.name}: GET ${url}/${path} was answered in another form than its documentation has: ${cause.message}.`;
    throw new DexsyncError('NETWORK', message, { hint: `Check that the URL is that of ${forge.name}.`, cause });
  }
}

const uncommitted = (what: string, { forge, source, required }: Asked): DexsyncError =>
  new DexsyncError(
    'PLAN_UNAPPROVED',
    `${what} has 0 of ${required} approvals on ${forge.name}, as \`reviews\` of ${source} asks for: the folder that it comes from has changes that are not committed, or no commit is known.`,
    { hint: `Commit them, and have the ${forge.change} approved.` },
  );

function unapproved(
  what: string,
  commit: string,
  best: Approved | undefined,
  branch: string,
  { forge, source, required }: Asked,
): DexsyncError {
  const { change = 0, approvedBy = [] } = best ?? {};
  const why =
    best === undefined
      ? `commit ${commit.slice(0, 8)} is neither the last one of a ${forge.change} for ${branch} nor its merge`
      : `${forge.change} ${change} was approved by ${approvedBy.join(', ') || 'nobody'}`;
  const message = `${what} has ${approvedBy.length} of ${required} approvals on ${forge.name}, as \`reviews\` of ${source} asks for: ${why}.`;
  const hint =
    best === undefined
      ? `Bring the change to ${branch} by a ${forge.change}, and have that approved.`
      : `Have other people approve ${forge.change} ${change}: its author, programs, and people from outside do not count, and neither do approvals of an earlier commit.`;
  return new DexsyncError('PLAN_UNAPPROVED', message, { hint });
}
