import { ArgumentError, type Arguments, HELP, readArguments } from './arguments.js';
import { dialectNamed } from './dialects/catalog.js';
import { reference } from './dialects/reference.js';
import { dialectAt } from './dialects/release.js';
import { systemChance } from './rules/chance.js';
import { RequestLimit } from './rules/request-limit.js';
import type { Workspace } from './rules/workspace.js';
import { RunQueue } from './run-queue.js';
import { SEED_PASSWORD, SEED_USERS, seed, WORKSPACE_NAME } from './seed.js';
import { buildServer } from './server.js';
import { InUseError, OpenError, openStore, readMeta, type Store } from './store/open.js';
import { RunFiles } from './store/run-files.js';

const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** The exit code by which whoever started this process learns that it may try again later. */
const IN_USE = 7;

main().catch((error: unknown) => {
  const told = error instanceof ArgumentError || error instanceof OpenError;
  log(told ? error.message : String((error as Error).stack ?? error));
  if (error instanceof ArgumentError) log('Try --help.');
  process.exit(error instanceof InUseError ? IN_USE : 1);
});

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2));
  if (!args) return void process.stdout.write(HELP);
  const clock = (): Date => new Date();
  const dialect = dialectAt(dialectNamed(args.dialect) ?? reference, args.release);
  const store = await openStore(args.db, (settings) => seed(settings, systemChance, clock, dialect));
  const workspace: Workspace = {
    settings: store.settings,
    usage: store.usage,
    clock,
    chance: systemChance,
    dialect,
    release: args.release,
    id: Number(readMeta(store.settings, 'workspaceId')),
    name: WORKSPACE_NAME,
    requestLimit: args.quota,
  };
  await serve(args, workspace, store);
}

async function serve(args: Arguments, workspace: Workspace, store: Store): Promise<void> {
  const queue = new RunQueue({ file: store.file, runFolder: store.runFolder, dialect: args.dialect }, log);
  const services = {
    workspace,
    limit: new RequestLimit(workspace),
    runFiles: new RunFiles(store.runFolder),
    wake: () => queue.wake(),
    uploadLimit: args.uploadLimit,
  };
  const app = await buildServer(services, log);
  endWith(args, async () => {
    await app.close();
    await queue.close();
    store.close();
  });
  const url = await listen(() => app.listen({ host: '127.0.0.1', port: args.port }), args.port);
  const [administrator] = SEED_USERS;
  const ready = { url, dialect: workspace.dialect.name, workspaceId: workspace.id, email: administrator.email };
  process.stdout.write(`${JSON.stringify({ ...ready, password: SEED_PASSWORD })}\n`);
}

async function listen(start: () => Promise<string>, port: number): Promise<string> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new OpenError(`Port ${port} is in use by another process.`);
    if (code === 'EACCES') throw new OpenError(`Port ${port} may not be used by this user.`);
    throw error;
  }
}

/** Ends the process cleanly, once, when it is told to or when its parent is gone. */
function endWith({ exitWithStdin }: Arguments, close: () => Promise<void>): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log(String((error as Error).stack ?? error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  if (process.send) process.on('disconnect', end);
  if (exitWithStdin) process.stdin.on('end', end).on('close', end).resume();
}
