import type { ClosedGate } from '#core/engine/gates.js';
import { releaseKeyOf, releaseName } from '#core/model/release.js';
import { judgeNewest } from '#delivery/release/chain.js';
import { fedStage, type Judged } from '#delivery/release/fed-stage.js';
import type { Promotion } from '#delivery/release/promotions.js';
import type { DocumentStore } from '#ledger/document-store.js';
import { type ReleaseKey, readRelease } from '#ledger/stored-release.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';

/** A release in an environment. */
export interface PromotedRelease extends Omit<Promotion, 'at' | 'partial'> {
  /** Number of its objects; null if the ledger no longer has it. */
  readonly objects: number | null;
  /** Newer releases of its source. */
  readonly behind: number;
}

/** A release on its way along the chain. */
export interface NextRelease {
  readonly name: string;
  readonly closed: readonly ClosedGate[];
}

/** Compares a promotion with the releases of its source. */
export async function releaseOf(
  { at: _, partial: __, ...promotion }: Promotion,
  all: readonly ReleaseKey[],
  releases: DocumentStore,
): Promise<PromotedRelease> {
  const { source, number } = releaseKeyOf(promotion.name) ?? { source: '', number: 0 };
  const keys = all.filter((key) => key.source === source);
  const key = keys.find((one) => one.number === number);
  const objects = key === undefined ? null : (await readRelease(releases, key)).content.objects.length;
  return { ...promotion, objects, behind: keys.filter((one) => one.number > number).length };
}

/** The newest release for an environment that is a stage itself. */
export async function nextRelease(
  environment: string,
  config: Config,
  releases: DocumentStore,
  host: Host,
): Promise<NextRelease | null> {
  const isStage = config.chain?.some((stage) => stage.environment === environment) === true;
  const stage = isStage ? await fedStage(config, environment, host.clock()) : undefined;
  if (stage === undefined) return null;
  return nextOf((await judgeNewest(stage, { config, releases, host })).get(environment));
}

/** A release as it was judged for a stage. */
export const nextOf = (judged: Judged | undefined): NextRelease | null =>
  judged === undefined ? null : { name: releaseName(judged.release), closed: judged.closed };
