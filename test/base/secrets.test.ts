import { describe, expect, test } from 'vitest';
import { openSecrets, redactChunks, redactError, redactPieces, secretsOfUrl } from '#base/secrets.js';
import { spellings } from '../harness/spellings.js';

const SECRETS = [
  'correct horse battery',
  'p&ss"w<r>d/+%_*',
  'Schlüssel-π-🔑-täglich',
  'back\\slash\ttab',
  '5f2c4e9a77b04c1d8a6e',
  `it's~`,
];
const knowing = (...secrets: string[]) => {
  const all = openSecrets();
  all.add(...secrets);
  return all;
};

describe('removing secrets', () => {
  test.each(SECRETS.flatMap((secret) => spellings(secret).map((spelling) => [secret, spelling])))(
    'removes %j from a text that holds it as %j',
    (secret, spelling) => {
      const text = knowing(secret).redact(`before ${spelling} after`);
      expect(text).toMatch(/^before \S*\[redacted\]\S* after$/);
      expect(text).not.toContain(spelling);
    },
  );

  test('finds a secret in a folded line', () => {
    expect(knowing('correct horse').redact('with correct\n    horse.')).toBe('with [redacted].');
  });

  test('leaves a text without a secret alone, and changes no value', () => {
    const secrets = knowing(...SECRETS);
    const value = { list: ['a', { b: 1, map: new Map([['a', SECRETS[0]]]) }], none: null };
    expect(secrets.redactValue(value)).toBe(value);
    expect(secrets.redactValue({ ...value, say: [SECRETS[0]] })).toEqual({ ...value, say: ['[redacted]'] });
    expect(secrets.redact('nothing of it')).toBe('nothing of it');
  });

  test('takes short secrets as whole words only, and ignores those of three characters or fewer', () => {
    expect(knowing('test', 'abc').redact('the latest test, abc, test1 test')).toBe(
      'the latest [redacted], abc, test1 [redacted]',
    );
  });

  test('removes each line of a key', () => {
    expect(knowing('-----BEGIN-----\nAbCdEf0123456789').redact('AbCdEf0123456789=')).toBe('[redacted]=');
  });

  test('knows the variables of dexsync and PostgreSQL', () => {
    const secrets = openSecrets({ DEXSYNC_PROD_PASSWORD: 'one-of-it', PGPASSWORD: 'two-of-it', OTHER: 'three-of-it' });
    expect(secrets.redact('one-of-it two-of-it three-of-it')).toBe('[redacted] [redacted] three-of-it');
  });

  test.each(SECRETS.flatMap((secret) => spellings(secret)).filter((_, index) => index % 3 === 0))(
    'finds %j at every split of the text',
    async (spelling) => {
      const secrets = knowing(...SECRETS);
      const text = `x ${spelling} y 🔑 ${'z'.repeat(900)}`;
      const whole = secrets.redact(text);
      for (let at = 0; at < text.length - 900; at += 1) {
        const given = [text.slice(0, at), text.slice(at)];
        expect(await joined(redactPieces(iterable(given), secrets))).toBe(whole);
      }
    },
  );

  test('keeps bytes that are not text, and removes secrets beside them', async () => {
    const secrets = knowing(...SECRETS);
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    const chunks: Buffer[] = [];
    const given = [
      bytes,
      Buffer.from(SECRETS[2] as string).subarray(0, 7),
      Buffer.from(SECRETS[2] as string).subarray(7),
    ];
    for await (const chunk of redactChunks(iterable(given), secrets)) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(Buffer.concat([bytes, Buffer.from('[redacted]')]));
  });

  test('covers message, hint and causes of errors', () => {
    const error = Object.assign(new Error('said correct horse', { cause: new Error('correct horse too') }), {
      hint: 'Change correct horse.',
    });
    redactError(error, knowing('correct horse'));
    expect([error.message, error.hint, (error.cause as Error).message]).toEqual([
      'said [redacted]',
      'Change [redacted].',
      '[redacted] too',
    ]);
    expect(error.stack).not.toContain('correct horse');
  });

  test('refuses to record a secret, and names its place', () => {
    const record = JSON.stringify({ address: 'UserGroup/Quality', fields: { description: 'a correct horse' } });
    expect(() => knowing('correct horse').refuse(record, 'The journal')).toThrow(
      'The journal would contain a password, token or key of dexsync in "description" of UserGroup/Quality.',
    );
    expect(() => knowing('correct horse').refuse('another', 'The journal')).not.toThrow();
  });

  test.each([
    ['postgres://sync:s%40cret@db/ledger', ['s%40cret', 's@cret']],
    ['postgres://sync@db/ledger?password=s3cret', ['s3cret', 's3cret']],
    ['https://ghp_token@example.com/team/project.git', ['ghp_token', 'ghp_token']],
    ['ssh://git@example.com/team/project.git', []],
    ['git@example.com:team/project.git', []],
    ['origin', []],
  ])('finds in %s the secret %j', (url, held) => {
    expect(secretsOfUrl(url)).toEqual(held);
  });
});

async function* iterable<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
