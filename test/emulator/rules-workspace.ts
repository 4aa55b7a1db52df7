import { onTestFinished } from 'vitest';
import { reference } from '#emulator/dialects/reference.js';
import { systemChance } from '#emulator/rules/guid-source.js';
import type { Workspace } from '#emulator/rules/workspace.js';
import { seed } from '#emulator/seed.js';
import { openStore } from '#emulator/store/open.js';

/** A temporary workspace for the rules alone, without a server. */
export async function rulesWorkspace(clock: () => Date, requestLimit = 1): Promise<Workspace> {
  const store = await openStore(undefined, (settings) => seed(settings, systemChance, clock, reference));
  onTestFinished(() => store.close());
  const { settings, usage } = store;
  const own = { id: 1, name: 'Test', address: () => 'http://here', release: '2025.4' };
  return { settings, usage, clock, chance: systemChance, dialect: reference, requestLimit, ...own };
}
