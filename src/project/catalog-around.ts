import { builtIn, type Catalog } from '#core/catalog.js';
import { findConfig } from './config/load-config.js';
import type { Host, ProjectOptions } from './host.js';
import { isTrusted } from './own-kinds.js';
import { openConfig } from './project.js';

/**
 * The catalog of the project that the user stands in, for what works without a project too. Kinds of a project that is
 * not trusted are left out, unless they are `needed`: then it is refused. Throws CONFIG_INVALID.
 */
export async function catalogAround(
  { config }: Pick<ProjectOptions, 'config'>,
  host: Host,
  kinds?: 'needed',
): Promise<Catalog> {
  if (kinds === undefined && !isTrusted(host)) return builtIn;
  if (config === undefined && (await findConfig(host.cwd)) === undefined) return builtIn;
  return (await openConfig(config === undefined ? {} : { config }, host)).catalog;
}
