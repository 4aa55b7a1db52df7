import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { durationIn } from '#base/duration.js';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { readAllowedSigners } from '#base/ssh/allowed-signers.js';
import type { ReviewPolicy } from '#core/engine/reviews/judge-reviews.js';
import { matchesPattern } from '#core/engine/wildcard.js';
import { parseYaml } from '#core/manifest/parse.js';
import { checkSchema } from '#core/manifest/schema-check.js';
import { isObject, type JsonObject, withoutNulls } from '#core/model/json.js';
import type { Config } from '../config/load-config.js';
import { type ReviewsSection, reviewsSchema } from '../config/reviews-schema.js';
import type { Host } from '../host.js';
import { mayNeedReviews } from './may-need-reviews.js';
import { openProtectedBranch, type ProtectedBranch } from './protected-branch.js';

/** The policies that must all agree to what is applied to an environment. */
export interface Policies {
  readonly policies: readonly ReviewPolicy[];
  /** The authors of the commits that the plan was made from, if they are known here. */
  readonly authors: readonly string[];
}

/** When a plan was made, and from which commit. */
export interface PlannedFrom {
  readonly createdAt: string;
  readonly commit?: string | undefined;
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
  { createdAt, commit }: PlannedFrom,
  host: Host,
): Promise<Policies | undefined> {
  if (!mayNeedReviews(config, host)) return undefined;
  const branch = await openProtectedBranch(config, host);
  const before = await branch.commitAt(createdAt);
  const commits = [...new Set([branch.tip, ...(before === undefined ? [] : [before])])];
  const said = await Promise.all(commits.map((one) => readCommit(one, branch, config)));
  if (said.every(({ reviews }) => reviews === undefined)) {
    if (config.reviews === undefined) return undefined;
    throw notThere(branch);
  }
  const asked: CommitConfig[] = [];
  for (const one of said) if (await isAnyProtected(environments, one, branch, config)) asked.push(one);
  if (asked.length === 0) return undefined;
  const authors = commit === undefined || before === undefined ? [] : await branch.authorsBetween(before, commit);
  return { policies: await Promise.all(asked.map((one) => policyOf(one, branch))), authors };
}

interface CommitConfig {
  readonly commit: string;
  readonly reviews?: ReviewsSection;
  readonly environments: JsonObject;
}

/** What a commit has in its configuration that decides about reviews. */
async function readCommit(commit: string, branch: ProtectedBranch, { path, folder }: Reading): Promise<CommitConfig> {
  const file = relative(folder, path);
  const text = (await branch.fileAt(commit, file))?.toString('utf8');
  if (text === undefined) return { commit, environments: {} };
  const name = `${file} of ${shown(branch, commit)}`;
  const { documents, diagnostics } = parseYaml(text, name);
  const [document] = documents;
  if (document === undefined || !isObject(document.value))
    throw unreadable(name, diagnostics[0]?.message ?? 'It is empty.');
  const { reviews, environments } = withoutNulls(document.value) as JsonObject;
  if (reviews === undefined) return { commit, environments: isObject(environments) ? environments : {} };
  const [wrong] = checkSchema(reviews, { schema: reviewsSchema, base: '/reviews', origins: document.origins, name });
  if (wrong !== undefined) throw unreadable(name, wrong.message);
  return {
    commit,
    reviews: reviews as unknown as ReviewsSection,
    environments: isObject(environments) ? environments : {},
  };
}

async function isAnyProtected(
  environments: readonly string[],
  commit: CommitConfig,
  branch: ProtectedBranch,
  config: Reading,
): Promise<boolean> {
  for (const one of environments) if (await isProtected(one, commit, branch, config)) return true;
  return false;
}

/** What leads to a workspace: an environment that has other values may lead to a protected one. */
const PLACE = ['url', 'workspace', 'credentials', 'from', 'name'] as const;

/**
 * Whether a commit asks for approvals in an environment, also in one that it does not know, or that leads elsewhere there.
 */
async function isProtected(
  environment: string,
  { commit, reviews, environments }: CommitConfig,
  branch: ProtectedBranch,
  config: Pick<Config, 'environments' | 'folder'>,
): Promise<boolean> {
  if (reviews === undefined) return false;
  const { row, ...settings } = config.environments[environment] ?? {};
  const there = environments[row?.block ?? environment];
  if (!isObject(there)) return true;
  const isNamed = reviews.environments?.some((pattern) => matchesPattern(pattern, environment));
  if (isNamed ?? there.production === true) return true;
  const here = plain(row?.template ?? settings) as JsonObject;
  if (PLACE.some((member) => !isDeepStrictEqual(there[member], here[member]))) return true;
  const { from } = here;
  const table = isObject(from) ? from.file : from;
  return typeof table === 'string' && !(await isSameFile(table, commit, branch, config));
}

/** Whether a table is as it is in a commit: its cells lead to workspaces. */
async function isSameFile(
  file: string,
  commit: string,
  branch: ProtectedBranch,
  { folder }: Pick<Config, 'folder'>,
): Promise<boolean> {
  const here = await readFile(resolve(folder, file)).catch(() => undefined);
  return here !== undefined && (await branch.fileAt(commit, file))?.equals(here) === true;
}

/** Settings without members that are undefined, and without nulls, as those of a commit are read. */
const plain = (settings: object): unknown => withoutNulls(JSON.parse(JSON.stringify(settings)));

async function policyOf({ commit, reviews = {} }: CommitConfig, branch: ProtectedBranch): Promise<ReviewPolicy> {
  const {
    required = 1,
    notAuthor = true,
    roles = {},
    allowedSigners: file = 'allowed_signers',
    validFor = '30d',
  } = reviews;
  const source = shown(branch, commit);
  const text = await branch.fileAt(commit, file);
  if (text === undefined)
    throw new DexsyncError('CONFIG_INVALID', `The file of allowed signers, ${file}, is not in ${source}.`, {
      hint: 'Commit it there, or name another one with `reviews.allowedSigners`.',
    });
  const { signers, problems } = readAllowedSigners(text.toString('utf8'));
  const [problem] = problems;
  if (problem !== undefined) throw unreadable(`${file} of ${source}`, `Line ${problem.line}: ${problem.message}.`);
  return { source, required, notAuthor, validFor: durationIn(validFor) ?? 0, roles: omitUndefined(roles), signers };
}

const shown = ({ name }: ProtectedBranch, commit: string): string => `${name} (${commit.slice(0, 8)})`;

const unreadable = (what: string, why: string): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `${what} cannot be used for reviews: ${why}`, {
    hint: 'Correct it on that branch.',
  });

const notThere = ({ name }: ProtectedBranch): DexsyncError =>
  new DexsyncError('PLAN_UNAPPROVED', `The configuration here has \`reviews\`, but that of ${name} has none yet.`, {
    hint: 'Merge it first: who may approve is read only there.',
  });
