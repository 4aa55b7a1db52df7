import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { principalsOf, readAllowedSigners } from '#base/ssh/allowed-signers.js';
import { readSshKey, type SshKey } from '#base/ssh/public-key.js';
import { IS_WHOLE } from '../../harness/sample.js';

const NAMESPACE = 'dexsync-review@v1';
const folder = mkdtempSync(join(tmpdir(), 'signers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const keys = ['one', 'two'].map((name) => {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
  const line = readFileSync(`${file}.pub`, 'utf8').trim();
  const args = ['-q', '-Y', 'sign', '-f', file, '-n', NAMESPACE];
  writeFileSync(`${file}.sig`, execFileSync('ssh-keygen', args, { input: 'text' }));
  return { file, line, key: readSshKey(Buffer.from(line.split(' ')[1] ?? '', 'base64')) as SshKey };
});

/** Whether OpenSSH accepts a signature as that of a name, at a time such as 20261130120000Z. */
function opensshAccepts(signers: string, name: string, { file }: { readonly file: string }, at: string): boolean {
  writeFileSync(join(folder, 'signers'), signers);
  const args = ['-Y', 'verify', '-f', join(folder, 'signers'), '-I', name, '-n', NAMESPACE, '-s', `${file}.sig`];
  return spawnSync('ssh-keygen', [...args, '-O', `verify-time=${at}`], { input: 'text' }).status === 0;
}

const NAMES = ['ann@example.com', 'bob@example.com', 'eve'];
const TIMES = ['20260101Z', '20260701120000Z', '202612310000Z', '20270101Z'];

const option = fc.oneof(
  fc.constantFrom(...TIMES).map((time) => `valid-after="${time}"`),
  fc.constantFrom(...TIMES).map((time) => `valid-before="${time}"`),
  fc.constantFrom('namespaces="dexsync-review@v1"', 'namespaces="git"', 'namespaces="git,dexsync-review@v1"'),
);

const line = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 }),
    options: fc.uniqueArray(option, { maxLength: 3, selector: (text) => text.split('=')[0] }),
    key: fc.constantFrom(...keys),
    comment: fc.constantFrom('', ' a comment', '  # no comment'),
  })
  .map(({ names, options, key, comment }) =>
    [names.join(','), options.join(','), key.line + comment].filter((part) => part !== '').join(' '),
  );

test('who may sign, and when, is what OpenSSH reads in the same file', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), fc.constantFrom(...TIMES), (lines, at) => {
      const text = `# signers\n\n${lines.join('\n')}\n`;
      const { signers, problems } = readAllowedSigners(text);
      // OpenSSH leaves out such a line; a file with one is refused here.
      if (problems.some(({ message }) => message.startsWith('valid-after is not before'))) return;
      expect(problems).toEqual([]);
      const [, y, m, d, h = '00', min = '00'] = /^(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?/.exec(at) ?? [];
      const asked = { namespace: NAMESPACE, at: Date.parse(`${y}-${m}-${d}T${h}:${min}:00Z`) };
      for (const key of keys)
        for (const name of NAMES)
          expect(principalsOf(key.key, asked, signers).includes(name), `${name} at ${at} in\n${text}`).toBe(
            opensshAccepts(text, name, key, at),
          );
    }),
    { seed: 43, numRuns: IS_WHOLE ? 300 : 25 },
  );
});

test.each([
  ['*@example.com KEY', '"*@example.com" is a pattern, and each signer needs a name'],
  ['ann,!bob KEY', '"!bob" is a pattern, and each signer needs a name'],
  ['ann,,bob KEY', 'a name is empty'],
  ['ann cert-authority KEY', 'the option cert-authority is not supported'],
  ['ann valid-before="20260101" KEY', 'valid-before is not a time such as 20270131Z or 202701312359Z: "20260101"'],
  ['ann valid-before="20261301Z" KEY', 'valid-before is not a time such as 20270131Z or 202701312359Z: "20261301Z"'],
  ['ann valid-after="20260101Z",valid-before="20260101Z" KEY', 'valid-after is not before valid-before'],
  ['ann ssh-ed25519 AAAA', 'the key is damaged or of a type that is not supported: ssh-ed25519'],
  ['ann ssh-dss AAAAB3NzaC1kc3MAAACBAP1', 'the key is damaged or of a type that is not supported: ssh-dss'],
  ['ann', 'it needs names, perhaps options, the type of a key and the key'],
])('a line that could mean more than it says is refused: %s', (written, message) => {
  const text = `ann@example.com ${keys[0]?.line}\n${written.replace('KEY', keys[0]?.line ?? '')}\n`;
  const { signers, problems } = readAllowedSigners(text);
  expect(problems).toEqual([{ line: 2, message }]);
  expect(signers).toHaveLength(1);
});
