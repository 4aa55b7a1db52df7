import type { Diagnostic } from '#base/diagnostics.js';
import { listTextReferences, type Reference } from '#core/engine/references.js';
import { isLikelyGuid } from '#core/model/attribute-reference.js';
import type { Manifest } from '#core/model/document.js';
import { isDocumentedField } from '#core/model/known-fields.js';
import type { Identities } from '#service/identities.js';

/** Finds GUIDs of attributes in place of field names: texts that are listed and that are not documented fields. */
export const guidsInManifests = (
  manifests: readonly Manifest[],
  schemaOf: (kind: string) => object,
  identities: Pick<Identities, 'nameOf'>,
): Diagnostic[] =>
  manifests.flatMap(({ kind, address, spec, origins }) =>
    listTextReferences(schemaOf(kind), spec).flatMap((reference): Diagnostic[] => {
      const { kind: type, name: text, partition, pointer } = reference;
      const name = isDocumentedField(text) ? undefined : identities.nameOf(type, text, partition);
      if (name === undefined) return [];
      const message = `${address} has "${text}", which is the GUID of ${type}/${name}.`;
      const hint = `Write \`attribute: ${name}\`; dexsync finds the GUID.`;
      return [{ severity: 'error', code: 'guid-in-manifest', message, hint, origin: origins.value(`/spec${pointer}`) }];
    }),
  );

/** Returns texts that look like such GUIDs: the lists that confirm them have to be read. */
export const likelyGuids = (manifests: readonly Manifest[], schemaOf: (kind: string) => object): Reference[] =>
  manifests.flatMap(({ kind, spec }) =>
    listTextReferences(schemaOf(kind), spec).filter(({ name }) => isLikelyGuid(name)),
  );
