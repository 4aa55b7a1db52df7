import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprintOf, readSshKey } from '#base/ssh/public-key.js';
import { isSignatureOf, readSshSignature } from '#base/ssh/ssh-signature.js';
import { wireStrings } from '#base/ssh/wire-reader.js';
import { IS_WHOLE } from '../../harness/sample.js';

const NAMESPACE = 'dexsync-review@v1';
const MESSAGE = '{"verdict":"approved","digest":"sha256:0123"}\n';

const folder = mkdtempSync(join(tmpdir(), 'ssh-'));
const at = (name: string): string => join(folder, name);

/** What OpenSSH says of a signature. */
function opensshAccepts(publicKey: string, signature: string, namespace = NAMESPACE, message = MESSAGE): boolean {
  writeFileSync(at('signers'), `ann@example.com ${publicKey}\n`);
  writeFileSync(at('signature'), signature);
  const args = ['-Y', 'verify', '-f', at('signers'), '-I', 'ann@example.com', '-n', namespace, '-s', at('signature')];
  return spawnSync('ssh-keygen', args, { input: message }).status === 0;
}

const accepts = (publicKey: string, signature: string, namespace = NAMESPACE, message = MESSAGE): boolean => {
  const read = readSshSignature(signature);
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  if (read === undefined) return false;
  return read.key.blob.equals(blob) && isSignatureOf(read, message, namespace);
};

interface Signer {
  readonly publicKey: string;
  readonly sign: (message: string, namespace: string) => string;
}

let keys = 0;

/** A key that `ssh-keygen` makes and signs with. */
function opensshSigner(...type: readonly string[]): Signer {
  keys += 1;
  const file = at(`key${keys}`);
  execFileSync('ssh-keygen', ['-q', '-t', ...type, '-N', '', '-C', '', '-f', file]);
  return {
    publicKey: readFileSync(`${file}.pub`, 'utf8').trim(),
    sign: (message, namespace) =>
      execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', file, '-n', namespace], {
        input: message,
        encoding: 'utf8',
      }),
  };
}

