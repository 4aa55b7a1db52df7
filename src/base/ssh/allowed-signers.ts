import { readSshKey, type SshKey } from './public-key.js';

/** A line of a file of allowed signers: who may sign what, with which key, and when. */
export interface AllowedSigner {
  /** Names, such as addresses of people; no patterns. */
  readonly principals: readonly string[];
  readonly key: SshKey;
  /** Absent: for any. */
  readonly namespaces?: readonly string[];
  /** In milliseconds since 1970; both are times at which it may sign. */
  readonly validAfter?: number;
  readonly validBefore?: number;
}

/** A line that cannot be used, and why, for the end of a sentence. */
export interface SignerProblem {
  readonly line: number;
  readonly message: string;
}

/**
 * Reads a file in the format of ssh-keygen(1), "ALLOWED SIGNERS". It decides who may change production, so it is read
 * strictly: patterns of names, certificates and times without a time zone are problems.
 */
export function readAllowedSigners(text: string): {
  readonly signers: readonly AllowedSigner[];
  readonly problems: readonly SignerProblem[];
} {
  const signers: AllowedSigner[] = [];
  const problems: SignerProblem[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const found = readLine(line.trim());
    if (typeof found === 'string') problems.push({ line: index + 1, message: found });
    else signers.push(found);
  }
  return { signers, problems };
}

const LINE =
  /^(?<principals>"[^"]*"|\S+)\s+(?:(?<options>(?:[^\s"]|"[^"]*")*[=,](?:[^\s"]|"[^"]*")*|cert-authority)\s+)?(?<type>\S+)\s+(?<key>[A-Za-z0-9+/]+=*)(?:\s.*)?$/;

function readLine(line: string): AllowedSigner | string {
  const groups = LINE.exec(line)?.groups;
  if (groups === undefined) return 'it needs names, perhaps options, the type of a key and the key';
  const { principals = '', options = '', type = '', key: base64 = '' } = groups;
  const names = principals.replaceAll('"', '').split(',');
  const odd = names.find((name) => name === '' || /[*?!]/.test(name));
  if (odd !== undefined) return odd === '' ? 'a name is empty' : `"${odd}" is a pattern, and each signer needs a name`;
  const key = readSshKey(Buffer.from(base64, 'base64'));
  if (key === undefined || key.type !== type) return `the key is damaged or of a type that is not supported: ${type}`;
  const read = readOptions(options);
  return typeof read === 'string' ? read : { principals: names, key, ...read };
}

type Options = Omit<AllowedSigner, 'principals' | 'key'>;

function readOptions(text: string): Options | string {
  let options: Options = {};
  for (const [, option = '', quoted, bare] of text.matchAll(/([^,="]+)(?:=(?:"([^"]*)"|([^,"]*)))?(?:,|$)/g)) {
    const value = quoted ?? bare ?? '';
    if (option === 'namespaces') options = { ...options, namespaces: value.split(',') };
    else if (option === 'valid-after' || option === 'valid-before') {
      const time = timeIn(value);
      if (time === undefined) return `${option} is not a time such as 20270131Z or 202701312359Z: "${value}"`;
      options = { ...options, ...(option === 'valid-after' ? { validAfter: time } : { validBefore: time }) };
    } else return `the option ${option} is not supported`;
  }
  const { validAfter = 0, validBefore = Number.POSITIVE_INFINITY } = options;
  return validAfter < validBefore ? options : 'valid-after is not before valid-before';
}

/** `YYYYMMDDZ` or `YYYYMMDDHHMM[SS]Z`. */
function timeIn(text: string): number | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?Z$/.exec(text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** The names under which a key may sign at a time, in whole seconds. A key may be in several lines. */
export const principalsOf = (
  { blob }: Pick<SshKey, 'blob'>,
  { namespace, at }: { readonly namespace: string; readonly at: number },
  signers: readonly AllowedSigner[],
): readonly string[] =>
  signers.flatMap(({ key, namespaces, validAfter = at, validBefore = Number.POSITIVE_INFINITY, principals }) =>
    key.blob.equals(blob) &&
    (namespaces?.includes(namespace) ?? true) &&
    validAfter <= at &&
    at - (at % 1000) <= validBefore
      ? principals
      : [],
  );
