import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { durationIn } from '#base/duration.js';
import { DexsyncError } from '#base/errors.js';
import { readAllowedSigners } from '#base/ssh/allowed-signers.js';
import { matchesPattern } from '#core/engine/wildcard.js';
import { parseYaml } from '#core/manifest/parse.js';
import { checkSchema } from '#core/manifest/schema-check.js';
import { isObject, type JsonObject, withoutNulls } from '#core/model/json.js';
import type { ReviewPolicy } from '#core/reviews/judge-reviews.js';
import { configSchema } from '../config/config-schema.js';
import type { Config } from '../config/load-config.js';
import type { ReviewsSection } from '../config/reviews-schema.js';
import { findWorkspacePlace } from '../config/workspace-place.js';
import type { Host } from '../host.js';

/** Files that say who may approve: of a commit, or of a folder. */
export interface PolicySource {
  /** As messages name it. */
  readonly source: string;
  /** The content of a file, by a path relative to the configuration; undefined if it is not there. */
  fileAt(path: string): Promise<Buffer | undefined>;
}

/** What such a source has in its configuration that decides about reviews. */
export interface SourceConfig extends PolicySource {
  readonly reviews?: ReviewsSection;
  /** Undefined if it has no configuration. */
  readonly environments?: JsonObject;
}

/** Reads the configuration of a source. Throws CONFIG_INVALID. */
export async function readSource(
  from: PolicySource,
  { path, folder }: Pick<Config, 'path' | 'folder'>,
): Promise<SourceConfig> {
  const file = relative(folder, path);
  const text = (await from.fileAt(file))?.toString('utf8');
  if (text === undefined) return from;
  const name = `${file} of ${from.source}`;
  const { documents, diagnostics } = parseYaml(text, name);
  const [document] = documents;
  if (document === undefined || !isObject(document.value))
    throw unreadable(name, diagnostics[0]?.message ?? 'It is empty.');
  const { reviews, environments } = withoutNulls(document.value) as JsonObject;
  if (reviews === undefined) return { ...from, environments: isObject(environments) ? environments : {} };
  // An older commit may have other settings that this version does not read.
  const section = { stack: 'any', manifests: ['any'], environments: {}, reviews };
  const [wrong] = checkSchema(section, { schema: configSchema, base: '', origins: document.origins, name });
  if (wrong !== undefined) throw unreadable(name, wrong.message);
  return {
    ...from,
    reviews: reviews as unknown as ReviewsSection,
    environments: isObject(environments) ? environments : {},
  };
}

/** Whether a source asks for approvals in one of the environments. */
export async function isAnyProtected(
  environments: readonly string[],
  from: SourceConfig,
  config: Config,
  host: Pick<Host, 'variables'>,
): Promise<boolean> {
  for (const one of environments)
    if ((await isProtected(one, from, config)) || leadsToProtected(one, from, config, host)) return true;
  return false;
}

/** What leads to a workspace: an environment that has other values may lead to a protected one. */
const PLACE = ['url', 'workspace', 'credentials', 'from', 'name'] as const;

/**
 * Whether a commit asks for approvals in an environment, also in one that it does not know, or that leads elsewhere there.
 */
async function isProtected(
  environment: string,
  { fileAt, reviews, environments = {} }: SourceConfig,
  config: Pick<Config, 'environments' | 'folder'>,
): Promise<boolean> {
  if (reviews === undefined) return false;
  const { row, ...settings } = config.environments[environment] ?? {};
  const there = environments[row?.block ?? environment];
  if (!isObject(there)) return true;
  if (isAsked(environment, there, reviews)) return true;
  const here = plain(row?.template ?? settings) as JsonObject;
  if (PLACE.some((member) => !isDeepStrictEqual(there[member], here[member]))) return true;
  const { from } = here;
  const table = isObject(from) ? from.file : from;
  return typeof table === 'string' && !(await isSameFile(table, fileAt, config));
}

/** Whether `reviews` means an environment with these settings. */
const isAsked = (environment: string, settings: JsonObject, reviews: ReviewsSection): boolean =>
  reviews.environments?.some((pattern) => matchesPattern(pattern, environment)) ?? settings.production === true;

/** Whether an environment leads to the workspace of one that a source asks approvals for, with the variables of this process. */
function leadsToProtected(
  environment: string,
  { reviews, environments = {} }: SourceConfig,
  config: Config,
  { variables }: Pick<Host, 'variables'>,
): boolean {
  if (reviews === undefined || !Object.hasOwn(config.environments, environment)) return false;
  const own = findWorkspacePlace(config, environment, variables);
  return Object.entries(config.environments).some(([name, { row }]) => {
    const there = environments[row?.block ?? name];
    if (name === environment || !isObject(there) || !isAsked(name, there, reviews)) return false;
    const other = findWorkspacePlace(config, name, variables);
    return isSame(own.key, other.key) || isSame(own.identity, other.identity);
  });
}

const isSame = (one: string | undefined, other: string | undefined): boolean => one !== undefined && one === other;

/** Whether a table is as it is in a commit: its cells lead to workspaces. */
async function isSameFile(
  file: string,
  fileAt: PolicySource['fileAt'],
  { folder }: Pick<Config, 'folder'>,
): Promise<boolean> {
  const here = await readFile(resolve(folder, file)).catch(() => undefined);
  return here !== undefined && (await fileAt(file))?.equals(here) === true;
}

/** Settings without members that are undefined, and without nulls, as those of a commit are read. */
const plain = (settings: object): unknown => withoutNulls(JSON.parse(JSON.stringify(settings)));

/** The policy of a source that asks for approvals. Throws CONFIG_INVALID for signers that cannot be read. */
export async function policyOf(from: SourceConfig): Promise<ReviewPolicy> {
  const {
    required = 1,
    notAuthor = true,
    roles = {},
    allowedSigners: file,
    validFor = '30d',
    forge,
  } = from.reviews ?? {};
  const { signers, problems } = readAllowedSigners(await signersText(from));
  const [problem] = problems;
  if (problem !== undefined)
    throw unreadable(`${file ?? SIGNERS} of ${from.source}`, `Line ${problem.line}: ${problem.message}.`);
  const { source } = from;
  return { source, required, notAuthor, validFor: durationIn(validFor) ?? 0, roles, signers, forge };
}

const SIGNERS = 'allowed_signers';

/** The text of the file of allowed signers. Throws CONFIG_INVALID if it is not there. */
export async function signersText({ source, fileAt, reviews }: SourceConfig): Promise<string> {
  const file = reviews?.allowedSigners ?? SIGNERS;
  const text = await fileAt(file);
  if (text !== undefined) return text.toString('utf8');
  throw new DexsyncError('CONFIG_INVALID', `The file of allowed signers, ${file}, is not in ${source}.`, {
    hint: 'Commit it there, or name another one with `reviews.allowedSigners`.',
  });
}

const unreadable = (what: string, why: string): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `${what} cannot be used for reviews: ${why}`, {
    hint: 'Correct it there. Plans from before that have to be created again.',
  });
