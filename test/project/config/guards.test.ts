import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findList } from '#data/bulk/find-list.js';
import { effectiveGuards } from '#project/config/guard-settings.js';
import { type Config, loadConfig } from '#project/config/load-config.js';

const HEAD = `stack: s
manifests: [m]
environments:
  local: { workspace: embedded }
  prod:
    url: https://plm.example.com
    production: true
    guards: { deletes: { percent: 5 }, maxRequests: 40 }
`;

async function load(rest: string) {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-config-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'sync.config.yaml'), HEAD + rest);
  const { config, diagnostics } = await loadConfig({ cwd: folder, findList }, undefined);
  const findings = diagnostics.map(({ severity, code, message, hint, origin }) =>
    [`${origin?.line}:${origin?.column} ${severity} ${code}`, message, ...(hint === undefined ? [] : [hint])].join(
      ' | ',
    ),
  );
  return { config: config as Config, findings };
}

test('each limit comes from the environment, else from the file, else from the defaults', async () => {
  const { config } = await load(
    'guards: { deletes: { count: 3, percent: 20 }, missingRows: { from: 0 }, importRows: 50, maxRequests: 90 }\n',
  );
  const missingRows = { percent: 30, from: 0 };
  const replacements = { percent: 30, from: 10 };
  expect(effectiveGuards(config, 'local')).toEqual({
    settings: {
      deletes: { count: 3, percent: 20, from: 10 },
      replacements,
      missingRows,
      importRows: 50,
      maxRequests: 90,
    },
    production: false,
    rules: [],
  });
  expect(effectiveGuards(config, 'prod')).toEqual({
    settings: {
      deletes: { count: 3, percent: 5, from: 10 },
      replacements,
      missingRows,
      importRows: 50,
      maxRequests: 40,
    },
    production: true,
    rules: [],
  });
});

test('the defaults', async () => {
  const { config, findings } = await load('guards: ~\nrules: []\n');
  expect(findings).toEqual([]);
  const cap = { percent: 30, from: 10 };
  expect(effectiveGuards(config, 'local').settings).toEqual({
    deletes: cap,
    replacements: cap,
    missingRows: cap,
    importRows: 1000,
  });
});

const rule = (over: string): string => `rules:
  - name: first
    when: step.action == "delete"
    effect: deny
    message: No.
${over}`;

test('a rule holds in all environments, or in those that it names', async () => {
  const { config, findings } = await load(
    rule(
      '    scope: ~\n  - { name: second, when: production, effect: warn, message: x, environments: [prod], scope: plan }\n',
    ),
  );
  expect(findings).toEqual([]);
  expect(effectiveGuards(config, 'local').rules).toMatchObject([{ name: 'first', scope: 'step', effect: 'deny' }]);
  expect(effectiveGuards(config, 'prod').rules).toMatchObject([{ name: 'first' }, { name: 'second', scope: 'plan' }]);
});

test('the chain of environments, with the gates of each', async () => {
  const { config, findings } = await load(
    'promotion: [local, { environment: prod, approvals: 2, gates: [{ name: soaked, when: "before.hotfixes == 0" }] }]\n',
  );
  expect(findings).toEqual([]);
  expect(config.chain).toMatchObject([
    { environment: 'local', gates: [] },
    { environment: 'prod', approvals: 2, gates: [{ name: 'soaked', message: 'before.hotfixes == 0' }] },
  ]);
  expect((await load('promotion: ~\n')).config.chain).toEqual([]);
  const ending = await load('fleets: { sites: {} }\npromotion: [local, { fleet: sites, approvals: 1 }]\n');
  expect(ending.config.chain).toEqual([
    { environment: 'local', gates: [] },
    { fleet: 'sites', approvals: 1, gates: [] },
  ]);
});

