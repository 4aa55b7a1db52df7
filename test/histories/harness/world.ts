import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkspaceServer } from '../../../dist/emulator/serve.js';
import type { Disturbance, Rule } from '../disturbances.js';
import type { HistorySettings } from '../history.js';
import { noRows, type Row } from '../model/rows.js';
import type { Place } from '../model/situation.js';
import { type Ledger as KnownObjects, newObject, type Workspace } from '../model/world.js';
import { Violation } from '../violation.js';
import { type Crowd, openCrowd } from './crowd.js';
import { filesOf, writeFiles } from './folder.js';
import { commitAll } from './git.js';
import { type LedgerHome, newLedger, OWN_FOLDER } from './ledgers.js';
import { troubleFor } from './machine.js';
import type { Ended, Machine, Program } from './program.js';
import { identitiesFrom, type Random, randomFrom } from './random.js';
import { csvOf, openRecords, type Records } from './records.js';
import { openService, type Service } from './service.js';
import { openServing, PASSWORD } from './serving.js';
import { openSite, type Site } from './site.js';
import { openTarget, type Target } from './target.js';

/** Milliseconds between operations: longer than the service may take to show what was written. */
const STEP = 16 * 60_000;

/** Plain runs of a command that people type after a fault, at most. */
export const PLAIN_RUNS = 3;

/** A command as its help names it, with what makes another command of it. */
function commandOf(args: readonly string[]): string {
  const words = args.slice(0, 2).filter((word) => /^[a-z]+$/.test(word));
  const plan = words[0] === 'apply' && args[1]?.endsWith('.json') ? ['PLAN'] : [];
  const flags = new Set(args.filter((arg) => /^--(adopt|data|drifted|only|prune)$/.test(arg)));
  return [...words, ...plan, ...flags].join(' ');
}

/** Whether people type a command once more. */
const isBrokenOff = ({ code, out }: Ended): boolean =>
  code === null || code === 1 || (code === 4 && /"is":"(failed|unknown)"/.test(out));

