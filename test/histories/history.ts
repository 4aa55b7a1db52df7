import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../dist/workspace/arguments.js';
import { serve } from '../../dist/workspace/serve.js';
import type { Disturbance } from './disturbances.js';
import { filesOf, writeFiles } from './harness/folder.js';
import type { Ended, Program } from './harness/program.js';
import { type Random, randomFrom } from './harness/random.js';
import { openService, type Service } from './harness/service.js';
import type { Asked, Grounds, PlannedStep } from './laws.js';
import type { Dialect } from './model/kinds.js';
import type { Place } from './model/situation.js';
import { type Clone, type Ledger, type Manifest, newObject, type Workspace } from './model/world.js';
import { OPERATIONS, type Operation } from './operations.js';

const PASSWORD = 'sentinel-Pa55word';

/** One operation of a history: which one, and what its parameters are drawn with. */
export interface Choice {
  readonly operation: string;
  readonly seed: number;
}

export interface HistorySettings {
  readonly dialect: Dialect;
  /** Where the ledger is kept; in git, two clones share it. */
  readonly ledger: 'file' | 'git';
  /** The stack of the second clone, beside "team". */
  readonly second: 'team' | 'other';
  readonly choices: readonly Choice[];
  readonly seed: number;
}

/** A law that was broken, and where. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly law: number;
  constructor(law: number, message: string) {
    super(message);
    this.law = law;
  }
}

/** Somebody's copy of the project on the disk. */
export interface Site {
  readonly model: Clone;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Plans that were saved: what they touch, as it was. */
  readonly saved: SavedPlan[];
  /** Its manifests as they were written last. */
  files: ReadonlyMap<string, string>;
}

export interface SavedPlan extends Grounds {
  readonly file: string;
  readonly asked: Asked;
  /** The manifests that it was made from. */
  readonly manifests: readonly Manifest[];
  readonly steps: readonly PlannedStep[];
}

/** All that an operation works on. */
export interface World {
  readonly random: Random;
  readonly workspace: Workspace;
  readonly service: Service;
  readonly sites: readonly Site[];
  placeOf(site: Site): Place;
  /** Runs a command of the program as somebody types it. */
  run(site: Site, ...args: readonly string[]): Promise<Ended>;
  /** Runs it while the service, or the machine, does something else than it should. */
  runDisturbed(site: Site, disturbance: Disturbance, ...args: readonly string[]): Promise<Ended>;
  /** Notes what a person did, as a line of a shell script. */
  note(line: string): void;
  write(site: Site): void;
  /** Longer than the service may take to show what was written. */
  letTimePass(): void;
}

export interface Outcome {
  readonly violation?: Violation;
  readonly script: readonly string[];
  readonly done: readonly string[];
  readonly disturbances: readonly string[];
  readonly commands: number;
  /** Milliseconds in commands. */
  readonly spent: number;
}

/** Milliseconds between operations: longer than the service may take to show what was written. */
const STEP = 16 * 60_000;

const configOf = (stack: string, remote: string | undefined): string => `stack: ${stack}
manifests: [manifests]
defaultEnvironment: one
${remote === undefined ? '' : `ledger: { git: { remote: ${JSON.stringify(remote)} } }\n`}environments:
  one: { url: "\${env.ONE_URL}" }
`;

function bareRepository(root: string): string {
  const folder = join(root, 'ledger.git');
  execFileSync('git', ['init', '--quiet', '--bare', folder]);
  return folder;
}

/** Manifests that a history begins with. */
const FIRST = 4;

export function drawHistory(
  seed: number,
  length: number,
  only?: readonly string[],
  without: readonly string[] = [],
): HistorySettings {
  const random = randomFrom(seed);
  const table = OPERATIONS.filter(({ name }) => (only === undefined || only.includes(name)) && !without.includes(name));
  const weighted = table.flatMap((one) => Array.from({ length: one.weight }, () => one.name));
  return {
    seed,
    dialect: random.chance(75) ? 'reference' : 'arena',
    ledger: random.chance(10) ? 'git' : 'file',
    second: random.chance(50) ? 'team' : 'other',
    choices: [
      ...Array.from({ length: FIRST }, () => 'create'),
      ...Array.from({ length }, () => random.pick(weighted)),
    ].map((operation) => ({ operation, seed: random.below(2 ** 31) })),
  };
}

