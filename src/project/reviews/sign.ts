import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { printableText } from '#base/printable.js';
import { readSshKey, type SshKey } from '#base/ssh/public-key.js';
import type { Host } from '../host.js';

/** A key that `ssh-keygen` may sign with: on disk, in an agent or on a security key. */
export interface SigningKey {
  readonly key: SshKey;
  /** A line such as `ssh-ed25519 AAAA… ann@laptop`. */
  readonly line: string;
  /** The file of the private key, or of the public one if an agent has the other; absent for a key of the agent. */
  readonly file?: string;
}

/** The variable that names the key of a reviewer. */
const REVIEW_KEY = 'DEXSYNC_REVIEW_KEY';

/**
 * Finds the keys that this person may sign with: the named one alone, or that of `git config user.signingKey`, those of the
 * agent, and those in ~/.ssh. Throws USAGE for a named key that cannot be read.
 */
export async function findSigningKeys(named: string | undefined, host: Host): Promise<readonly SigningKey[]> {
  const given = named ?? (host.variables[REVIEW_KEY] || undefined);
  if (given !== undefined) return [await readSigningKey(given, host)];
  const [ofGit, ofAgent, onDisk] = await Promise.all([gitKey(host), agentKeys(host), diskKeys(host)]);
  return [...ofGit, ...ofAgent, ...onDisk];
}

/** Reads a key by its file. Throws USAGE. */
export async function readSigningKey(file: string, { cwd }: Pick<Host, 'cwd'>): Promise<SigningKey> {
  const found = await keyAt(resolve(cwd, file));
  if (found !== undefined) return found;
  throw new DexsyncError(
    'USAGE',
    `${printableText(file)} is no SSH key that can sign, or its public key is not beside it.`,
    {
      hint: `Name a file such as ~/.ssh/id_ed25519, with ${printableText(file)}.pub beside it: ed25519, ECDSA P-256, RSA of at least 2048 bits, or a security key.`,
    },
  );
}

/** A key by the file of its private or public part. */
async function keyAt(file: string): Promise<SigningKey | undefined> {
  const path = file.replace(/\.pub$/, '');
  const line = await readFile(`${path}.pub`, 'utf8').catch(() => '');
  const key = keyIn(line);
  return key && { key, line: line.trim(), file: (await isReadable(path)) ? path : `${path}.pub` };
}

const isReadable = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );

function keyIn(line: string): SshKey | undefined {
  const [type, base64 = ''] = line.trim().split(/\s+/);
  const key = readSshKey(Buffer.from(base64, 'base64'));
  return key?.type === type ? key : undefined;
}

async function gitKey(host: Host): Promise<readonly SigningKey[]> {
  const config = async (name: string): Promise<string> =>
    (await run('git', ['-C', host.cwd, 'config', '--get', name], host).catch(() => '')).trim();
  const named = await config('user.signingkey');
  if (named === '') return [];
  if (/^(key::|ssh-|ecdsa-|sk-)/.test(named)) return keysIn(named.replace(/^key::/, ''));
  const found = await keyAt(named.replace(/^~(?=\/)/, homeOf(host)));
  return found === undefined ? [] : [found];
}

const agentKeys = async (host: Host): Promise<readonly SigningKey[]> =>
  host.variables.SSH_AUTH_SOCK ? keysIn(await run('ssh-add', ['-L'], host).catch(() => '')) : [];

const keysIn = (text: string): SigningKey[] =>
  text.split('\n').flatMap((line) => {
    const key = keyIn(line);
    return key === undefined ? [] : [{ key, line: line.trim() }];
  });

async function diskKeys(host: Host): Promise<readonly SigningKey[]> {
  const folder = join(homeOf(host), '.ssh');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.pub')).sort();
  const found = await Promise.all(names.map((name) => keyAt(join(folder, name))));
  return found.filter((one) => one !== undefined);
}

const homeOf = ({ variables }: Pick<Host, 'variables'>): string => variables.HOME || homedir();

/** Signs a text with `ssh-keygen`, which asks for a passphrase or a touch at the terminal. Throws USAGE if it fails. */
export async function signWith(
  { line, file }: SigningKey,
  text: string,
  namespace: string,
  host: Host,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-sign-'));
  try {
    const key = file ?? join(folder, 'key.pub');
    if (file === undefined) await writeFile(key, `${line}\n`);
    return await run('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', namespace], host, text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a program of OpenSSH, or git, and returns its output. Throws USAGE with what it says if it fails. */
function run(program: string, args: readonly string[], { variables, signal }: Host, input = ''): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { env: { ...variables }, signal, windowsHide: true });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => void out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => void err.push(chunk));
    child.on('error', (cause) => fail(failed(program, 'it cannot be run on this machine', cause)));
    child.on('close', (code) => {
      if (code === 0) return done(Buffer.concat(out).toString('utf8'));
      const said = Buffer.concat(err)
        .toString('utf8')
        .trim()
        .split('\n')
        .filter((line) => line !== '');
      return fail(failed(program, printableText(said.join(' ')) || `it ended with ${code}`));
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

const failed = (program: string, why: string, cause?: Error): DexsyncError =>
  new DexsyncError('USAGE', `\`${program}\` made no signature: ${why}.`, {
    hint:
      cause === undefined
        ? `Where nobody can be asked for a passphrase, add the key to an agent with \`ssh-add\`; \`--key FILE\` or ${REVIEW_KEY} names another key.`
        : 'Install OpenSSH 8.2 or later.',
    cause,
  });