/** All that the operations of a history work on: a workspace, the clones of a team, and the model of both. */
export class World {
  /** What the present operation draws its parameters from. */
  random: Random = randomFrom(0);
  readonly workspace: Workspace;
  readonly service: Service;
  readonly records: Records;
  readonly sites: readonly Site[];
  readonly crowd: Crowd | undefined;
  /** Faults that may strike; all by default. */
  readonly faults: readonly string[] | undefined;
  /** The folder of everything. */
  readonly root: string;
  /** Where the ledger is by now. */
  ledger: LedgerHome;
  /** What was done, as lines of a shell script. */
  readonly script: string[] = [];
  /** Applies as the history showed them, by their journals. */
  readonly told = new Map<string, string>();
  /** Names of the faults that struck. */
  readonly disturbances: string[] = [];
  /** The commands that people and pipelines ran, without those that only the laws asked for. */
  readonly commands: string[] = [];
  /** Milliseconds in them. */
  spent = 0;
  #count = 0;
  #isChecking = false;
  #trouble: Disturbance | undefined;
  readonly #parts: Parts;
  #last: Site | undefined;
  #target: Promise<Target> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.workspace = parts.workspace;
    this.service = parts.service;
    this.records = parts.records;
    this.sites = parts.sites;
    this.faults = parts.faults;
    this.crowd = parts.crowd;
    this.root = parts.root;
    this.ledger = parts.ledger;
  }

  placeOf({ model }: Site): Place {
    const { workspace } = this;
    return { workspace, ledger: workspace.ledgers[0] as KnownObjects, clone: model };
  }

  /** Notes what a person did, as a line of a shell script. */
  note(line: string): void {
    this.script.push(line);
  }

  /**
   * Writes the manifests of a clone that have changed, and commits them, unless somebody forgets to; `more`: files that are there
   * until the next time.
   */
  write(site: Site, more: readonly [path: string, content: string][] = []): void {
    const files = new Map([...filesOf(site.model), ...more]);
    this.#enter(site);
    for (const [path, content] of files)
      if (site.files.get(path) !== content) this.note(`cat > ${path} <<'END'\n${content}END`);
    for (const path of site.files.keys()) if (!files.has(path)) this.note(`rm ${path}`);
    site.files = files;
    writeFiles(site.folder, files);
    if (site.isVersioned && this.random.chance(75)) this.version(site, 'commit', commitAll);
  }

  /** Does something to the repository of a clone. */
  version(site: Site, what: string, how: (folder: string, message: string) => void): void {
    this.#enter(site);
    this.note(`# git ${what}`);
    how(site.folder, `${this.script.length}`);
  }

  /** Writes rows into a file that no manifest names. */
  writeRows(site: Site, file: string, rows: readonly Row[]): void {
    this.#enter(site);
    const content = csvOf(rows);
    this.note(`cat > ${file} <<'END'\n${content}END`);
    writeFileSync(join(site.folder, file), content);
  }

  letTimePass(): void {
    this.#parts.clock.ahead += STEP;
  }

  /** Runs a command of the program as somebody types it; where it is disturbed, once more until it comes through. */
  async run(site: Site, ...args: readonly string[]): Promise<Ended> {
    const trouble = this.#trouble;
    this.#trouble = undefined;
    if (trouble === undefined) return this.#run(site, args);
    let ended = await this.runDisturbed(site, trouble, ...args);
    for (let count = 0; count < PLAIN_RUNS && isBrokenOff(ended); count += 1) {
      this.letTimePass();
      ended = await this.#run(site, args);
    }
    return ended;
  }

  /** Disturbs the first command that a judge runs. */
  async disturb<T>(disturbance: Disturbance, judge: () => Promise<T>): Promise<T> {
    this.#trouble = disturbance;
    try {
      return await judge();
    } finally {
      this.#trouble = undefined;
    }
  }

  /** Runs commands that a law asks for: they are not counted. */
  async check<T>(law: () => Promise<T>): Promise<T> {
    const before = this.#isChecking;
    this.#isChecking = true;
    try {
      return await law();
    } finally {
      this.#isChecking = before;
    }
  }

  /** Runs it in a process of its own, so that another command can run at the same time. */
  runApart(site: Site, ...args: readonly string[]): Promise<Ended> {
    return this.#run(site, args, undefined, this.#parts.program.beside());
  }

  /** Runs it while the service, or the machine, does something else than it should. */
  async runDisturbed(site: Site, disturbance: Disturbance, ...args: readonly string[]): Promise<Ended> {
    const { serving, program } = this.#parts;
    const { name, rule, beside = [], ends, disk, atMost, unheard = [], at = serving.faults } = disturbance;
    const trouble = troubleFor(site, this.ledger, this.root, disturbance);
    let struck = 0;
    if (rule !== undefined)
      await at.set({ faults: [rule, ...beside, ...unheard.map(notYet)] }, async () => {
        struck += 1;
        if (ends !== undefined) program.kill();
        await disturbance.meanwhile?.();
      });
    this.note(`# fault: ${name} ${JSON.stringify(rule ?? disk)}`);
    const ended = await this.#run(site, args, trouble?.machine);
    await at.set({ faults: [] });
    if (trouble?.after(struck > 0) ?? struck > 0) this.disturbances.push(name);
    else this.note('#   it did not strike');
    if (atMost !== undefined && struck > atMost)
      throw new Violation(
        7,
        `${rule?.method} ${rule?.path} was sent ${struck} times, where at most ${atMost} are right.`,
      );
    return ended;
  }

  async #run(
    site: Site,
    args: readonly string[],
    machine?: Machine,
    program: Program = this.#parts.program,
  ): Promise<Ended> {
    this.#enter(site);
    this.note(`dexsync ${args.map((arg) => (/^[\w.=/-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`);
    const began = performance.now();
    this.#count += 1;
    const isCounted = !this.#isChecking;
    const { folder, variables } = site;
    const nonces = `${hex(this.#parts.seed, 8)}-${hex(this.#count, 4)}-4000-8000`;
    const line = { args, folder, variables, nonces, ahead: this.#parts.clock.ahead };
    const ended = await program.run(machine === undefined ? line : { ...line, machine });
    if (isCounted) {
      this.commands.push(commandOf(args));
      this.spent += performance.now() - began;
    }
    for (const text of `exit ${ended.code}\n${ended.err}`.trim().split('\n')) this.note(`#   ${text}`);
    for (const text of ended.out.split('\n'))
      if (/"is":"(failed|unknown|skipped)"/.test(text)) this.note(`#   ${text}`);
    judgeCommand(args, ended);
    return ended;
  }

  /** Law 10: no temporary file stays. */
  judgeLeftovers(): void {
    for (const { folder } of this.sites) {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const left = files.filter((file) => /\.(part|tmp)$|~$/.test(file));
      if (left.length > 0) throw new Violation(10, `Temporary files stay: ${left.join(', ')}`);
    }
  }

  /** The workspace that is promoted to, begun when it is first asked for, within reach of a clone. */
  async openTarget(site: Site): Promise<Target> {
    const { clock, seed } = this.#parts;
    this.#target ??= openTarget({ clock: clock.now, chance: identitiesFrom(~seed) });
    const target = await this.#target;
    Object.assign(site.variables, target.variables);
    return target;
  }

  /** The environments that a clone can reach, each with a ledger of its own in the same place. */
  async environments(site: Site): Promise<readonly string[]> {
    if (this.#target === undefined) return ['one'];
    await this.openTarget(site);
    return ['one', 'two'];
  }

  async close(): Promise<void> {
    await (await this.#target)?.close();
    await this.#parts.serving.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  #enter(site: Site): void {
    if (this.sites.length > 1 && site !== this.#last) this.note(`cd ../${site.model.name}`);
    this.#last = site;
  }
}

interface Parts
  extends Pick<World, 'workspace' | 'service' | 'records' | 'sites' | 'root' | 'ledger' | 'faults' | 'crowd'> {
  readonly serving: WorkspaceServer;
  readonly clock: HistoryClock;
  readonly program: Program;
  readonly seed: number;
}

/** The service remembers what it answers, for a command that is to come. */
const notYet = (rule: Rule): Rule => ({ ...rule, nth: 1_000_000 });

/** When histories begin. */
const BEGIN = Date.UTC(2026, 0, 5, 8);

/** The time of service and program: a history begins at the same moment each time, and goes on as clocks do. */
class HistoryClock {
  /** Milliseconds that it differs from the machine's. */
  ahead = BEGIN - Date.now();
  readonly now = (): Date => new Date(Date.now() + this.ahead);
}

/** A service of this build, and the folders of a team before it. */
export async function openWorld(settings: HistorySettings, program: Program): Promise<World> {
  const { dialect, second, seed, faults, isVersioned, clones } = settings;
  const clock = new HistoryClock();
  const root = mkdtempSync(join(tmpdir(), 'history-'));
  const serving = await openServing(dialect, { clock: clock.now, chance: identitiesFrom(seed) });
  const { ready } = serving;
  const service = await openService({ url: ready.url, password: PASSWORD }, dialect);
  const records = await openRecords(service);
  const crowd = settings.isCrowded ? await openCrowd(service) : undefined;
  const live = (await service.objects()).map(({ guid, kind, name, fields }) => ({
    ...newObject(kind, name, fields),
    guid,
  }));
  const workspace: Workspace = { dialect, live, ledgers: [new Map()], rows: noRows() };
  const isShared = settings.ledger !== 'file' || clones > 1;
  const ledger = isShared ? await newLedger(settings.ledger, root) : OWN_FOLDER;
  const surroundings = { root, ready, dialect, ledger, isVersioned };
  const sites = [
    openSite('here', 'team', surroundings),
    ...(clones === 1 ? [] : [openSite('there', second, surroundings)]),
  ];
  return new World({ workspace, service, records, sites, serving, clock, program, seed, root, ledger, faults, crowd });
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** Law 10: no secret, no unexpected error. */
function judgeCommand(args: readonly string[], { out, err }: Ended): void {
  const all = out + err;
  if (all.includes(PASSWORD)) throw new Violation(10, `${args.join(' ')} prints the password.`);
  if (/This is a bug|\[UNEXPECTED|"UNEXPECTED"|\bUnhandled\b/.test(all))
    throw new Violation(10, `${args.join(' ')} ended unexpectedly: ${all.slice(-2000)}`);
}
