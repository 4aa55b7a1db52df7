import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { checkFaults, type FaultFile, FaultFileError } from './fault-file.js';

/** Reads a file of faults, in YAML or JSON. Throws a FaultFileError that names the file. */
export async function readFaultFile(path: string): Promise<FaultFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new FaultFileError(`The fault file ${path} cannot be read: ${error.code ?? error.message}.`);
  });
  try {
    return checkFaults(parsed(text));
  } catch (error) {
    throw new FaultFileError(`The fault file ${path} cannot be used:\n${(error as Error).message}`);
  }
}

function parsed(text: string): unknown {
  // Loads it from its package, since the program bundles it with much that the workspace does not need.
  const { load } = createRequire(import.meta.url)('js-yaml') as typeof import('js-yaml');
  return load(text);
}
