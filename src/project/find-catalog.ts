import { builtIn, type Catalog } from '#core/catalog.js';
import { findConfig } from './config/load-config.js';
import type { Host, ProjectOptions } from './host.js';
import { isTrusted } from './own-kinds.js';
import { openConfig } from './project.js';

/**
 * The catalog of the project around the working folder, for commands that also work without a project. Kinds of an
 * untrusted project are left out, or refused if they are `needed`. Throws CONFIG_INVALID.
 */
export async function findCatalog(
  { config }: Pick<ProjectOptions, 'config'>,
  host: Host,
  kinds?: 'needed',
): Promise<Catalog> {
  if (kinds === undefined && !isTrusted(host)) return builtIn;
  if (config === undefined && (await findConfig(host.cwd)) === undefined) return builtIn;
  return (await openConfig(config === undefined ? {} : { config }, host)).catalog;
}
