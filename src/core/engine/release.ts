import { inNaturalOrder } from '#base/natural-order.js';
import { splitAddress } from '../model/address.js';
import type { JsonObject } from '../model/json.js';
import type { FieldChange } from '../model/plan.js';
import type { Release, ReleaseChange, ReleaseContent, ReleasedObject } from '../model/release.js';
import { diffSpec } from './diff.js';
import { baseOf } from './field-base.js';
import { digest } from './normal-form.js';

/** The digest of what a release brings: two releases with the same one are the same. */
export const releaseDigest = ({ objects, imports }: ReleaseContent): string =>
  digest({
    objects: objects.map(({ labels: _, ...one }) => one as JsonObject),
    imports: imports.map(({ address, digest: content }) => ({ address, digest: content })),
  });

/** What became of an object between two releases, with the fields that differ. */
export type ObjectChange = ReleaseChange & { readonly fields: readonly FieldChange[] };

/** Compares two releases by lineage, which renames and replacements continue; without `before`, all is created. */
export function releaseChanges(
  before: Pick<Release, 'content'> | undefined,
  { content }: Pick<Release, 'content'>,
  schemaOf: (kind: string) => object,
): ObjectChange[] {
  const old = new Map((before?.content.objects ?? []).map((one) => [one.lineage, one]));
  const kept = new Set(content.objects.map(({ lineage }) => lineage));
  const now = content.objects.flatMap((one) => changesOf(old.get(one.lineage), one, schemaOf));
  const gone = [...old.values()]
    .filter(({ lineage }) => !kept.has(lineage))
    .map(({ address }): ObjectChange => ({ address, is: 'deleted', fields: [] }));
  return inNaturalOrder([...now, ...gone], ({ address }) => address);
}

function changesOf(
  before: ReleasedObject | undefined,
  after: ReleasedObject,
  schemaOf: (kind: string) => object,
): ObjectChange[] {
  const { address } = after;
  const schema = schemaOf(splitAddress(address).kind);
  const fields = differences(schema, before, after);
  if (before === undefined) return [{ address, is: 'created', fields }];
  if (before.address !== address) return [{ address, is: 'renamed', from: before.address, fields }];
  return fields.length === 0 ? [] : [{ address, is: 'changed', fields }];
}

/** Compares whole objects, whichever of their fields manifests name. */
function differences(schema: object, before: ReleasedObject | undefined, after: ReleasedObject): FieldChange[] {
  const [was, is] = [before, after].map((one) =>
    one === undefined ? {} : baseOf(schema, { applied: one.spec, observed: one.unnamed }),
  ) as [JsonObject, JsonObject];
  const left = Object.keys(was).filter((field) => !(field in is));
  const fields = diffSpec(schema, { ...Object.fromEntries(left.map((field) => [field, null])), ...is }, was);
  const protectedBefore = before?.protect ?? false;
  if (protectedBefore === after.protect) return fields;
  return [...fields, { path: 'metadata.protect', before: protectedBefore, after: after.protect }];
}
