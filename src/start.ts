#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * The folder where Node 22.8 and later caches compiled code for the next start. It is the user's own, unlike Node's
 * machine-wide default, because its contents are run. The embedded workspace, a child process, inherits it.
 */
function cacheFolder({ NODE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (NODE_COMPILE_CACHE) return NODE_COMPILE_CACHE;
  const local = process.platform === 'win32' ? LOCALAPPDATA : undefined;
  return join(XDG_CACHE_HOME || local || join(homedir(), '.cache'), 'dexsync', 'compiled');
}

// Collects garbage once it takes up half of the used memory. Node would let it grow to three times that.
setFlagsFromString('--heap-growing-percent=50');
// The HTTP parser is WebAssembly, and optimizing it takes longer than most commands run it.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');

const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
if (enableCompileCache !== undefined) {
  process.env.NODE_COMPILE_CACHE = cacheFolder(process.env);
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
await import('./app/cli.js');
