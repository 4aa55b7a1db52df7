import { Option } from 'commander';
import { namesSeveral, type Output, runTargets, texts } from '../library/internal.js';
import { DexsyncError, EXIT, type ExitCode, selectEnvironments } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { firstThatHolds } from './exit-codes.js';
import { pickGiven, singleValue } from './option-values.js';
import { logText } from './pipeline-log.js';
import type { RunContext } from './run.js';

/** Flags of a command that reads, and can do so in several environments. */
export interface SelectionFlags extends GlobalOptions {
  readonly where?: string;
}

/** Options of files that would get the result of one environment only. */
const FILES = { output: '--output', out: '--out', previewPages: '--preview-pages' } as const;

/** `--where` of such a command. */
export const whereOption = (): Option =>
  new Option(
    '--where <condition>',
    'do so in each environment that meets this condition, such as labels.region == "EU"; --env takes patterns, too',
  ).argParser(singleValue);

/** How a command runs in several environments. */
export interface Many<Flags extends GlobalOptions> {
  /** The flags for one of them. */
  readonly flags: (flags: Flags, environment: string) => Flags;
  /** Whether it also logs in to one that all have in common. */
  readonly sharesLogin?: boolean;
}

/** The flags of a command that works in the environment of `--env`. */
export const inEnvironment = <Flags extends GlobalOptions>(flags: Flags, env: string): Flags => ({ ...flags, env });

/** Whether a command line means several environments. */
export const meansMany = ({ env, where }: SelectionFlags, { DEXSYNC_ENV = '' }: Cli['host']['variables']): boolean =>
  where !== undefined || namesSeveral(env ?? DEXSYNC_ENV);

/** Runs a command in one environment, with the process that it is given. */
export type RunIn = (cli: Cli, environment: string) => Promise<void>;

/**
 * Runs a command in each environment that the command line means, one after the other for each user, and prints the
 * results in the order of the configuration. The exit code is the first that holds for any of them.
 */
export async function runInMany(
  {
    cli,
    host,
    sharesLogin,
  }: Pick<RunContext, 'host'> & Pick<Many<GlobalOptions>, 'sharesLogin'> & { readonly cli: Cli },
  flags: SelectionFlags,
  runIn: RunIn,
): Promise<ExitCode> {
  refuseFiles(flags);
  const names = flags.env ?? (host.variables.DEXSYNC_ENV || undefined);
  const selected = await selectEnvironments({ ...pickGiven(flags, 'config', 'where'), names }, host);
  const printer = flags.json === true ? jsonPrinter(cli) : await textPrinter(cli, flags);
  const results = new Map<string, Result>();
  let printed = 0;
  const printReady = (): void => {
    for (let next = selected[printed]; next !== undefined; next = selected[printed]) {
      const result = results.get(next.name);
      if (result === undefined) return;
      printer.add(next.name, result);
      results.set(next.name, { ...result, pieces: [] });
      printed += 1;
    }
  };
  const { signal } = host;
  await runTargets(selected, { signal, ...(sharesLogin === true ? { atOnce: 1 } : {}) }, async (name) => {
    results.set(name, await resultOf(name, cli, runIn));
    printReady();
  });
  const codes = new Map(selected.map(({ name }) => [name, results.get(name)?.code ?? EXIT.interrupted]));
  printer.end(codes);
  return firstThatHolds([...codes.values()]);
}

/** What a command printed in one environment. */
interface Result {
  readonly code: ExitCode;
  readonly pieces: readonly { readonly to: 'out' | 'err'; readonly text: string }[];
}

async function resultOf(environment: string, cli: Cli, runIn: RunIn): Promise<Result> {
  const pieces: { to: 'out' | 'err'; text: string }[] = [];
  const into = (to: 'out' | 'err'): Output => ({ write: (text) => void pieces.push({ to, text: String(text) }) });
  let code: ExitCode = EXIT.failed;
  const { onInterrupt: _, ...rest } = cli;
  const exit: Cli['exit'] = (given) => {
    code = given;
  };
  const own = { ...rest, out: into('out'), err: into('err'), progress: 'lines', input: 'none', exit } as const;
  await runIn(own, environment);
  return { code, pieces };
}

interface ManyPrinter {
  readonly add: (environment: string, result: Result) => void;
  readonly end: (codes: ReadonlyMap<string, ExitCode>) => void;
}

/** One document that has the document of each environment. */
function jsonPrinter(cli: Cli): ManyPrinter {
  let before = '{"environments": [';
  return {
    add(environment, { code, pieces }) {
      const of = (to: 'out' | 'err'): string => pieces.flatMap((one) => (one.to === to ? [one.text] : [])).join('');
      cli.err.write(of('err'));
      const facts = JSON.stringify({ environment, exitCode: code }).slice(0, -1);
      cli.out.write(`${logText(cli, `${before}\n${facts}, "result": `, 'json')}${of('out').trim() || 'null'}}`);
      before = ',';
    },
    end: () => void cli.out.write(before === ',' ? ']}\n' : `${before}]}\n`),
  };
}

async function textPrinter(cli: Cli, { quiet }: SelectionFlags): Promise<ManyPrinter> {
  const { environmentHeading, environmentsSummary } = await texts(cli.color, cli.width);
  const show = (text: string): void => void (quiet === true ? cli.err : cli.out).write(logText(cli, text));
  return {
    add(environment, { pieces }) {
      if (pieces.length > 0) show(environmentHeading(environment));
      for (const { to, text } of pieces) cli[to].write(text);
    },
    end: (codes) => {
      if (quiet !== true) show(environmentsSummary(codes));
    },
  };
}

function refuseFiles(flags: SelectionFlags & { readonly [option in keyof typeof FILES]?: unknown }): void {
  const [, option] = Object.entries(FILES).find(([name]) => flags[name as keyof typeof FILES] !== undefined) ?? [];
  if (option === undefined) return;
  throw new DexsyncError('USAGE', `\`${option}\` writes the result of one environment.`, {
    hint: 'Choose one environment, or use `--json`, whose document has the results of all.',
  });
}
