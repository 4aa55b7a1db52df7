import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { WireReader } from './wire-reader.js';

/** A public key of SSH. Two keys are one if their blobs are equal. */
export interface SshKey {
  readonly type: SshKeyType;
  readonly blob: Buffer;
  readonly key: KeyObject;
  /** For a key on a security device: its purpose, which the device signs too. */
  readonly application?: Buffer;
}

/** The types of keys whose signatures are verified. */
export type SshKeyType = keyof typeof READERS;

/** An RSA key of fewer bits can be broken. */
const LEAST_RSA_BITS = 2048;

const okp = (x: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') }, format: 'jwk' });

/** An uncompressed point: 4, then both coordinates. */
function point(bytes: Buffer): KeyObject {
  if (bytes.length !== 65 || bytes[0] !== 4) throw new RangeError('The point of the key is not written out.');
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((one) => one.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, format: 'jwk' });
}

function curve(reader: WireReader): KeyObject {
  if (reader.text() !== 'nistp256') throw new RangeError('The key is not on the curve P-256.');
  return point(reader.bytes());
}

function rsa(reader: WireReader): KeyObject {
  const [e, n] = [reader.bytes(), reader.bytes()].map((one) => one.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'RSA', e: e as string, n: n as string }, format: 'jwk' });
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_RSA_BITS)
    throw new RangeError('The RSA key is too short.');
  return key;
}

/** How the rest of a blob is read after its type. */
const READERS = {
  'ssh-ed25519': (reader: WireReader) => ({ key: okp(reader.bytes()) }),
  'ecdsa-sha2-nistp256': (reader: WireReader) => ({ key: curve(reader) }),
  'ssh-rsa': (reader: WireReader) => ({ key: rsa(reader) }),
  'sk-ssh-ed25519@openssh.com': (reader: WireReader) => ({ key: okp(reader.bytes()), application: reader.bytes() }),
  'sk-ecdsa-sha2-nistp256@openssh.com': (reader: WireReader) => ({ key: curve(reader), application: reader.bytes() }),
} as const;

/** Reads the blob of a public key; undefined if it is none of these types, or damaged. */
export function readSshKey(blob: Buffer): SshKey | undefined {
  try {
    const reader = new WireReader(blob);
    const type = reader.text();
    if (!Object.hasOwn(READERS, type)) return undefined;
    const read: Pick<SshKey, 'key' | 'application'> = READERS[type as SshKeyType](reader);
    return reader.isAtEnd ? { type: type as SshKeyType, blob, ...read } : undefined;
  } catch {
    return undefined;
  }
}

/** As `ssh-keygen -l` prints it. */
export const fingerprintOf = ({ blob }: Pick<SshKey, 'blob'>): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`;
