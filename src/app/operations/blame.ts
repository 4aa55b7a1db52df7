import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { isRelated } from '#core/engine/diff.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { Json } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import type { Provenance } from '#core/model/provenance.js';
import type { Release } from '#core/model/release.js';
import { findRelease } from '#delivery/release/find-release.js';
import { readEntry } from '#ledger/history/history-entry.js';
import type { NumberedJournal } from '#ledger/ledger.js';
import { withJournals } from '#project/connection/environment-journals.js';
import { withReleases } from '#project/connection/releases-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { parsePlace } from '#project/parse-address.js';
import { openConfig } from '#project/project.js';

/** The object, and the field if only one is asked about. */
export interface BlameOptions extends ProjectOptions {
  /** `KIND/NAME` or `KIND/NAME#FIELD`. */
  readonly object: string;
}

/** Who set a field last. */
export interface FieldBlame {
  /** As in plans: `members[ann@example.com]`. */
  readonly field: string;
  /** What it was set to; absent if it was cleared. */
  readonly value?: Json;
  /** The apply, by its number in the history. */
  readonly apply: number;
  readonly at: string;
  /** Who applied it, and from which commit. */
  readonly by: Pick<ApplyFacts, 'actor' | 'git' | 'ci' | 'reason'> | null;
  /** Who made the plan, if it was saved before. */
  readonly planned?: NonNullable<ApplyFacts['planned']>['provenance'];
  /** Where its manifest began then: file and line. */
  readonly from?: string;
  /** The row of a list that it came from: `suppliers.csv, row 5`. */
  readonly row?: string;
  /** The release that was promoted. */
  readonly release?: string;
  /** The commit that was applied at the source of that release, if the ledger has it. */
  readonly source?: NonNullable<Provenance['git']>;
}

/** Who set each field of an object last, the newest first. */
export interface Blame {
  readonly environment: string;
  readonly address: Address;
  readonly fields: readonly FieldBlame[];
}

/**
 * Finds the applies that set the fields of an object, from the journals alone, through its renames. Sends no request.
 * Throws UNKNOWN_NAME if no apply changed the object or the field.
 */
export async function blame({ object, ...options }: BlameOptions, host: Host): Promise<Blame> {
  const config = await openConfig(options, host);
  const { address, field } = parsePlace(object, config.catalog);
  const found = await withJournals(config, options.environment, host, async ({ environment, journals }) => ({
    environment,
    address,
    fields: (await settingsOf(address, journals)).filter((one) => field === undefined || isRelated(field, one.field)),
  }));
  if (found.fields.length === 0) throw unknownField(object, found.environment);
  return withSources(found, options, host);
}

/** Goes back to the creation of an object, under the names that it had. A change of a field hides those before it. */
async function settingsOf(address: Address, journals: readonly NumberedJournal[]): Promise<FieldBlame[]> {
  const fields: FieldBlame[] = [];
  let now = address;
  for (const journal of journals.toReversed()) {
    const read = await readEntry(journal, now);
    const plan = read?.parsed.plan();
    const step = plan?.steps.find((one) => one.address === now);
    if (read?.entry.object?.outcome !== 'done' || plan === undefined || step === undefined) continue;
    const set = step.fields.filter(({ path }) => !fields.some((known) => isRelated(known.field, path)));
    const facts = setting(read.entry, plan, step);
    fields.push(...set.map(({ path, after }) => ({ field: path, ...omitUndefined({ value: after }), ...facts })));
    if (step.reason === 'renamed' && step.liveName !== undefined)
      now = addressOf(splitAddress(now).kind, step.liveName);
    if (step.action === 'create') break;
  }
  return fields;
}

type Entry = NonNullable<Awaited<ReturnType<typeof readEntry>>>['entry'];

function setting(
  { number, at, apply }: Entry,
  { promoted }: Plan,
  { origin }: Plan['steps'][number],
): Omit<FieldBlame, 'field' | 'value'> {
  const { actor, git, ci, reason, planned } = apply ?? {};
  const by = actor === undefined ? null : { actor, ...omitUndefined({ git, ci, reason }) };
  const from = promoted === undefined ? `${origin.file}:${origin.line}` : undefined;
  const { release } = promoted ?? {};
  return {
    apply: number,
    at: at ?? '',
    by,
    ...omitUndefined({ planned: planned?.provenance, from, row: origin.row, release }),
  };
}

/** Adds the commits of the releases that the ledger has. */
async function withSources(found: Blame, options: Omit<BlameOptions, 'object'>, host: Host): Promise<Blame> {
  const names = [...new Set(found.fields.flatMap(({ release }) => release ?? []))];
  if (names.length === 0) return found;
  const releases = await withReleases({ ...options, environment: found.environment }, host, ({ releases: all }) =>
    Promise.all(
      names.map((name) =>
        findRelease(name, all).catch((error: unknown): Release | undefined => {
          if (error instanceof DexsyncError && error.code === 'UNKNOWN_NAME') return undefined;
          throw error;
        }),
      ),
    ),
  );
  const commits = new Map(
    names.map((name, index) => [name, releases[index]?.applied?.by?.git ?? releases[index]?.by.git]),
  );
  const fields = found.fields.map((one) => ({ ...one, ...omitUndefined({ source: commits.get(one.release ?? '') }) }));
  return { ...found, fields };
}

const unknownField = (object: string, environment: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `No apply to environment "${environment}" that is recorded set ${object}.`, {
    hint: '`dexsync history --address KIND/NAME` lists the applies that changed an object; `dexsync describe` shows who changed it in the service.',
  });
