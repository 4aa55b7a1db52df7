import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { link } from '#core/engine/link.js';
import { parseYaml } from '#core/manifest/parse.js';
import { validateManifests } from '#core/manifest/validate.js';

/** Findings as `line:column severity code | message | hint`, those of links included. */
function findings(text: string): string[] {
  const { documents } = parseYaml(text, 'm.yaml');
  const { manifests, diagnostics } = validateManifests(documents, builtIn);
  const linked = link(manifests, (kind) => builtIn.manifestTypeNamed(kind)?.schema ?? {});
  return [...diagnostics, ...linked.diagnostics].map(({ origin, severity, code, message, hint }) =>
    [`${origin?.line}:${origin?.column} ${severity} ${code}`, message, ...(hint === undefined ? [] : [hint])].join(
      ' | ',
    ),
  );
}

const document = (kind: string, name: string, metadata: string, spec = '{}'): string =>
  `apiVersion: dexsync/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${metadata.replaceAll(/^/gm, '  ')}\nspec: ${spec}\n---\n`;

const group = (metadata: string, name = 'Quality'): string => document('UserGroup', name, metadata);
const definition = (metadata: string): string =>
  document('ImportDefinition', 'Specs', metadata, '{ resource: ITEM_SPECS, mode: EDIT }');
const job = (metadata: string): string =>
  document('Import', 'Parts', metadata, '{ definition: Specs, source: { file: a.csv } }');

describe('metadata.ignore', () => {
  test.each<[what: string, text: string, expected: string[]]>([
    ['fields of the kind', group('ignore: [description, members]'), []],
    [
      'fields of an object, and a list of it as a whole',
      definition('ignore: [options.removeValue, options.mapping]'),
      [],
    ],
    ['a field that a new object must have', definition('ignore: [resource]'), []],
    ['nothing, for a job', job('ignore: []'), []],
    ['null', group('ignore: null'), []],
    [
      'an unknown field, at its line',
      group('ignore:\n  - members\n  - descripton'),
      [
        '7:7 error ignore-unknown | UserGroup/Quality ignores "descripton", which is not a field. | Did you mean "description"?',
      ],
    ],
    [
      'an unknown field of an object',
      definition('ignore: [options.removeValu]'),
      [
        '5:12 error ignore-unknown | ImportDefinition/Specs ignores "options.removeValu", which is not a field. | Did you mean "options.removeValue"?',
      ],
    ],
    [
      'a field that every object of the program has',
      group('ignore: [constructor]'),
      [
        '5:12 error ignore-unknown | UserGroup/Quality ignores "constructor", which is not a field. | Known: "description", "enabled", "assignability", "members".',
      ],
    ],
    [
      'a field inside a list',
      definition('ignore: [options.mapping.sourceName]'),
      [
        '5:12 error ignore-unknown | ImportDefinition/Specs ignores "options.mapping.sourceName", but "options.mapping" has no fields of its own to ignore. | Write "options.mapping".',
      ],
    ],
    [
      'an entry of a list',
      group('ignore: ["members[ann@example.com]"]'),
      [
        '5:12 error ignore-unknown | UserGroup/Quality ignores "members[ann@example.com]", which is not a field. | Known: "description", "enabled", "assignability", "members".',
      ],
    ],
    [
      'a dot too many',
      group('ignore: [description., .description]'),
      [
        '5:12 error ignore-unknown | UserGroup/Quality ignores "description.", but "description" has no fields of its own to ignore. | Write "description".',
        '5:26 error ignore-unknown | UserGroup/Quality ignores ".description", which is not a field. | Known: "description", "enabled", "assignability", "members".',
      ],
    ],
    [
      'a job',
      job('ignore: [source.file]'),
      [
        '5:3 error ignore-once | Import/Parts has `ignore`, but it is applied once and not compared later. | Remove `ignore`.',
      ],
    ],
    [
      'a reservation, which happens once',
      document('NumberReservation', 'R', 'ignore: [quantity]', '{ category: A, quantity: 1 }'),
      [
        '5:3 error ignore-once | NumberReservation/R has `ignore`, but it is applied once and not compared later. | Remove `ignore`.',
      ],
    ],
    [
      'a step that happens once has nothing to manage later',
      job('manage: full'),
      [
        '5:3 error manage-once | Import/Parts has `manage`, but it is applied once and not compared later. | Remove `manage`.',
      ],
    ],
    [
      'one field twice, and something other than a text',
      group('ignore: [description, description, 3]'),
      [
        '5:11 error value-invalid | UserGroup/Quality has an invalid value in "metadata.ignore": entries 1 and 2 are the same.',
        '5:38 error value-invalid | UserGroup/Quality has an invalid value in "metadata.ignore[2]": expected text, got 3. | YAML reads this as a number; put it in quotes to make it text.',
      ].sort(),
    ],
  ])('%s', (_, text, expected) => {
    expect(findings(text).sort()).toEqual(expected);
  });
});

describe('metadata.renamedFrom', () => {
  test.each<[what: string, text: string, expected: string[]]>([
    ['a former name', group('renamedFrom: QA'), []],
    ['null', group('renamedFrom: null') + group('renamedFrom: null', 'Other'), []],
    ['the same former name in two kinds', group('renamedFrom: QA') + definition('renamedFrom: QA'), []],
    [
      'its own name',
      group('protect: true\nrenamedFrom: Quality'),
      [
        '6:16 error rename-conflict | UserGroup/Quality has `renamedFrom: Quality`, which is its own name. | Give the former name, or remove `renamedFrom`.',
      ],
    ],
    [
      'an object that another manifest describes',
      group('renamedFrom: QA') + group('protect: true', 'QA'),
      [
        '5:16 error rename-conflict | UserGroup/Quality has `renamedFrom: QA`, but another manifest describes UserGroup/QA. | Remove `renamedFrom` if the rename was already applied, or remove the manifest of UserGroup/QA if it is renamed now.',
      ],
    ],
    [
      'a former name of another manifest too',
      group('renamedFrom: QA') + group('protect: true\nrenamedFrom: QA', 'Approvers'),
      [
        '13:16 error rename-conflict | UserGroup/Approvers has `renamedFrom: QA`, and so does UserGroup/Quality. | Keep `renamedFrom` in the manifest that continues the object, and remove it from the other.',
      ],
    ],
    [
      'a job',
      job('renamedFrom: Items'),
      [
        "5:16 error rename-job | Import/Parts has `renamedFrom: Items`, but an Import creates no named object. | Remove `renamedFrom`: imported rows are recognised by their content, not by the manifest's name.",
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(findings(text)).toEqual(expected);
  });
});

test('half a character in a present or former name is a mistake; a whole one is fine', () => {
  expect(findings(group('renamedFrom: "B\\uDE00"', '"A\\uD83D"'))).toEqual([
    expect.stringMatching(
      /^4:9 error name-not-text \| "UserGroup\/A\\ud83d" has half a character \(a lone surrogate\) in its name\. \| /,
    ),
    expect.stringMatching(
      /^5:16 error name-not-text \| .* has half a character \(a lone surrogate\) in its renamedFrom\. \| /,
    ),
  ]);
  expect(findings(group('', '"A\\uD83D\\uDE00"'))).toEqual([]);
});
