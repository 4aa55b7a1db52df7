import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import type { Plan } from '#core/model/plan.js';
import type { ReviewPolicy } from '#core/reviews/judge-reviews.js';
import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';
import { mayNeedReviews } from './may-need-reviews.js';
import {
  isAnyProtected,
  type PolicySource,
  policyOf,
  readSource,
  type SourceConfig,
  signersText,
} from './policy-source.js';
import { openProtectedBranch, type ProtectedBranch } from './protected-branch.js';

/** The policies that must all agree to what is applied to an environment. */
export interface Policies {
  readonly policies: readonly ReviewPolicy[];
  /** The authors of the commits that the plan was made from, if they are known here. */
  readonly authors: readonly string[];
  /** The branch of the remote that they were read from. */
  readonly branch: string;
  /** The commit that is checked out here; undefined with changes that are not committed. */
  checkedOut(): Promise<string | undefined>;
}

/** When a plan was made, and from which commit. */
export interface PlannedFrom {
  readonly createdAt: string;
  readonly commit?: string | undefined;
  /** What the protected branch had then, as the plan recorded it. */
  readonly base?: string | undefined;
}

type Reading = Pick<Config, 'path' | 'folder' | 'environments' | 'reviews'>;

/**
 * Finds who must approve what is applied to environments: as the protected branch says now, and as it said when the plan
 * was made, so that no change approves itself. Undefined if nobody must. Throws GIT_FAILED, CONFIG_INVALID, and
 * PLAN_UNAPPROVED if only this folder has `reviews`.
 */
export async function findPolicies(
  config: Reading,
  environments: readonly string[],
  { createdAt, commit, base }: PlannedFrom,
  host: Host,
): Promise<Policies | undefined> {
  if (!mayNeedReviews(config, host)) return undefined;
  const branch = await openProtectedBranch(config, host);
  const before = await branch.commitAt(createdAt, base);
  const commits = [...new Set([branch.tip, ...(before === undefined ? [] : [before])])];
  const said = await Promise.all(commits.map((one) => readSource(commitSource(one, branch), config)));
  if (said.every(({ reviews }) => reviews === undefined)) {
    if (config.reviews === undefined) return undefined;
    throw notThere(branch);
  }
  const asked: SourceConfig[] = [];
  for (const one of said) if (await isAnyProtected(environments, one, config)) asked.push(one);
  if (asked.length === 0) return undefined;
  const authors = commit === undefined || before === undefined ? [] : await branch.authorsBetween(before, commit);
  const policies = await Promise.all(asked.map(policyOf));
  return { policies, authors, branch: branch.ref, checkedOut: branch.checkedOut };
}

const commitSource = (commit: string, branch: ProtectedBranch): PolicySource => ({
  source: `${branch.name} (${commit.slice(0, 8)})`,
  fileAt: (path) => branch.fileAt(commit, path),
});

/** Who must approve as the files of this folder say it, which an apply never asks; empty if nobody must. */
export async function folderPolicies(config: Reading, environment: string): Promise<readonly ReviewPolicy[]> {
  const here: PolicySource = {
    source: 'this folder',
    fileAt: (path) => readFile(resolve(config.folder, path)).catch(() => undefined),
  };
  const said = await readSource(here, config);
  return (await isAnyProtected([environment], said, config)) ? [await policyOf(said)] : [];
}

/** Records in a plan which commit the protected branch has now, so that no change approves itself. */
export async function withBase(plan: Plan, config: Reading, host: Host): Promise<Plan> {
  const { provenance } = plan;
  if (provenance?.git === undefined || !mayNeedReviews(config, host)) return plan;
  const { tip: base } = await openProtectedBranch(config, host);
  return { ...plan, provenance: { ...provenance, git: { ...provenance.git, base } } };
}

/** The allowed signers as the protected branch has them now. Throws as `findPolicies` does. */
export async function allowedSignersText(config: Reading, host: Host): Promise<string> {
  const branch = await openProtectedBranch(config, host);
  return signersText(await readSource(commitSource(branch.tip, branch), config));
}

const notThere = ({ name }: ProtectedBranch): DexsyncError =>
  new DexsyncError('PLAN_UNAPPROVED', `The configuration here has \`reviews\`, but that of ${name} has none yet.`, {
    hint: 'Merge it first: who may approve is read only there.',
  });
