import { describe, expect, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import { builtIn } from '#core/catalog.js';
import { ledgerSettings, namedLedger } from '#project/config/ledger-settings.js';
import type { Config } from '#project/config/load-config.js';

type Environments = Config['environments'];

const config = (
  ledger?: Config['ledger'],
  environments: Environments = { prod: { url: 'https://plm.example.com/v1' } },
) =>
  ({
    stack: 's',
    manifests: ['m'],
    environments,
    folder: '/p',
    path: '/p/sync.config.yaml',
    kinds: [],
    catalog: builtIn,
    ...(ledger === undefined ? {} : { ledger }),
  }) satisfies Config;

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof DexsyncError) return `${error.code}: ${error.message}`;
  }
  return 'none';
};

describe('the place of a ledger', () => {
  test.each<[string, Config['ledger'], object]>([
    ['files below .dexsync where nothing is said', undefined, { is: 'file', folder: '/p/.dexsync/ledger' }],
    ['files', { file: {} }, { is: 'file', folder: '/p/.dexsync/ledger' }],
    ['a folder of the project', { file: { folder: 'ledger' } }, { is: 'file', folder: '/p/ledger' }],
    ['a folder elsewhere', { file: { folder: '/srv/ledger' } }, { is: 'file', folder: '/srv/ledger' }],
    ['a branch', { git: {} }, { is: 'git', remote: 'origin', branch: 'dexsync-ledger' }],
    ['another branch', { git: { remote: 'up', branch: 'l' } }, { is: 'git', remote: 'up', branch: 'l' }],
    ['a database', 'postgres://sync@db/plm', { is: 'postgres', url: 'postgres://sync@db/plm' }],
    ['one of a variable', '${env.URL}', { is: 'postgres', url: 'postgresql://sync:pw@db/plm' }],
  ])('%s', (_, ledger, expected) => {
    expect(ledgerSettings(config(ledger), 'prod', { URL: 'postgresql://sync:pw@db/plm' })).toEqual(expected);
  });

  test('may be one for each environment, and a variable overrides both', () => {
    const own = config({ git: {} }, { prod: { url: 'https://x/v1', ledger: { file: {} } } });
    expect(ledgerSettings(own, 'prod', {})).toMatchObject({ is: 'file' });
    expect(ledgerSettings(own, 'prod', { DEXSYNC_PROD_LEDGER: 'postgres://a:b@c/d' })).toMatchObject({
      is: 'postgres',
    });
    expect(ledgerSettings(config({ git: {} }), 'prod', { DEXSYNC_PROD_LEDGER: 'file' })).toMatchObject({ is: 'file' });
  });

  test('is beside the data of an embedded workspace, unless its environment says otherwise', () => {
    const embedded = { local: { workspace: 'embedded' as const } };
    expect(ledgerSettings(config({ git: {} }, embedded), 'local', {})).toMatchObject({ is: 'file' });
    const own = { local: { workspace: 'embedded' as const, ledger: { git: {} } } };
    expect(ledgerSettings(config(undefined, own), 'local', {})).toMatchObject({ is: 'git' });
  });

  test.each<[string, Config['ledger'], string]>([
    [
      'a password',
      'postgres://sync:secret@db/plm',
      'CONFIG_INVALID: The password in `ledger` is in the configuration as plain text.',
    ],
    [
      'a token',
      { git: { remote: 'https://u:ghp_x@github.com/a/b' } },
      'CONFIG_INVALID: The password in `ledger` is in the configuration as plain text.',
    ],
    [
      'another database',
      'mysql://db/plm',
      'CONFIG_INVALID: `ledger` is neither a PostgreSQL URL nor a map with `git` or `file`.',
    ],
    ['nothing', {}, 'CONFIG_INVALID: `ledger` is empty.'],
    [
      'a branch that git refuses',
      { git: { branch: 'a..b' } },
      'CONFIG_INVALID: `ledger.git.branch` is not a valid branch name: "a..b".',
    ],
    [
      'a reference',
      { git: { branch: 'refs/heads/x' } },
      'CONFIG_INVALID: `ledger.git.branch` is not a valid branch name: "refs/heads/x".',
    ],
    [
      'a password in the query',
      'postgres://db/plm?password=secret',
      'CONFIG_INVALID: The password in `ledger` is in the configuration as plain text.',
    ],
    [
      'an invalid URL',
      'postgres://127.0.0.1/%zz',
      'CONFIG_INVALID: The URL of the PostgreSQL database in `ledger` is not valid.',
    ],
    [
      'a URL without a host',
      'postgres://',
      'CONFIG_INVALID: The URL of the PostgreSQL database in `ledger` is not valid.',
    ],
    ['two places', { git: {}, file: {} }, 'CONFIG_INVALID: `ledger` has both `git` and `file`.'],
    [
      'a variable that is not set',
      '${env.NOTHING}',
      'CREDENTIALS_MISSING: Environment "prod" needs the environment variable NOTHING, which is not set.',
    ],
  ])('refuses %s', (_, ledger, message) => {
    expect(codeOf(() => ledgerSettings(config(ledger), 'prod', {}))).toBe(message);
  });

  test('may have a password from a variable, which is not in the file', () => {
    const url = 'postgres://sync:${env.PW}@db/plm';
    expect(ledgerSettings(config(url), 'prod', { PW: 'x' })).toEqual({
      is: 'postgres',
      url: 'postgres://sync:x@db/plm',
    });
  });
});

test.each([
  ['file', { is: 'file', folder: '/p/.dexsync/ledger' }],
  ['file:old', { is: 'file', folder: '/p/old' }],
  ['git', { is: 'git', remote: 'origin', branch: 'dexsync-ledger' }],
  ['git:upstream', { is: 'git', remote: 'upstream', branch: 'dexsync-ledger' }],
  ['git:https://forge/a.git#old', { is: 'git', remote: 'https://forge/a.git', branch: 'old' }],
  ['git:#old', { is: 'git', remote: 'origin', branch: 'old' }],
  ['postgres://a@b/c', { is: 'postgres', url: 'postgres://a@b/c' }],
])('the place of a ledger as people read it: %s', (text, expected) => {
  expect(namedLedger(text, config(), 'prod', {})).toEqual(expected);
});
