import { describe, expect, test } from 'vitest';
import type { DexsyncError } from '#base/errors.js';
import { builtIn } from '#core/catalog.js';
import { resolveEnvironment } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { readPassword } from '#project/config/password.js';

const config: Config = {
  kinds: [],
  catalog: builtIn,
  folder: '/p',
  path: '/p/sync.config.yaml',
  stack: 's',
  manifests: ['m'],
  defaultEnvironment: 'local',
  environments: {
    local: { workspace: 'embedded' },
    'pre-prod': {
      url: 'https://plm.example.com/v1',
      production: true,
      credentials: { email: '${env.PLM_EMAIL}', passwordCommand: 'printf "s3cret\\nmore"', workspaceId: 77 },
    },
    open: { url: 'https://plm.example.com', credentials: { email: 'a@b', password: 'secret' } },
    readers: {
      url: 'https://plm.example.com',
      credentials: { email: 'a@b', password: '${env.WRITER}', workspaceId: 5 },
      readCredentials: { email: 'r@b', password: '${env.READER}' },
    },
    halfReaders: { url: 'https://plm.example.com', readCredentials: { password: '${env.READER}' } },
    undecided: {
      url: 'https://plm.example.com',
      credentials: { email: 'a@b', password: '${env.WRITER}' },
      readCredentials: { email: 'r@b', password: '${env.READER}' },
    },
    empty: {},
    nobody: { url: 'https://plm.example.com' },
    guest: { url: 'https://plm.example.com', credentials: { email: 'a@b' } },
  },
};

const said = (chosen: string | undefined, variables: Record<string, string>): string => {
  try {
    return JSON.stringify(resolveEnvironment(config, chosen, variables));
  } catch (error) {
    const { code, message, hint, exitCode } = error as DexsyncError;
    return `${code} ${exitCode} | ${message} | ${hint}`;
  }
};

describe('choosing an environment', () => {
  const cases: [promise: string, chosen: string | undefined, variables: Record<string, string>, expected: string][] = [
    [
      'the default of the configuration',
      undefined,
      {},
      '{"name":"local","service":"embedded/local.db","workspace":"embedded","database":"/p/.dexsync/local.db","profile":"reference"}',
    ],
    [
      'the variable before the default',
      undefined,
      { DEXSYNC_ENV: 'empty' },
      'CONFIG_INVALID 3 | Environment "empty" has neither a `url` nor `workspace: embedded`. | Set `environments.empty.url` in /p/sync.config.yaml.',
    ],
    [
      'the option before the variable',
      'local',
      { DEXSYNC_ENV: 'empty' },
      '{"name":"local","service":"embedded/local.db","workspace":"embedded","database":"/p/.dexsync/local.db","profile":"reference"}',
    ],
    [
      'an unknown one, with the nearest',
      'lokal',
      {},
      'UNKNOWN_NAME 3 | The configuration has no environment "lokal". | Did you mean "local"?',
    ],
    [
      'a URL instead of a name',
      'https://plm.example.com/v1',
      {},
      'UNKNOWN_NAME 3 | The configuration has no environment "https://plm.example.com/v1". | Add the URL as an environment in sync.config.yaml, and give its name.',
    ],
    [
      'not the embedded one by default where CI is set',
      undefined,
      { CI: 'true' },
      'ENVIRONMENT_NOT_CHOSEN 3 | CI is set and no environment was chosen; the default "local" is an embedded workspace, and a pipeline must name its environment. | Choose one with `--env` or DEXSYNC_ENV (`--env local` for this one).',
    ],
    [
      'nor a URL where it is the default',
      undefined,
      { CI: '1', DEXSYNC_LOCAL_URL: 'https://me:secret@plm.example.com/v1' },
      'ENVIRONMENT_NOT_CHOSEN 3 | CI is set and no environment was chosen; the default "local" is plm.example.com, and a pipeline must name its environment. | Choose one with `--env` or DEXSYNC_ENV (`--env local` for this one).',
    ],
    [
      'the embedded one in CI where it is chosen',
      'local',
      { CI: 'true' },
      '{"name":"local","service":"embedded/local.db","workspace":"embedded","database":"/p/.dexsync/local.db","profile":"reference"}',
    ],
    [
      'variables filled in, a password command kept as command',
      'pre-prod',
      { PLM_EMAIL: 'ann@example.com' },
      '{"name":"pre-prod","service":"plm.example.com","url":"https://plm.example.com/v1","workspace":"remote","profile":"reference","production":true,"email":"ann@example.com","password":{"command":"printf \\"s3cret\\\\nmore\\"","from":"`environments.pre-prod.credentials.passwordCommand`"},"workspaceId":"77"}',
    ],
    [
      'everything overridden',
      'pre-prod',
      {
        DEXSYNC_PRE_PROD_URL: 'https://other',
        DEXSYNC_PRE_PROD_PROFILE: 'arena',
        DEXSYNC_PRE_PROD_EMAIL: 'bo@example.com',
        DEXSYNC_PRE_PROD_PASSWORD: 'p',
        DEXSYNC_PRE_PROD_WORKSPACE_ID: '88',
      },
      '{"name":"pre-prod","service":"other","url":"https://other","workspace":"remote","profile":"arena","production":true,"email":"bo@example.com","password":{"value":"p","from":"the variable DEXSYNC_PRE_PROD_PASSWORD"},"workspaceId":"88"}',
    ],
    [
      'an unset variable',
      'pre-prod',
      {},
      'CREDENTIALS_MISSING 3 | Environment "pre-prod" needs the environment variable PLM_EMAIL, which is not set. | Set PLM_EMAIL, or choose another environment with `--env`.',
    ],
    [
      'a password as plain text in the file',
      'open',
      {},
      'CONFIG_INVALID 3 | The password of environment "open" is in the configuration as plain text. | Write `password: "${env.PLM_PASSWORD}"`, or use `passwordCommand`. Change that password: the file may have been committed.',
    ],
    [
      'no e-mail address',
      'nobody',
      {},
      'CREDENTIALS_MISSING 3 | Environment "nobody" has no email in `credentials`. | Set DEXSYNC_NOBODY_EMAIL, or `environments.nobody.credentials.email` in the configuration.',
    ],
    [
      'no password',
      'guest',
      {},
      'CREDENTIALS_MISSING 3 | Environment "guest" has no password in `credentials`. | Set DEXSYNC_GUEST_PASSWORD, or `environments.guest.credentials.passwordCommand` in the configuration.',
    ],
  ];
  test.each(cases)('%s', (_, chosen, variables, expected) => {
    expect(said(chosen, variables)).toBe(expected);
  });

  test('without a default and a choice', () => {
    const { defaultEnvironment: _, ...rest } = config;
    expect(() => resolveEnvironment(rest, undefined, {})).toThrow(
      'No environment was chosen, and the configuration has no `defaultEnvironment`.',
    );
  });
});

