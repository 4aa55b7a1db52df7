import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { GitFacts } from '#core/model/provenance.js';
import type { ReviewPolicy } from '#core/reviews/judge-reviews.js';
import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';
import { mayNeedReviews, REF_VARIABLE } from './may-need-reviews.js';
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
  /** Finds the authors of the commits that a plan comes from. */
  authorsOf(planned: PlannedFrom): Promise<readonly string[]>;
  /** The branch of the remote that they were read from. */
  readonly branch: string;
  /** The commit that is checked out here; undefined with changes that are not committed. */
  checkedOut(): Promise<string | undefined>;
}

/** When a plan was created, and from which commit. */
export interface PlannedFrom {
  readonly createdAt: string;
  readonly commit?: string | undefined;
  /** What the protected branch had then, as the plan recorded it. */
  readonly base?: string | undefined;
}

type Reading = Config;

/**
 * Finds who must approve what is applied to environments: as the protected branch says now, and as it said when the plan
 * was created, so that no change approves itself. Undefined if nobody must. Throws GIT_FAILED, CONFIG_INVALID, and
 * PLAN_UNAPPROVED if only this folder has `reviews`.
 */
export async function findPolicies(
  config: Reading,
  environments: readonly string[],
  planned: PlannedFrom,
  host: Host,
): Promise<Policies | undefined> {
  if (!mayNeedReviews(config, host)) return undefined;
  const branch = await openProtectedBranch(config, host);
  const now = await readSource(commitSource(branch.tip, branch), config);
  if (now.environments === undefined && host.variables[REF_VARIABLE]) throw noConfig(config, branch);
  if (now.reviews === undefined) {
    const isAsked = (await folderPolicies(config, environments, host)).length > 0;
    if (isAsked) throw notThere(branch);
    return undefined;
  }
  const before = await branch.commitAt(planned.createdAt, planned.base);
  const isOther = before !== undefined && before !== branch.tip;
  const said = [now, ...(isOther ? [await readSource(commitSource(before, branch), config)] : [])];
  const asked: SourceConfig[] = [];
  for (const one of said) if (await isAnyProtected(environments, one, config, host)) asked.push(one);
  if (asked.length === 0) return undefined;
  return {
    policies: await Promise.all(asked.map(policyOf)),
    async authorsOf({ createdAt, commit, base }) {
      const from = await branch.commitAt(createdAt, base);
      return branch.authorsOf(commit, from ?? branch.tip);
    },
    ...{ branch: branch.ref, checkedOut: branch.checkedOut },
  };
}

const commitSource = (commit: string, branch: ProtectedBranch): PolicySource => ({
  source: `${branch.name} (${commit.slice(0, 8)})`,
  fileAt: (path) => branch.fileAt(commit, path),
});

/** Who must approve as the files of this folder say it, which an apply never asks; empty if nobody must. */
export async function folderPolicies(
  config: Reading,
  environments: readonly string[],
  host: Pick<Host, 'variables'>,
): Promise<readonly ReviewPolicy[]> {
  const here: PolicySource = {
    source: 'this folder',
    fileAt: (path) => readFile(resolve(config.folder, path)).catch(() => undefined),
  };
  const said = await readSource(here, config);
  return (await isAnyProtected(environments, said, config, host)) ? [await policyOf(said)] : [];
}

/** What a plan records, so that no change approves itself and no author: the commit that the protected branch has, and who plans. */
export async function planBase(config: Reading, host: Host): Promise<Pick<GitFacts, 'base' | 'user'>> {
  if (!mayNeedReviews(config, host)) return {};
  // A plan may be saved without the remote; its time then stands for the commit.
  const branch = await openProtectedBranch(config, host).catch((error: unknown) => {
    if (error instanceof DexsyncError && error.code === 'GIT_FAILED') return undefined;
    throw error;
  });
  return omitUndefined({ base: branch?.tip, user: branch?.user });
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

const noConfig = ({ path, folder }: Reading, { name }: ProtectedBranch): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `${relative(folder, path)} is not in ${name}, which says who may approve.`, {
    hint: `Merge it first, or remove ${REF_VARIABLE} from this job.`,
  });
