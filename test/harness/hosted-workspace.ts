import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OnStrike, Strike } from '#emulator/faults/armed-faults.js';
import type { FaultFile } from '#emulator/faults/fault-file.js';
import type { RuleReport } from '#emulator/faults/rule.js';
import type { Ready } from '#emulator/serve.js';

export type { FaultFile, OnStrike, Ready, RuleReport };

/** An embedded workspace in the process that serves all those of this worker. */
export interface HostedWorkspace extends Ready {
  /** What it complained of so far. */
  readonly stderr: () => string;
  /** From now on these faults happen and no others. */
  arm(file: FaultFile, onStrike?: OnStrike): Promise<void>;
  /** What the faults did since then. */
  report(): Promise<readonly RuleReport[]>;
  /** Ends requests and runs, and closes the database; a temporary one is gone then. */
  stop(): Promise<void>;
}

interface Message {
  readonly id: number;
  /** Which question of the test it answers. */
  readonly question?: number;
  readonly answer?: unknown;
  readonly error?: string;
  readonly log?: string;
  readonly strike?: Strike;
  /** Which strike it is. */
  readonly nth?: number;
}

interface Host {
  readonly process: ChildProcess;
  readonly hear: Map<number, (message: Message) => void>;
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
  let question = 0;
  let onStrike: OnStrike | undefined;
  const asked = new Map<number, (message: Message) => void>();
  const ask = (asks: string, about?: unknown): Promise<unknown> =>
    new Promise((done, failed) => {
      question += 1;
      asked.set(question, ({ answer, error }) => (error === undefined ? done(answer) : failed(new Error(error))));
      own.process.send({ id, question, asks, about });
    });
  own.hear.set(id, async (message) => {
    const { log, strike, nth, question: of } = message;
    if (log !== undefined) complaints += `${log}\n`;
    if (strike !== undefined) {
      await onStrike?.(strike);
      own.process.send({ id, goOn: nth });
    }
    if (of !== undefined) asked.get(of)?.(message);
    else if (message.error !== undefined) for (const answer of asked.values()) answer(message);
  });
  const ready = (await ask('open', flags)) as Ready;
  return {
    ...ready,
    stderr: () => complaints,
    arm: async (file, act) => {
      onStrike = act;
      await ask('arm', { file, tells: act !== undefined });
    },
    report: () => ask('report') as Promise<readonly RuleReport[]>,
    stop: async () => {
      await ask('close');
      own.hear.delete(id);
    },
  };
}

function startHost(): Host {
  const child = spawn(process.execPath, ['--max-semi-space-size=64', PROGRAM], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // It ends with this worker, which must not wait for it.
  child.unref();
  child.channel?.unref();
  const hear: Host['hear'] = new Map();
  child.on('message', (message) => hear.get((message as Message).id)?.(message as Message));
  child.once('exit', () => {
    host = undefined;
    for (const [id, told] of hear) told({ id, error: 'The process that serves workspaces ended.' });
  });
  return { process: child, hear };
}
