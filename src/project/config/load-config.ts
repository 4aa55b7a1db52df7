import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { cosmiconfig } from 'cosmiconfig';
import { type Diagnostic, hasErrors, type Origin } from '#base/diagnostics.js';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import { checkVariables } from '#core/manifest/interpolate.js';
import { parseYaml } from '#core/manifest/parse.js';
import { checkSchema } from '#core/manifest/schema-check.js';
import type { Document } from '#core/model/document.js';
import { withoutNulls } from '#core/model/json.js';
import { pointerTo } from '#core/model/pointer.js';
import { type ListHost, readList } from '../read-lists.js';
import { type ConfigFile, configSchema, type EnvironmentSettings } from './config-schema.js';
import type { EnvironmentRow, WithTables } from './environment-tables.js';
import { overrideKey } from './override-key.js';
import type { ChainResult } from './read-chain.js';
import type { RulesResult } from './read-rules.js';

/** The name that `init` writes and messages use; `sync.config.yml` is found too. */
export const CONFIG_FILE = 'sync.config.yaml';

/** The configuration from its file, and the folder to which all its paths are relative. */
export interface LoadedConfig extends Omit<ConfigFile, 'rules' | 'kinds' | 'promotion' | 'environments'> {
  /** By name; those of rows too. */
  readonly environments: Readonly<Record<string, ConfiguredEnvironment>>;
  readonly folder: string;
  readonly path: string;
  /** The folder of dexsync's data, if it is not next to the configuration. */
  readonly data?: string;
  readonly rules?: RulesResult['rules'];
  /** The stages that releases are promoted along. */
  readonly chain?: ChainResult['chain'];
  /** Modules that are not loaded yet. */
  readonly kinds: readonly KindModule[];
}

/** One environment of a configuration. */
export interface ConfiguredEnvironment extends EnvironmentSettings {
  /** Its row, if it comes from a table. */
  readonly row?: EnvironmentRow;
}

/** The configuration of a project, with everything that its manifests can name. */
export interface Config extends LoadedConfig {
  readonly catalog: Catalog;
}

/** A module with one of the project's own kinds. */
export interface KindModule {
  /** Its path in the configuration, relative to the folder of that. */
  readonly file: string;
  readonly origin: Origin;
}

