import { parseArgs } from 'node:util';
import { dialectNames } from './dialects/catalog.js';
import { isRelease, LATEST_RELEASE } from './dialects/release.js';

/** How a workspace is started. */
export interface Arguments {
  readonly port: number;
  /** Undefined: a temporary workspace. */
  readonly db: string | undefined;
  /** The workspace file that a new workspace is a copy of, and that a reset returns to. */
  readonly from: string | undefined;
  /** The names of further workspaces, each with data of its own. */
  readonly workspaces: readonly string[];
  /** How many workspaces there are at least; those beyond the named ones have users of their own. */
  readonly count: number;
  readonly dialect: string;
  /** The release that the workspace imitates, such as 2025.4. */
  readonly release: string;
  readonly quota: number;
  /** The password of its own users; a random one by default. */
  readonly password: string | undefined;
  readonly uploadLimit: number;
  /** A file of faults to inject into requests; undefined injects none. */
  readonly faults: string | undefined;
  /** Whether each request is logged with the operation that answered it. */
  readonly logRequests: boolean;
  readonly exitWithStdin: boolean;
}

/** An invalid command line; the message says what was expected. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

const OPTIONS = {
  port: { type: 'string', default: '0' },
  db: { type: 'string' },
  from: { type: 'string' },
  workspace: { type: 'string', multiple: true },
  workspaces: { type: 'string', default: '1' },
  dialect: { type: 'string', default: 'reference' },
  release: { type: 'string', default: LATEST_RELEASE },
  quota: { type: 'string', default: '25000' },
  password: { type: 'string' },
  'upload-limit': { type: 'string', default: String(1024 ** 3) },
  faults: { type: 'string' },
  'log-requests': { type: 'boolean', default: false },
  'exit-with-stdin': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The text of `--help`. Its flags and defaults must agree with {@link readArguments}. */
export const HELP = `Serves an embedded workspace on the loopback address.

  --port N           port to listen on (default 0: any free port)
  --db FILE          database file, created if missing, next to FILE-usage and
                     FILE-runs; without it, the data is lost at the end
  --from FILE        workspace file that a new workspace is a copy of; POST
                     /embedded/reset returns to it
  --workspace NAME   further workspace, with data of its own in FILE-workspaces;
                     a login chooses by workspaceId; can be repeated
  --workspaces N     N workspaces, of which the further ones, w2 to wN, have
                     users of their own (admin@w2.example.com)
  --dialect NAME     API dialect: ${dialectNames.join(', ')}
                     (default reference)
  --release NAME     release of the service to imitate (default ${LATEST_RELEASE})
  --quota N          daily quota of requests (default 25000)
  --password TEXT    password of its users (default: random, printed below)
  --upload-limit N   largest upload in bytes (default 1 GiB)
  --faults FILE      what happens to requests, in YAML or JSON, to test clients
  --log-requests     write each request, its answer and the operation to stderr
  --exit-with-stdin  exit when standard input ends
  -h, --help         show help

When it is ready, it prints one line of JSON about its administrator:
{"url","dialect","workspaceId","email","password"}, with several workspaces
also "workspaces": [{"workspaceId","name","email"}]
`;

/** The name of a workspace is that of its file, too. */
const WORKSPACE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Parses a command line; returns undefined if it only asks for help. */
export function readArguments(args: readonly string[]): Arguments | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  if (!dialectNames.includes(values.dialect)) {
    throw new ArgumentError(`--dialect must be one of ${dialectNames.join(', ')}, not "${values.dialect}".`);
  }
  if (!isRelease(values.release)) {
    throw new ArgumentError(
      `--release must be a year and a number such as ${LATEST_RELEASE}, not "${values.release}".`,
    );
  }
  const { workspace: workspaces = [] } = values;
  const wrong = workspaces.find((name) => !WORKSPACE_NAME.test(name));
  if (wrong !== undefined) {
    throw new ArgumentError(`--workspace must be a name in lower case such as staging, not "${wrong}".`);
  }
  return {
    port: integer('--port', values.port, 0, 65_535),
    db: values.db,
    from: values.from,
    workspaces,
    count: integer('--workspaces', values.workspaces, 1, 1000),
    dialect: values.dialect,
    release: values.release,
    quota: integer('--quota', values.quota, 1, Number.MAX_SAFE_INTEGER),
    password: values.password,
    uploadLimit: integer('--upload-limit', values['upload-limit'], 1, Number.MAX_SAFE_INTEGER),
    faults: values.faults,
    logRequests: values['log-requests'],
    exitWithStdin: values['exit-with-stdin'],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new ArgumentError((error as Error).message);
  }
}

function integer(flag: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ArgumentError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
}
