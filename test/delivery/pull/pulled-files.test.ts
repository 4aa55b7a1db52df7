import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { formatYaml } from '#core/manifest/format.js';
import { addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import { EditedFiles } from '#delivery/pull/edited-files.js';
import { pulledFiles } from '#delivery/pull/pulled-files.js';
import type { LiveManifest } from '#project/live/describe-live.js';
import { scaled } from '../../harness/sample.js';

const NEW = { folder: 'manifests', layout: 'kind', schema: 'schema.json' } as const;

/** Texts as people and other programs leave them in a workspace. */
const text = fc.oneof(
  fc.constantFrom(
    'a: b',
    '# no',
    "it's",
    '1',
    '- x',
    'two\n\n\nlines \n',
    ' \n',
    '---\n',
    'é\u2028',
    '\ttab',
    '%x',
    '&a',
  ),
  fc.string({ minLength: 1 }),
);
const entry = fc.record({ sourceName: text, inResponse: fc.boolean(), apiName: text, resource: fc.constant('ITEM') });
const spec = fc.record({
  options: fc.record({ mapping: fc.array(entry), removeValue: text }),
  mode: text,
  resource: text,
});
const reason = fc.constantFrom(undefined, 'another object has this name', 'its name has a control character');

const live = fc
  .record({ name: text, spec, unwritable: reason, number: fc.nat(9), note: fc.option(text) })
  .map(({ name, spec: whole, unwritable, number, note }): LiveManifest => {
    const [kind, held] = ['ImportDefinition', { path: 'options.timeZone', value: note }];
    const finding = { severity: 'warning', code: 'x', message: 'Not named.', hint: 'Name it.' } as const;
    const json = whole as unknown as JsonObject;
    return {
      ...{ address: addressOf(kind, name), kind, name, number, whole: json, lean: json, leftOut: [], findings: [] },
      doubtful: [],
      heldBack: note === null ? [] : [{ ...held, value: note, finding }],
      ...(unwritable === undefined ? {} : { unwritable }),
      live: { name, spec: json, identity: `${kind}/${number}` as LiveIdentity },
    };
  });

const inForm = (written: string): void => expect(formatYaml(written, 'a.yaml', builtIn)).toEqual({ text: written });

describe('pull writes the form of `fmt`', () => {
  test('to a new file with objects of any kind; and a second pull finds there what it left as comments', () => {
    fc.assert(
      fc.property(fc.array(live, { minLength: 1, maxLength: 4 }), (objects) => {
        const [file] = pulledFiles(objects, new EditedFiles(new Map()), NEW, builtIn);
        inForm(file?.after ?? '');
        const again = new EditedFiles(new Map([[file?.file ?? '', file?.after ?? '']]));
        const unwritable = objects.filter((one) => one.unwritable !== undefined);
        expect(pulledFiles(unwritable, again, NEW, builtIn)).toEqual([]);
      }),
      { numRuns: scaled(1000, 30) },
    );
  });

  test('to a file that had that form, also with added documents', () => {
    const before = 'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: A }\n';
    fc.assert(
      fc.property(live, (object) => {
        const files = new EditedFiles(new Map([['manifests/import-definitions.yaml', before]]));
        const [file] = pulledFiles([object], files, NEW, builtIn);
        inForm(file?.after ?? '');
      }),
      { numRuns: scaled(300, 20) },
    );
  });

  test('but not to a file without it: the rest stays as it is written', () => {
    const before = 'kind: UserGroup\napiVersion:   dexsync/v1\nmetadata: { name: A }\n';
    fc.assert(
      fc.property(live, (object) => {
        const files = new EditedFiles(new Map([['manifests/import-definitions.yaml', before]]));
        expect(pulledFiles([object], files, NEW, builtIn)[0]?.after.startsWith(before)).toBe(true);
      }),
      { numRuns: scaled(100, 10) },
    );
  });
});
