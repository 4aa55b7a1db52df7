import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './at-end.js';
import type { FleetProject } from './fleet-project.js';
import { finished } from './test-project.js';

/** A process of `dexsync fleet worker`. */
export interface Worker {
  /** What it printed about rollouts so far. */
  events(): readonly WorkerEvent[];
  /** What it warned of so far. */
  warnings(): readonly string[];
  /** Whether it has begun an environment that has not ended. */
  isBusy(): boolean;
  /** Ends it as a crash would. */
  kill(): void;
  /** Asks it to end; the exit code. */
  end(): Promise<number | null>;
}

export interface WorkerEvent {
  readonly is: string;
  readonly environment?: string;
  readonly objects?: number;
  readonly time: string;
}

/** Starts a worker for a fleet, and returns once it waits for work. */
export async function startWorker({ project, variables }: FleetProject, ...flags: readonly string[]): Promise<Worker> {
  const child = project.start(['fleet', 'worker', '--json', ...flags], variables);
  atEnd(async () => {
    child.kill('SIGKILL');
  });
  return watchWorker(child);
}

async function watchWorker(child: ChildProcess): Promise<Worker> {
  let out = '';
  let trouble = '';
  child.stderr?.on('data', (text) => {
    trouble += text;
  });
  const lines = () => out.split('\n').flatMap((line) => (line.endsWith('}}') ? [JSON.parse(line)] : []));
  const events = (): WorkerEvent[] =>
    lines().flatMap(({ time, type, event }) => (type === 'fleet' ? [{ time, ...event }] : []));
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => {
      out += text;
      if (out.includes('"is":"worker"')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The worker ended with ${code}: ${out}${trouble}`)));
  });
  return {
    events,
    warnings: () => lines().flatMap(({ diagnostic }) => (diagnostic === undefined ? [] : [diagnostic.message])),
    isBusy() {
      const last = new Map(events().map(({ environment = '', is }) => [environment, is]));
      return [...last.values()].includes('begun');
    },
    kill: () => void child.kill('SIGKILL'),
    async end() {
      const ended = finished(child);
      child.kill('SIGTERM');
      return (await ended).code;
    },
  };
}

/** The environments that a worker has begun. */
export const begunBy = (worker: Worker): string[] =>
  worker.events().flatMap(({ is, environment = '' }) => (is === 'begun' ? [environment] : []));

/** The descriptions of the group in each workspace of a fleet. */
export const descriptionsOf = (fleet: FleetProject): Promise<string[][]> =>
  Promise.all(fleet.sites.map((site) => fleet.descriptions(site)));

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}
