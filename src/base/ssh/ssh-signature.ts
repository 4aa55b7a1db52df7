import { createHash, verify } from 'node:crypto';
import { readSshKey, type SshKey, type SshKeyType } from './public-key.js';
import { WireReader, wireStrings } from './wire-reader.js';

/** A signature as `ssh-keygen -Y sign` writes it (OpenSSH, PROTOCOL.sshsig). */
export interface SshSignature {
  readonly key: SshKey;
  /** The purpose of the signature, so that it proves nothing else. */
  readonly namespace: string;
  readonly hash: string;
  readonly signature: Buffer;
}

const ARMOR = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----\n?$/;
const MAGIC = 'SSHSIG';
const VERSION = 1;
const HASHES = ['sha256', 'sha512'];

/** Reads the text of a signature; undefined if it is damaged, or by a key of another type. */
export function readSshSignature(text: string): SshSignature | undefined {
  const [, base64] = ARMOR.exec(text.replaceAll('\r\n', '\n')) ?? [];
  if (base64 === undefined) return undefined;
  try {
    const reader = new WireReader(Buffer.from(base64, 'base64'));
    if (reader.take(MAGIC.length).toString('latin1') !== MAGIC || reader.number() !== VERSION) return undefined;
    const key = readSshKey(reader.bytes());
    const namespace = reader.text();
    // What is reserved is left out of the message that is verified.
    if (reader.bytes().length > 0) return undefined;
    const [hash, signature] = [reader.text(), reader.bytes()];
    return key !== undefined && HASHES.includes(hash) && reader.isAtEnd
      ? { key, namespace, hash, signature }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a signature is one of this message by its key, made for this namespace. */
export function isSignatureOf(
  { key, namespace, hash, signature }: SshSignature,
  message: string,
  wanted: string,
): boolean {
  if (namespace !== wanted) return false;
  const digest = createHash(hash).update(message).digest();
  const signed = Buffer.concat([Buffer.from(MAGIC), wireStrings(namespace, '', hash, digest)]);
  try {
    const reader = new WireReader(signature);
    const algorithm = reader.text();
    return VERIFIERS[key.type](reader, { key, algorithm, signed });
  } catch {
    return false;
  }
}

interface Verifying {
  readonly key: SshKey;
  readonly algorithm: string;
  readonly signed: Buffer;
}

type Verifier = (reader: WireReader, verifying: Verifying) => boolean;

const ed25519: Verifier = (reader, { key, signed }) => {
  const signature = reader.bytes();
  return reader.isAtEnd && verify(null, signed, key.key, signature);
};

/** The two numbers of a signature, as node:crypto takes them: 32 bytes each. */
function pairOf(blob: Buffer): Buffer {
  const reader = new WireReader(blob);
  const numbers = [reader.bytes(), reader.bytes()].map((number) => {
    const digits = number[0] === 0 ? number.subarray(1) : number;
    if (digits.length > 32 || (number[0] ?? 0) > 127) throw new RangeError('The number is not one of P-256.');
    return Buffer.concat([Buffer.alloc(32 - digits.length), digits]);
  });
  if (!reader.isAtEnd) throw new RangeError('More follows the two numbers.');
  return Buffer.concat(numbers);
}

const ecdsa: Verifier = (reader, { key, signed }) => {
  const signature = pairOf(reader.bytes());
  return reader.isAtEnd && verify('sha256', signed, { key: key.key, dsaEncoding: 'ieee-p1363' }, signature);
};

const RSA_HASHES: Readonly<Record<string, string>> = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' };

const rsa: Verifier = (reader, { key, algorithm, signed }) => {
  const hash = RSA_HASHES[algorithm];
  const signature = reader.bytes();
  return hash !== undefined && reader.isAtEnd && verify(hash, signed, key.key, signature);
};

const sameAlgorithm =
  (verifier: Verifier): Verifier =>
  (reader, verifying) =>
    verifying.algorithm === verifying.key.type && verifier(reader, verifying);

/** The flag of a device that somebody touched it. */
const TOUCHED = 1;

/** A security device signs its purpose, its flags and its counter beside the message. */
const onDevice =
  (verifier: Verifier): Verifier =>
  (reader, verifying) => {
    const { key, signed } = verifying;
    const signature = reader.bytes();
    const state = reader.take(5);
    if (!reader.isAtEnd || ((state[0] ?? 0) & TOUCHED) === 0) return false;
    const [application, message] = [key.application ?? '', signed].map((one) =>
      createHash('sha256').update(one).digest(),
    );
    const bySigner = Buffer.concat([application as Buffer, state, message as Buffer]);
    return verifier(new WireReader(wireStrings(signature)), { ...verifying, signed: bySigner });
  };

const VERIFIERS: Readonly<Record<SshKeyType, Verifier>> = {
  'ssh-ed25519': sameAlgorithm(ed25519),
  'ecdsa-sha2-nistp256': sameAlgorithm(ecdsa),
  'ssh-rsa': rsa,
  'sk-ssh-ed25519@openssh.com': sameAlgorithm(onDevice(ed25519)),
  'sk-ecdsa-sha2-nistp256@openssh.com': sameAlgorithm(onDevice(ecdsa)),
};
