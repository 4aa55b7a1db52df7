import { DexsyncError } from '#base/errors.js';
import { importJob } from '#core/jobs/import.js';
import { addressOf } from '#core/model/address.js';
import type { Config } from '#project/config/load-config.js';
import { withJournals } from '#project/connection/environment-journals.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { type FoundImport, knownImports } from './known-imports.js';

/** Finds the import that `run` means: the number of a run, or the name, whose newest import counts. */
export const findImport = async (
  config: Config,
  options: ProjectOptions & { readonly run: string },
  host: Host,
): Promise<FoundImport> => (await findAmongImports(config, options, host)).found;

/** Finds the import that `run` means, and returns it with all known imports, newest first. */
export async function findAmongImports(
  config: Config,
  { run, environment: chosen }: ProjectOptions & { readonly run: string },
  host: Host,
): Promise<{ readonly found: FoundImport; readonly known: readonly FoundImport[] }> {
  return withJournals(config, chosen, host, async ({ environment, journals }) => {
    const known = await knownImports(journals);
    return { found: importNamed(known, run, environment), known };
  });
}

function importNamed(known: readonly FoundImport[], text: string, environment: string): FoundImport {
  const number = /^#?(\d+)$/.exec(text)?.[1];
  const matching =
    number === undefined
      ? known.filter(({ address }) => [text, addressOf(importJob.name, text)].includes(address)).slice(0, 1)
      : known.filter(({ runs }) => runs.includes(Number(number)));
  const [found, ...others] = matching;
  if (found === undefined) {
    const newest = known.flatMap(({ runs }) => runs.slice(0, 1)).slice(0, 5);
    throw new DexsyncError('UNKNOWN_NAME', `No import in environment "${environment}" has a run "${text}".`, {
      hint:
        newest.length === 0
          ? 'This project has not sent any imports yet.'
          : `The newest are ${newest.map((one) => `#${one}`).join(', ')}; \`dexsync import list\` shows all.`,
    });
  }
  if (others.length === 0) return found;
  const names = matching.map(({ address, at }) => `${address} of ${at.slice(0, 16).replace('T', ' ')}`).join(', ');
  throw new DexsyncError('AMBIGUOUS_NAME', `${matching.length} imports have a run #${number}: ${names}.`, {
    hint: "Give the import's name instead of its run.",
  });
}
