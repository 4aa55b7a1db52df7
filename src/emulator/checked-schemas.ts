import { dialectNamed, dialectNames } from './dialects/catalog.js';
import type { Dialect } from './dialects/dialect.js';
import { LATEST_RELEASE } from './dialects/release.js';
import { faultFileSchema } from './faults/fault-file.js';
import { isChecked } from './routes/validator.js';
import { systemChance } from './rules/guid-source.js';
import { RequestLimit } from './rules/request-limit.js';
import { seed, WORKSPACE_NAME } from './seed.js';
import { buildServer } from './server.js';
import { openStore } from './store/open.js';
import { RunFiles } from './store/run-files.js';

export { OPTIONS, schemaKey } from './routes/validator.js';

/** Collects the schemas that the build compiles: those of all routes, in the latest release, and of fault files. */
export async function collectSchemas(): Promise<unknown[]> {
  const schemas: unknown[] = [faultFileSchema];
  for (const name of dialectNames) {
    const dialect = dialectNamed(name);
    if (dialect !== undefined) schemas.push(...(await schemasOf(dialect)));
  }
  return schemas;
}

async function schemasOf(dialect: Dialect): Promise<unknown[]> {
  const schemas: unknown[] = [];
  const clock = (): Date => new Date();
  const store = await openStore(undefined, (settings) => seed(settings, systemChance, clock, dialect));
  const { settings, usage, runFolder } = store;
  const rest = {
    clock,
    chance: systemChance,
    dialect,
    release: LATEST_RELEASE,
    id: 0,
    name: WORKSPACE_NAME,
    address: () => '',
  };
  const workspace = { settings, usage, ...rest, requestLimit: 0 };
  const services = {
    workspace,
    workspaces: () => [workspace],
    limit: new RequestLimit(workspace),
    runFiles: new RunFiles(runFolder),
  };
  const faults = { set: async () => undefined, report: () => [] };
  const unused = { wake: () => undefined, uploadLimit: 0, faults, reset: async () => undefined };
  const app = await buildServer({ ...services, ...unused }, () => undefined, {
    compiler: (route) => {
      if (isChecked(route)) schemas.push(route.schema);
      return () => true;
    },
  });
  await app.ready();
  await app.close();
  store.close();
  return schemas;
}
