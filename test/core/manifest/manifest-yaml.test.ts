import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interpolate } from '#core/manifest/interpolate.js';
import { manifestYaml } from '#core/manifest/manifest-yaml.js';
import { parseYaml } from '#core/manifest/parse.js';
import type { JsonObject } from '#core/model/json.js';

test('a written manifest is read back unchanged, with texts of any kind', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('${var.x}', '$${', 'null', '007', '- a', '# b', '1e3', 'a: b', ' '),
  );
  const spec = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(text, fc.array(text), fc.integer(), fc.boolean()),
  );
  fc.assert(
    fc.property(text, spec, fc.constantFrom('blocks', 'lines'), (name, value, texts) => {
      const written = { kind: 'UserGroup', metadata: { name }, spec: { ...value } as JsonObject };
      const { documents } = interpolate(parseYaml(manifestYaml(written, texts), 'm.yaml').documents, {});
      expect(documents.map((document) => document.value)).toEqual([{ apiVersion: 'dexsync/v1', ...written }]);
    }),
  );
});
