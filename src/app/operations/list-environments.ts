import type { LedgerSection } from '#project/config/config-schema.js';
import { decidedName } from '#project/config/environment-settings.js';
import type { Config } from '#project/config/load-config.js';
import { readOverrides } from '#project/config/override-key.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** An environment as the configuration and the process's variables describe it, without contacting it. */
export interface ListedEnvironment {
  readonly name: string;
  /** Whether a command without `--env` uses it. */
  readonly default: boolean;
  /** `embedded`, or the URL of a service; null if neither is set. */
  readonly workspace: string | null;
  readonly profile: string;
  readonly production: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** `files`, `git` or `postgresql`. */
  readonly ledger: string;
  readonly overlay: string | null;
  /** Files and folders of its own manifests. */
  readonly manifests: readonly string[];
  /** Names of its own variables. */
  readonly variables: readonly string[];
}

/** Lists the environments in the order of the configuration. Contacts none, and needs no credentials. */
export async function listEnvironments(options: ProjectOptions, host: Host): Promise<readonly ListedEnvironment[]> {
  const config = await openConfig(options, host);
  const used = decidedName(options.environment, host.variables) ?? config.defaultEnvironment;
  return Object.entries(config.environments).map(([name, settings]) => {
    const override = readOverrides(name, host.variables);
    const url = override('URL') ?? settings.url;
    const { profile, production = false, labels = {}, overlay, manifests, variables } = settings;
    return {
      name,
      default: name === used,
      workspace: url ?? settings.workspace ?? null,
      profile: override('PROFILE') ?? profile ?? 'reference',
      production,
      labels,
      ledger: ledgerOf(override('LEDGER') ?? settings.ledger ?? (url === undefined ? undefined : config.ledger)),
      overlay: overlay ?? null,
      manifests: manifests ?? [],
      variables: Object.keys(variables ?? {}),
    };
  });
}

function ledgerOf(section: Config['ledger']): string {
  if (typeof section === 'string') return section === 'file' ? 'files' : 'postgresql';
  return (section as Exclude<LedgerSection, string> | undefined)?.git == null ? 'files' : 'git';
}
