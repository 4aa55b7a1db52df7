import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import type { Address } from '#core/model/address.js';
import { type Manifest, manifestAt } from '#core/model/document.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import { type Release, releaseName } from '#core/model/release.js';
import type { PromotionCriteria } from './promoted-objects.js';
import { type Source, type SourceRequest, sourceOfFacts } from './read-source.js';

/** Takes the objects to promote from a release: needs neither the workspace nor the ledger that it comes from. */
export function releaseSource(
  release: Release,
  { choosing, jobs }: Omit<SourceRequest, 'as'>,
  catalog: Catalog,
): Source {
  const { source: environment, workspace, as, content, stack } = release;
  const facts = new Map(
    content.objects.map(({ address, spec, protect }): [Address, ObjectFact] => [
      address,
      { stack, how: 'created', applied: spec, protect },
    ]),
  );
  const described = labelled(release, choosing);
  const found = sourceOfFacts({ ...choosing, described, facts, origin: choosing.origin }, jobs, catalog, environment);
  const known = new Map(
    content.objects.map(({ address, lineage, protect, labels }) => [
      address,
      { lineage, metadata: { protect, ...omitUndefined({ labels }) } },
    ]),
  );
  const lookupFacts = new Map(
    Object.entries(content.lookups).map(([key, names]) => [
      key,
      new Map(Object.entries(names).map(([name, one]) => [name.toLowerCase(), one])),
    ]),
  );
  return {
    ...found,
    ...{ as, environment, workspace: { name: workspace }, release: releaseName(release), requests: 0 },
    lineages: new Set(content.objects.map(({ lineage }) => lineage)),
    objects: found.objects.map((one) => ({ ...one, ...known.get(one.address) })),
    lookups: { lookupFacts },
  };
}

/** Selections by label go by the labels of the release, those by file by the manifests of the target. */
function labelled(
  { content }: Release,
  { described, origin }: Pick<PromotionCriteria, 'described' | 'origin'>,
): ReadonlyMap<Address, Manifest> {
  const released = content.objects.map(({ address, labels }): [Address, Manifest] => {
    const manifest = described.get(address) ?? manifestAt(origin, address, {});
    const { labels: _, ...metadata } = manifest.metadata;
    return [address, { ...manifest, metadata: { ...metadata, ...omitUndefined({ labels }) } }];
  });
  return new Map([...described, ...released]);
}
