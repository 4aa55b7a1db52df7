import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Diagnostic, hasErrors, withHint } from '#base/diagnostics.js';
import { reasonOf } from '#base/errors.js';
import { pathExists } from '#base/files/path-exists.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { builtIn, type Catalog, catalogWith } from '#core/catalog.js';
import type { Kind } from '#core/model/kind.js';
import type { KindModule, LoadedConfig } from './config/load-config.js';
import type { Host } from './host.js';
import { isKind, kindFindings, referenceFindings } from './own-kind-findings.js';
import { wrapOwnKind } from './wrap-own-kind.js';

/** The catalog of a project with its own kinds, and their diagnostics. */
export interface OwnKinds {
  readonly catalog: Catalog;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether modules that a configuration names may run. A configuration cannot allow that itself. */
export const isTrusted = ({ trust, variables }: Pick<Host, 'trust' | 'variables'>): boolean =>
  trust === true || variables.DEXSYNC_TRUST === 'yes';

/**
 * Imports the modules that the configuration lists and checks their kinds. Without trust nothing is imported. A process
 * imports a module once: to see a change of the file, start another process.
 */
export async function loadOwnKinds(
  { kinds: modules, folder }: Pick<LoadedConfig, 'kinds' | 'folder'>,
  host: Pick<Host, 'trust' | 'variables'>,
): Promise<OwnKinds> {
  if (!isTrusted(host)) return { catalog: builtIn, diagnostics: [untrusted(modules)] };
  resolveOwnName();
  const kinds: Kind[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const module of modules) {
    const found = await kindIn(module, folder, kinds);
    if ('name' in found) kinds.push(found);
    else diagnostics.push(...found.diagnostics);
  }
  if (hasErrors(diagnostics)) return { catalog: builtIn, diagnostics };
  const catalog = catalogWith(kinds);
  const references = kinds.flatMap((kind, index) => referenceFindings(kind, modules[index] as KindModule, catalog));
  return { catalog, diagnostics: references };
}

type FoundKind = Kind | { readonly diagnostics: readonly Diagnostic[] };

async function kindIn(module: KindModule, folder: string, before: readonly Kind[]): Promise<FoundKind> {
  const path = resolve(folder, module.file);
  if (!(await pathExists(path))) return { diagnostics: [missing(module)] };
  try {
    const { default: own, kind = own } = await importModule(pathToFileURL(path).href);
    const diagnostics = kindFindings(kind, module, [...builtIn.kinds, ...before]);
    return diagnostics.length > 0 || !isKind(kind) ? { diagnostics } : wrapOwnKind(kind, module.file);
  } catch (error) {
    return { diagnostics: [failed(module, error)] };
  }
}

interface Exports {
  readonly default?: unknown;
  readonly kind?: unknown;
}

/** Milliseconds that a module may take. */
const PATIENCE = 30_000;

/** Imports a module with a time limit: one that waits forever would end the process silently. */
async function importModule(url: string): Promise<Exports> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`it was not ready within ${PATIENCE / 1000} seconds.`)), PATIENCE);
  });
  return Promise.race([import(url) as Promise<Exports>, late]).finally(() => clearTimeout(timer));
}

function untrusted(modules: readonly KindModule[]): Diagnostic {
  const [{ origin } = { origin: undefined }] = modules;
  const files = modules.map(({ file }) => file).join(', ');
  return {
    severity: 'error',
    code: 'kinds-untrusted',
    message: `The configuration loads code: ${files}. It was not run.`,
    hint:
      'Read it, then add `--trust` (or set DEXSYNC_TRUST=yes) to run it with all permissions of your user. ' +
      'In a pipeline, do so only for code that was reviewed.',
    ...omitUndefined({ origin }),
  };
}

const missing = ({ file, origin }: KindModule): Diagnostic => ({
  severity: 'error',
  code: 'kind-missing',
  message: `The kind ${file} does not exist.`,
  hint: 'Paths in `kinds` are relative to the configuration.',
  origin,
});

const failed = ({ file, origin }: KindModule, error: unknown): Diagnostic =>
  withHint(
    {
      severity: 'error' as const,
      code: 'kind-failed',
      message: `The kind ${file} cannot be loaded: ${sentenceOf(error)}`,
      origin,
    },
    'It must be an ES module that runs without errors and exports a kind as default.',
  );

const sentenceOf = (error: unknown): string => {
  const reason = reasonOf(error).replace(/\s*\n[\s\S]*$/, '');
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
};

let isResolved = false;

/**
 * Lets modules import `dexsync/kind` even if no dexsync is installed beside them, for example if it is installed for
 * the whole machine; they always get that of the running program.
 */
function resolveOwnName(): void {
  if (isResolved) return;
  isResolved = true;
  const url = JSON.stringify(import.meta.resolve('dexsync/kind'));
  const hook = `export const resolve = (name, context, next) =>
    name === 'dexsync/kind' ? { url: ${url}, shortCircuit: true } : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