describe('findings, each at its place', () => {
  const cases: [promise: string, rest: string, expected: string[]][] = [
    [
      'all that is wrong with the chain at once',
      [
        'promotion:',
        '  - { environment: local, gates: [{ name: a, when: "true" }] }',
        '  - prd',
        '  - local',
        '  - { environment: prod, gates: [{ name: a, when: "true" }, { name: a, when: "befor.hotfixes == 0" }] }',
        '  - { environment: local, gates: [{ name: b, when: "release.nme == \\"a\\"" }] }\n',
      ].join('\n'),
      [
        '10:34 error chain-gates | "local" is the source of the chain, so nothing is promoted to it and its gates have no meaning. | Write them at the stage that they protect.',
        '11:5 error chain-environment | The chain has the environment "prd", which does not exist. | Did you mean "prod"?',
        '12:5 error chain-environment | The chain has the environment "local" twice. | Remove one of them.',
        '13:69 error gate-repeated | Two gates of one stage are named "a"; `--override` could not distinguish them. | Rename one of them.',
        '14:20 error chain-environment | The chain has the environment "local" twice. | Remove one of them.',
        '14:52 error rule-type | Gate "b": No such key: nme (character 9). | Did you mean "name"?',
      ],
    ],
    [
      'a fleet elsewhere than at the end of the chain, an unknown one, and a stage of both or of neither',
      [
        'fleets: { sites: {} }',
        'promotion:',
        '  - local',
        '  - { fleet: sites }',
        '  - { fleet: site }',
        '  - { environment: prod, fleet: sites }',
        '  - { approvals: 1 }\n',
      ].join('\n'),
      [
        '12:14 error chain-fleet | The chain has the fleet "sites" before other stages, but a fleet can only be its end. | Move it to the end.',
        '13:14 error chain-fleet | The chain has the fleet "site", which does not exist. | Did you mean "sites"?',
        '14:5 error chain-stage | A stage of the chain has an `environment` or a `fleet`, and not both. | Name one of them.',
        '15:5 error chain-stage | A stage of the chain has an `environment` or a `fleet`, and not both. | Name one of them.',
      ],
    ],
    [
      'a condition that cannot be read',
      rule('  - name: second\n    effect: deny\n    message: x\n    when: step.kind ==\n'),
      [
        '17:11 error rule-syntax | Rule "second": Unexpected token: EOF (character 13). | Conditions are written in CEL, such as: production && step.action == "delete".',
      ],
    ],
    [
      'all that is wrong with the rules at once',
      rule('  - { name: first, effect: warn, message: x, when: step.nme == "a", environments: [local, prd] }\n'),
      [
        '14:52 error rule-type | Rule "first": No such key: nme (character 6). | Did you mean "name"?',
        '14:13 error rule-repeated | Two rules are named "first"; their messages could not be distinguished. | Rename one of them.',
        '14:91 error rule-environment | Rule "first" applies to the environment "prd", which does not exist. | Did you mean "prod"?',
      ],
    ],
    [
      'an unknown effect',
      'rules: [{ name: a, when: "true", effect: block, message: x }]\n',
      [
        '9:42 error value-invalid | sync.config.yaml has an invalid value in "rules[0].effect": expected deny or warn, got "block".',
      ],
    ],
    [
      'a rule without message',
      'rules: [{ name: a, when: "true", effect: deny }]\n',
      ['9:9 error field-missing | sync.config.yaml needs the field "rules[0].message".'],
    ],
    [
      'shares over a hundred, and an invalid name',
      'guards: { deletes: { percent: 300 }, replacments: { count: 1 } }\n',
      [
        '9:38 error field-unknown | sync.config.yaml has no field "guards.replacments". | Did you mean "replacements"?',
        '9:31 error value-invalid | sync.config.yaml has an invalid value in "guards.deletes.percent": expected a number from 0 to 100, got 300.',
      ],
    ],
    [
      'a condition that YAML reads as no text',
      'rules: [{ name: a, when: true, effect: deny, message: x }]\n',
      [
        '9:26 error value-invalid | sync.config.yaml has an invalid value in "rules[0].when": expected text, got true. | YAML reads this as true or false; put it in quotes to make it text.',
      ],
    ],
  ];
  test.each(cases)('%s', async (_, rest, expected) => {
    expect((await load(rest)).findings).toEqual(expected);
  });
});
