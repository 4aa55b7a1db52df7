import { hash } from 'node:crypto';
import { omitUndefined } from '#base/omit-undefined.js';
import type { SshKey } from '#base/ssh/public-key.js';
import { isSignatureOf, readSshSignature } from '#base/ssh/ssh-signature.js';
import { jsonIn } from '../model/json.js';
import { type SignedVerdict, type Statement, statementSchema } from '../model/verdict.js';
import { hasShape } from '../shape.js';
import { namespaceOf } from './statement.js';

/** A verdict after its signature was verified; nothing is said yet of who may sign. */
export interface OpenedVerdict {
  readonly statement: Statement;
  readonly key: SshKey;
  readonly digest: string;
  readonly signed: SignedVerdict;
  /** Why it cannot be an approval, for the end of a sentence: a verdict before it is gone. */
  readonly problem?: string;
  /** Why it is nothing where it was found, for the end of a sentence. */
  readonly misplaced?: string;
}

/** A verdict that is worth nothing, and why, for the end of a sentence. */
export interface DamagedVerdict {
  readonly digest: string;
  readonly signed: SignedVerdict;
  readonly damage: string;
}

export type Verdict = OpenedVerdict | DamagedVerdict;

/** The digest that the next verdict names. */
export const verdictDigest = ({ statement, signature }: SignedVerdict): string =>
  `sha256:${hash('sha256', JSON.stringify([statement, signature]))}`;

/** Verifies the verdicts that one document has, and that none before them is missing. */
export function openVerdicts(all: readonly SignedVerdict[]): Verdict[] {
  const known = new Set(all.map(verdictDigest));
  return all.map((signed) => {
    const opened = openVerdict(signed);
    if ('damage' in opened) return opened;
    const { before } = opened.statement;
    const isMissing = before !== undefined && !known.has(before);
    return {
      ...opened,
      ...omitUndefined({ problem: isMissing ? 'a verdict that was given before it is missing' : undefined }),
    };
  });
}

/** Verifies the signature of a verdict. */
export function openVerdict(signed: SignedVerdict): Verdict {
  const digest = verdictDigest(signed);
  const statement = jsonIn(signed.statement);
  if (!hasShape(statementSchema, statement)) return { digest, signed, damage: 'its statement cannot be read' };
  const read = statement as unknown as Statement;
  const signature = readSshSignature(signed.signature);
  if (signature === undefined)
    return { digest, signed, damage: 'its signature cannot be read, or is by a key of another type' };
  if (!isSignatureOf(signature, signed.statement, namespaceOf(read)))
    return { digest, signed, damage: 'it was changed after it was signed' };
  return { digest, signed, statement: read, key: signature.key };
}
