#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * Where Node keeps compiled code for the next start, from 22.8 on: a folder of the user alone, not the one of the whole
 * machine that Node would take, since what lies there is run. The embedded workspace, a child, inherits it.
 */
function cacheFolder({ NODE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (NODE_COMPILE_CACHE) return NODE_COMPILE_CACHE;
  const local = process.platform === 'win32' ? LOCALAPPDATA : undefined;
  return join(XDG_CACHE_HOME || local || join(homedir(), '.cache'), 'dexsync', 'compiled');
}

// Garbage may take up half of what is used before it is collected. Node lets it grow to three times that.
setFlagsFromString('--heap-growing-percent=50');
// The parser of HTTP is WebAssembly: to optimize it takes longer than most commands run it.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');

const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
if (enableCompileCache !== undefined) {
  process.env.NODE_COMPILE_CACHE = cacheFolder(process.env);
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
await import('./app/cli.js');
