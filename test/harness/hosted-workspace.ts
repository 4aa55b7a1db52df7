import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ready } from '../../src/workspace/serve.js';

export type { Ready };

/** An embedded workspace in the process that serves all those of this worker. */
export interface HostedWorkspace extends Ready {
  /** What it complained of so far. */
  readonly stderr: () => string;
  /** Ends requests and runs, and closes the database; a temporary one is gone then. */
  stop(): Promise<void>;
}

interface Message {
  readonly id: number;
  readonly ready?: Ready;
  readonly closed?: true;
  readonly log?: string;
  readonly error?: string;
}

interface Host {
  readonly process: ChildProcess;
  readonly answers: Map<number, (message: Message) => void>;
}

const PROGRAM = fileURLToPath(new URL('./workspace-host.mjs', import.meta.url));

let host: Host | undefined;
let count = 0;

/** Opens a workspace with the flags of `dexsync workspace serve`; without `--db` it is a fresh one. */
export async function openHosted(...flags: readonly string[]): Promise<HostedWorkspace> {
  host ??= startHost();
  const own = host;
  count += 1;
  const id = count;
  let complaints = '';
  const ask = (question: object): Promise<Message> =>
    new Promise((done, failed) => {
      own.answers.set(id, (message) => {
        if (message.log !== undefined) complaints += `${message.log}\n`;
        else if (message.error !== undefined) failed(new Error(message.error));
        else done(message);
      });
      own.process.send({ id, ...question });
    });
  const { ready } = await ask({ open: flags });
  const stop = async (): Promise<void> => {
    await ask({ close: true });
    own.answers.delete(id);
  };
  return { ...(ready as Ready), stderr: () => complaints, stop };
}

function startHost(): Host {
  const child = spawn(process.execPath, ['--max-semi-space-size=64', PROGRAM], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // It ends with this worker, which must not wait for it.
  child.unref();
  child.channel?.unref();
  const answers: Host['answers'] = new Map();
  child.on('message', (message) => answers.get((message as Message).id)?.(message as Message));
  child.once('exit', () => {
    host = undefined;
    for (const [id, answer] of answers) answer({ id, error: 'The process that serves workspaces ended.' });
  });
  return { process: child, answers };
}
