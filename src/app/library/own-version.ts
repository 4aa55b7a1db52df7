import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '#base/files/package-folder.js';

/** The version of this package. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string };
  return version;
}