describe('the password of a command', () => {
  const remote = (command: string) => {
    const found = resolveEnvironment(config, 'pre-prod', { PLM_EMAIL: 'a@b' });
    if (found.workspace !== 'remote') throw new Error('not remote');
    return readPassword(
      { ...found, password: { command, from: 'a command' } },
      { signal: new AbortController().signal, onWait: () => undefined, variables: {} },
    );
  };
  test('is read from its first line', async () => {
    expect(await remote('printf "s3cret\\nmore"')).toBe('s3cret');
  });
  test('is not part of the message about its failure', async () => {
    await expect(remote('echo s3cret >&2; exit 4')).rejects.toThrow(
      'The `passwordCommand` of environment "pre-prod" ended with exit code 4.',
    );
  });
  test('must not be empty', async () => {
    await expect(remote('true')).rejects.toThrow('The `passwordCommand` of environment "pre-prod" printed nothing.');
  });
});

describe('credentials for reading', () => {
  const login = (loginFor: 'read' | 'write', variables: Record<string, string>) => {
    const found = resolveEnvironment(config, 'readers', variables, loginFor);
    return found.workspace === 'remote' ? [found.email, found.password, found.workspaceId] : [];
  };

  test('are used by commands that read, and needed by no other; the workspace is the same', () => {
    expect(login('read', { READER: 'r' })).toEqual(['r@b', { value: 'r', from: 'the variable READER' }, '5']);
    expect(login('write', { WRITER: 'w' })).toEqual(['a@b', { value: 'w', from: 'the variable WRITER' }, '5']);
  });

  test('are not overridden by variables, which override the login for writing', () => {
    const over = {
      READER: 'r',
      DEXSYNC_READERS_EMAIL: 'x@b',
      DEXSYNC_READERS_PASSWORD: 'x',
      DEXSYNC_READERS_WORKSPACE_ID: '6',
    };
    expect(login('read', over)).toEqual(['r@b', { value: 'r', from: 'the variable READER' }, '6']);
    expect(login('write', over)).toEqual(['x@b', { value: 'x', from: 'the variable DEXSYNC_READERS_PASSWORD' }, '6']);
  });

  test('need a workspace id, since otherwise both may lead to different workspaces', () => {
    expect(() => resolveEnvironment(config, 'undecided', { READER: 'r' }, 'read')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        hint: 'Set `environments.undecided.credentials.workspaceId`: two users may log in to different workspaces.',
      }),
    );
    expect(resolveEnvironment(config, 'undecided', { WRITER: 'w' })).toMatchObject({ email: 'a@b' });
  });

  test('are named where they are missing', () => {
    expect(() => resolveEnvironment(config, 'halfReaders', { READER: 'r' }, 'read')).toThrow(
      expect.objectContaining({
        code: 'CREDENTIALS_MISSING',
        message: 'Environment "halfReaders" has no email in `readCredentials`.',
        hint: 'Set `environments.halfReaders.readCredentials.email` in the configuration.',
      }),
    );
  });
});
