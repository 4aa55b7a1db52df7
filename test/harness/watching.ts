import type { Event } from '#core/stream/event.js';
import type { RoundEnd, WatchEvent } from '#core/stream/watch-event.js';
import { atEnd } from './at-end.js';
import type { Result } from './run-in-process.js';
import { finished, type TestProject, type Variables } from './test-project.js';

/** A line of the log. */
export type LogLine = Event & { readonly time: string; readonly level: string };

/** A watch that goes on. */
export interface Watching {
  readonly lines: readonly LogLine[];
  /** Waits for the end of a round that is so, of those since the last call. */
  round(is?: (end: RoundEnd) => boolean): Promise<RoundEnd>;
  event<W extends WatchEvent['is']>(is: W): Promise<Extract<WatchEvent, { is: W }>>;
  /** The exit code and standard error, once a signal was sent. */
  stop(): Promise<{ readonly code: number | null; readonly err: string }>;
}

/** The same as a process. */
export interface WatchingProcess extends Watching {
  stop(signal?: NodeJS.Signals): ReturnType<Watching['stop']>;
}

/** Begins `dexsync watch --json` in this process. */
export function watching(project: TestProject, args: readonly string[], variables: Variables): Watching {
  const { result, hear, interrupt } = project.begin(['watch', '--json', ...args], variables);
  atEnd(async () => {
    interrupt();
    await result;
  });
  const stop = async (): Promise<Result> => {
    interrupt();
    return result;
  };
  return { ...follow(hear, result), stop };
}

/** Starts the built program with `watch --json`. */
export function watchingProcess(project: TestProject, args: readonly string[], variables: Variables): WatchingProcess {
  const child = project.start(['watch', '--json', ...args], variables);
  const result = finished(child);
  atEnd(() => void child.kill('SIGKILL'));
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<Result> => {
    child.kill(signal);
    return result;
  };
  return { ...follow((listener) => child.stdout?.setEncoding('utf8').on('data', listener), result), stop };
}

/** What is said of a watch by what it writes. */
function follow(
  hear: (listener: (chunk: string) => void) => void,
  result: Promise<Result>,
): Pick<Watching, 'lines' | 'round' | 'event'> {
  const lines: LogLine[] = [];
  const listeners = new Set<() => void>();
  let text = '';
  hear((chunk) => {
    const parts = (text + chunk).split('\n');
    text = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line) as LogLine));
    for (const listener of [...listeners]) listener();
  });
  let seen = 0;
  const find = <T>(from: () => number, pick: (line: LogLine, index: number) => T | undefined): Promise<T> =>
    new Promise((done, failed) => {
      const look = (): void => {
        for (let index = from(); index < lines.length; index += 1) {
          const found = pick(lines[index] as LogLine, index);
          if (found === undefined) continue;
          listeners.delete(look);
          done(found);
          return;
        }
      };
      listeners.add(look);
      look();
      void result.then(({ code, out, err }) => failed(new Error(`It ended with ${code}:\n${out}${err}`)));
    });
  return {
    lines,
    round: (is = () => true) =>
      find(
        () => seen,
        (line, index) => {
          if (line.type !== 'watch' || line.event.is !== 'round-ended' || !is(line.event)) return undefined;
          seen = index + 1;
          return line.event;
        },
      ),
    event: <W extends WatchEvent['is']>(is: W) =>
      find(
        () => 0,
        (line) =>
          line.type === 'watch' && line.event.is === is ? (line.event as Extract<WatchEvent, { is: W }>) : undefined,
      ),
  };
}