/** Runs a history against a service of its own, and stops where a law is broken. */
export async function runHistory(
  { dialect, ledger: kept, second, choices, seed }: HistorySettings,
  program: Program,
): Promise<Outcome> {
  const root = mkdtempSync(join(tmpdir(), 'history-'));
  const serving = await serve(
    readArguments(['--dialect', dialect, '--password', PASSWORD, '--quota', '10000000']) as never,
    () => undefined,
  );
  const script: string[] = [];
  const done: string[] = [];
  const disturbances: string[] = [];
  let commands = 0;
  let spent = 0;
  let ahead = 0;
  try {
    const service = await openService({ url: serving.ready.url, password: PASSWORD }, dialect);
    const there = (await service.objects()).map(({ guid, kind, name, fields }) => ({
      ...newObject(kind, name, fields),
      guid,
    }));
    const ledger: Ledger = new Map();
    const workspace: Workspace = { dialect, live: there, ledgers: [ledger] };
    const remote = kept === 'git' ? bareRepository(root) : undefined;
    const clones = [
      { name: 'here', stack: 'team' },
      ...(remote === undefined ? [] : [{ name: 'there', stack: second }]),
    ];
    const sites = clones.map(({ name, stack }): Site => {
      const folder = join(root, name);
      mkdirSync(folder);
      writeFileSync(join(folder, 'sync.config.yaml'), configOf(stack, remote));
      const variables = {
        PATH: process.env.PATH ?? '',
        HOME: join(root, 'home'),
        XDG_STATE_HOME: join(root, 'state', name),
        ONE_URL: serving.ready.url,
        DEXSYNC_ONE_PROFILE: dialect,
        DEXSYNC_ONE_EMAIL: serving.ready.email,
        DEXSYNC_ONE_PASSWORD: PASSWORD,
        DEXSYNC_ONE_WORKSPACE_ID: String(serving.ready.workspaceId),
      };
      return { model: { name, stack, manifests: [] }, folder, variables, saved: [], files: new Map() };
    });
    let last: Site | undefined;
    const enter = (site: Site): void => {
      if (sites.length > 1 && site !== last) script.push(`cd ../${site.model.name}`);
      last = site;
    };
    const letTimePass = (): void => {
      ahead += STEP;
    };
    const world = (random: Random): World => ({
      letTimePass,
      random,
      workspace,
      service,
      sites,
      placeOf: ({ model }) => ({ workspace, ledger, clone: model }),
      note: (line) => void script.push(line),
      write(site) {
        const files = filesOf(site.model.manifests);
        enter(site);
        for (const [path, content] of files)
          if (site.files.get(path) !== content) script.push(`cat > ${path} <<'END'\n${content}END`);
        for (const path of site.files.keys()) if (!files.has(path)) script.push(`rm ${path}`);
        site.files = files;
        writeFiles(site.folder, files);
      },
      async run(site, ...args) {
        enter(site);
        script.push(`dexsync ${args.map((arg) => (/^[\w.=/-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`);
        const began = performance.now();
        commands += 1;
        const nonces = `${seed.toString(16).padStart(8, '0')}-${commands.toString(16).padStart(4, '0')}-4000-8000`;
        const ended = await program.run({ args, folder: site.folder, variables: site.variables, nonces, ahead });
        spent += performance.now() - began;
        script.push(
          ...`exit ${ended.code}\n${ended.err}`
            .trim()
            .split('\n')
            .map((line) => `#   ${line}`),
        );
        const bad = ended.out.split('\n').filter((text) => /"is":"(failed|unknown|skipped)"/.test(text));
        script.push(...bad.map((text) => `#   ${text}`));
        judgeCommand(args, ended);
        return ended;
      },
      async runDisturbed(site, { name, rule, kills }, ...args) {
        let struck = false;
        await serving.faults.set({ faults: [rule] }, () => {
          struck = true;
          if (kills) program.kill();
        });
        script.push(`# fault: ${name} ${JSON.stringify(rule)}`);
        const ended = await this.run(site, ...args);
        await serving.faults.set({ faults: [] });
        if (!struck) script.push('#   it did not strike');
        else disturbances.push(name);
        return ended;
      },
    });
    for (const site of sites) writeFiles(site.folder, new Map());
    for (const { operation, seed: own } of choices) {
      const found = OPERATIONS.find(({ name }) => name === operation) as Operation;
      const before = script.length;
      letTimePass();
      const result = await found.run(world(randomFrom(own)));
      if (result === 'skipped') script.length = before;
      else done.push(operation);
    }
    judgeLeftovers(sites);
    return { script, done, disturbances, commands, spent };
  } catch (error) {
    const violation = error instanceof Violation ? error : new Violation(0, String((error as Error).stack));
    return { violation, script, done, disturbances, commands, spent };
  } finally {
    await serving.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Law 10: no secret, no unexpected error. */
function judgeCommand(args: readonly string[], { out, err }: Ended): void {
  const all = out + err;
  if (all.includes(PASSWORD)) throw new Violation(10, `${args.join(' ')} prints the password.`);
  if (/This is a bug|\[UNEXPECTED|"UNEXPECTED"/.test(all))
    throw new Violation(10, `${args.join(' ')} ended unexpectedly: ${all.slice(-2000)}`);
}

function judgeLeftovers(sites: readonly Site[]): void {
  for (const { folder } of sites) {
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(part|tmp)$|~$/.test(file),
    );
    if (left.length > 0) throw new Violation(10, `Temporary files stay: ${left.join(', ')}`);
  }
}
