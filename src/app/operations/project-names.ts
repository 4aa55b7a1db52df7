import { naturalOrder } from '#base/natural-order.js';
import { builtIn } from '#core/catalog.js';
import { addressIn } from '#core/manifest/overlay.js';
import { plansShelf } from '#ledger/document-store.js';
import { fileDocuments } from '#ledger/file/file-documents.js';
import { environmentPlace } from '#project/config/environment.js';
import { ledgerSettings } from '#project/config/ledger-settings.js';
import { type Config, loadConfig } from '#project/config/load-config.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { readDocuments } from '#project/read-documents.js';

/** The kinds of names that can be listed. */
export type NameCategory = 'environments' | 'addresses' | 'plans';

/**
 * Lists names to complete a command line with, from the project's files alone: checks, sends, locks and writes nothing,
 * and returns no names if something cannot be read. `plans`: those of a ledger in files.
 */
export async function projectNames(
  what: NameCategory,
  options: ProjectOptions,
  host: Host,
): Promise<readonly string[]> {
  try {
    const { config } = await loadConfig(host, options.config);
    return config === undefined ? [] : await READERS[what]({ ...config, catalog: builtIn }, options, host);
  } catch {
    return [];
  }
}

const READERS: Readonly<
  Record<NameCategory, (config: Config, options: ProjectOptions, host: Host) => Promise<readonly string[]>>
> = {
  environments: async ({ environments }) => Object.keys(environments),
  addresses: async (config, options, host) => {
    const { documents } = await readDocuments(config, options, host);
    return [...new Set(documents.flatMap((document) => addressIn(document) ?? []))].sort(naturalOrder);
  },
  plans: async (config, { environment }, { variables }) => {
    const settings = ledgerSettings(config, environment, variables);
    if (settings.is !== 'file') return [];
    const { name } = environmentPlace(config, environment, variables);
    return fileDocuments(settings.folder, plansShelf(config.stack, name)).names();
  },
};