/** A configuration with its warnings, or the findings that make it invalid. */
export type ConfigResult =
  | { readonly config: LoadedConfig; readonly diagnostics: readonly Diagnostic[] }
  | { readonly config?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Finds the configuration from `cwd` upwards, or reads the given file. Returns findings; throws for a missing file. */
export async function loadConfig(host: ListHost, given: string | undefined): Promise<ConfigResult> {
  const { cwd } = host;
  const path = given === undefined ? ((await findConfig(cwd)) ?? noConfig(cwd)) : resolve(cwd, given);
  const text = await readConfig(path);
  const file = relative(cwd, path) || path;
  const { documents, diagnostics } = parseYaml(text, file);
  const [written] = documents;
  if (written === undefined) return { diagnostics: diagnostics.length > 0 ? diagnostics : [emptyConfig(file)] };
  const found = checkSchema(written.value, { schema: configSchema, base: '', origins: written.origins, name: file });
  if (found.length > 0) return { diagnostics: [...diagnostics, ...found] };
  const { document, rows, diagnostics: ofTables } = await loadTables(written, text, { folder: dirname(path), host });
  if (hasErrors(ofTables)) return { diagnostics: [...diagnostics, ...ofTables] };
  const { rules, diagnostics: ofRules } = await loadRules(document);
  const { chain, diagnostics: ofChain } = await loadChain(document);
  const ofTargets = await loadNotifyFindings(document);
  const all = [
    ...diagnostics,
    ...ofTables,
    ...variableFindings(document),
    ...sharedKeys(document),
    ...(await loadReviews(document)),
    ...ofRules,
    ...ofChain,
    ...ofTargets,
  ];
  if (hasErrors(all)) return { diagnostics: all };
  return {
    config: {
      ...withoutClears(document.value as ConfigFile, rows),
      path,
      folder: dirname(path),
      rules,
      chain,
      kinds: kindModules(document),
    },
    diagnostics: all,
  };
}

/** Reads the tables that environments come from; what fills them in is loaded only if there are any. */
async function loadTables(
  document: Document,
  text: string,
  { folder, host }: { readonly folder: string; readonly host: ListHost },
): Promise<WithTables> {
  const { environments } = document.value as ConfigFile;
  const hasTables = Object.values(environments).some((one) => one?.from !== undefined);
  if (!hasTables && !text.includes('${row.')) return { document, rows: new Map(), diagnostics: [] };
  const { readTables } = await import('./environment-tables.js');
  return readTables(document, (place) => readList(place, { folder, home: folder }, host));
}

/** Reads the rules; their language is loaded only if there are any. */
async function loadRules(document: Document): Promise<RulesResult> {
  const { rules } = document.value as ConfigFile;
  if (rules === undefined || rules === null || rules.length === 0) return { rules: [], diagnostics: [] };
  const { readRules } = await import('./read-rules.js');
  return readRules(document);
}

/** Checks the reviews, whose checks are loaded only if there are any. */
async function loadReviews(document: Document): Promise<readonly Diagnostic[]> {
  const { reviews } = document.value as ConfigFile;
  if (reviews === undefined || reviews === null) return [];
  return (await import('./read-reviews.js')).reviewsFindings(document);
}

async function loadChain(document: Document): Promise<ChainResult> {
  const { promotion } = document.value as ConfigFile;
  if (promotion === undefined || promotion === null) return { chain: [], diagnostics: [] };
  const { readChain } = await import('./read-chain.js');
  return readChain(document);
}

/** Checks the targets of notifications, if there are any. */
async function loadNotifyFindings(document: Document): Promise<readonly Diagnostic[]> {
  const { notify } = document.value as ConfigFile;
  if (notify === undefined || notify === null) return [];
  const { notifyFindings } = await import('./notify-targets.js');
  return notifyFindings(document);
}

const kindModules = ({ value, origins }: Document): KindModule[] =>
  ((value as ConfigFile).kinds ?? []).map((file, index) => ({ file, origin: origins.value(`/kinds/${index}`) }));

/** Removes `null`s, which mean absent, except as values of variables. */
function withoutClears(file: ConfigFile, rows: WithTables['rows']) {
  const rest = withoutNulls(file) as ConfigFile;
  const environments = Object.entries(rest.environments).map(([name, settings]): [string, ConfiguredEnvironment] => [
    name,
    { ...settings, ...variablesOf(file.environments[name]), ...omitUndefined({ row: rows.get(name) }) },
  ]);
  return { ...rest, ...variablesOf(file), environments: Object.fromEntries(environments) };
}

const variablesOf = (part: Pick<ConfigFile, 'variables'> | undefined): Pick<ConfigFile, 'variables'> =>
  part?.variables === undefined || part.variables === null ? {} : { variables: part.variables };

/** Reports references in variables: values are used literally, so a reference would reach the workspace as text. */
function variableFindings({ value, origins }: Document): Diagnostic[] {
  const { variables, environments } = value as ConfigFile;
  const own = Object.entries(environments ?? {}).map(([name, settings]) => ({
    base: `${pointerTo('/environments', name)}/variables`,
    variables: settings?.variables,
  }));
  return [{ base: '/variables', variables }, ...own].flatMap((set) =>
    checkVariables(set.variables ?? {}, { base: set.base, origins }),
  );
}

/** Reports environments that share an override such as DEXSYNC_PROD_EU_URL. */
function sharedKeys({ value, origins }: Document): Diagnostic[] {
  const first = new Map<string, string>();
  return Object.keys((value as ConfigFile).environments).flatMap((name): Diagnostic[] => {
    const key = overrideKey(name);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, name);
      return [];
    }
    const message = `The environments "${other}" and "${name}" are overridden by the same variables, DEXSYNC_${key}_URL and its like.`;
    const origin = origins.key(pointerTo('/environments', name));
    return [{ severity: 'error', code: 'environment-key', message, hint: 'Rename one of them.', origin }];
  });
}

/** The path of the configuration in a folder or above it; undefined if there is none. */
export async function findConfig(cwd: string): Promise<string | undefined> {
  const places = [CONFIG_FILE, 'sync.config.yml'];
  const loaders = { '.yaml': keepText, '.yml': keepText };
  const found = await cosmiconfig('sync', {
    searchPlaces: places,
    loaders,
    stopDir: '/',
    // An empty file is reported, not skipped.
    ignoreEmptySearchPlaces: false,
    searchStrategy: 'global',
  }).search(cwd);
  return found?.filepath;
}

function noConfig(cwd: string): never {
  throw new DexsyncError('CONFIG_INVALID', `No ${CONFIG_FILE} in ${cwd} or a folder above it.`, {
    hint: 'Run `dexsync init` to create one, or give its path with `--config`.',
  });
}

const keepText = (_path: string, content: string): string => content;

async function readConfig(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'it does not exist' : reasonOf(error);
    throw new DexsyncError('CONFIG_INVALID', `The configuration ${path} cannot be read: ${why}.`, {
      ...(isMissing ? { hint: 'Check `--config`; `dexsync init` creates a configuration.' } : {}),
      cause: error,
    });
  }
}

const emptyConfig = (file: string): Diagnostic => ({
  severity: 'error',
  code: 'config-empty',
  message: `${file} is empty.`,
  hint: 'Run `dexsync init` in an empty folder to see a complete one.',
});