const armor = (blob: Buffer): string => {
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN SSH SIGNATURE-----\n${lines.join('\n')}\n-----END SSH SIGNATURE-----\n`;
};

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** A security device as OpenSSH describes it (PROTOCOL.u2f): it signs its application, flags and counter, too. */
function deviceSigner(
  type: 'sk-ssh-ed25519@openssh.com' | 'sk-ecdsa-sha2-nistp256@openssh.com',
  flags: number,
): Signer {
  const isEdwards = type.includes('ed25519');
  const { publicKey, privateKey } = isEdwards
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const material = isEdwards ? [Buffer.from(x, 'base64url')] : ['nistp256', point];
  const blob = wireStrings(type, ...material, 'ssh:');
  return {
    publicKey: `${type} ${blob.toString('base64')}`,
    sign(message, namespace) {
      const hash = createHash('sha512').update(message).digest();
      const signed = Buffer.concat([Buffer.from('SSHSIG'), wireStrings(namespace, '', 'sha512', hash)]);
      const state = Buffer.from([flags, 0, 0, 0, 7]);
      const data = Buffer.concat([sha256('ssh:'), state, sha256(signed)]);
      const signature = Buffer.concat([wireStrings(type, signatureBy(privateKey, data, isEdwards)), state]);
      const head = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1])]);
      return armor(Buffer.concat([head, wireStrings(blob, namespace, '', 'sha512', signature)]));
    },
  };
}

function signatureBy(key: KeyObject, data: Buffer, isEdwards: boolean): Buffer {
  if (isEdwards) return sign(null, data, key);
  const pair = sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
  return wireStrings(...[pair.subarray(0, 32), pair.subarray(32)].map(positive));
}

/** A number without leading zeros, and with one where it would look negative. */
function positive(number: Buffer): Buffer {
  const digits = number.subarray(number.findIndex((byte) => byte !== 0));
  return (digits[0] ?? 0) > 127 ? Buffer.concat([Buffer.alloc(1), digits]) : digits;
}

const SIGNERS: readonly (readonly [string, () => Signer])[] = [
  ['ed25519', () => opensshSigner('ed25519')],
  ['ECDSA', () => opensshSigner('ecdsa', '-b', '256')],
  ['RSA', () => opensshSigner('rsa', '-b', '2048')],
  ['ed25519 on a device', () => deviceSigner('sk-ssh-ed25519@openssh.com', 1)],
  ['ECDSA on a device', () => deviceSigner('sk-ecdsa-sha2-nistp256@openssh.com', 1)],
];

/** One mistake in the bytes of a signature. */
const mistake = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .record({
      where: fc.nat(bytes.length - 1),
      how: fc.oneof(
        fc.record({ flip: fc.nat(7) }),
        fc.record({ set: fc.nat(255) }),
        fc.record({ remove: fc.integer({ min: 1, max: 8 }) }),
        fc.record({ insert: fc.uint8Array({ minLength: 1, maxLength: 8 }) }),
        fc.constant({ cut: true }),
      ),
    })
    .map(({ where, how }) => {
      const [before, byte, after] = [bytes.subarray(0, where), bytes[where] ?? 0, bytes.subarray(where + 1)];
      if ('flip' in how) return Buffer.concat([before, Buffer.from([byte ^ (1 << how.flip)]), after]);
      if ('set' in how) return Buffer.concat([before, Buffer.from([how.set]), after]);
      if ('remove' in how) return Buffer.concat([before, bytes.subarray(where + how.remove)]);
      if ('insert' in how) return Buffer.concat([before, Buffer.from(how.insert), bytes.subarray(where)]);
      return before;
    });

const bytesOf = (signature: string): Buffer => Buffer.from(signature.split('\n').slice(1, -2).join(''), 'base64');

test.each(SIGNERS)('%s: what ssh-keygen accepts is accepted, for this message and namespace alone', (_, open) => {
  const { publicKey, sign: signWith } = open();
  const signature = signWith(MESSAGE, NAMESPACE);
  const cases = [
    [NAMESPACE, MESSAGE, true],
    ['file', MESSAGE, false],
    [NAMESPACE, `${MESSAGE} `, false],
  ] as const;
  for (const [namespace, message, expected] of cases) {
    expect(opensshAccepts(publicKey, signature, namespace, message)).toBe(expected);
    expect(accepts(publicKey, signature, namespace, message)).toBe(expected);
  }
  expect(accepts(publicKey, signature.replaceAll('\n', '\r\n'))).toBe(true);
});

test.each(SIGNERS)('%s: no signature with a mistake is accepted that ssh-keygen refuses', (_, open) => {
  const { publicKey, sign: signWith } = open();
  const bytes = bytesOf(signWith(MESSAGE, NAMESPACE));
  const found: string[] = [];
  fc.assert(
    fc.property(mistake(bytes), (mutated) => {
      const [ours, theirs] = [accepts(publicKey, armor(mutated)), opensshAccepts(publicKey, armor(mutated))];
      if (ours !== theirs && !mutated.equals(bytes)) found.push(`${ours} ${theirs} ${mutated.toString('hex')}`);
      return !ours || theirs;
    }),
    { numRuns: IS_WHOLE ? 1000 : 60 },
  );
  expect(found.filter((one) => !isEarlierVersion(one))).toEqual([]);
});

/** OpenSSH also takes the version 0, which nothing writes. */
const isEarlierVersion = (found: string): boolean =>
  found.startsWith(`false true ${Buffer.from('SSHSIG').toString('hex')}00000000`);

test('a device that nobody touched, a short RSA key, another curve and a certificate are refused', () => {
  const untouched = deviceSigner('sk-ssh-ed25519@openssh.com', 0);
  const signature = untouched.sign(MESSAGE, NAMESPACE);
  expect(accepts(untouched.publicKey, signature)).toBe(false);
  for (const type of [
    ['rsa', '-b', '1024'],
    ['ecdsa', '-b', '384'],
  ]) {
    const { publicKey, sign: signWith } = opensshSigner(...type);
    expect(accepts(publicKey, signWith(MESSAGE, NAMESPACE))).toBe(false);
  }
});

test('a fingerprint is the one that ssh-keygen prints', () => {
  const { publicKey } = opensshSigner('ed25519', '-b', '256');
  writeFileSync(at('one.pub'), publicKey);
  const printed = execFileSync('ssh-keygen', ['-l', '-f', at('one.pub')], { encoding: 'utf8' });
  const key = readSshKey(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'));
  expect(printed).toContain(key && fingerprintOf(key));
});
