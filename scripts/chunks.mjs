import { resolve } from 'node:path';

/** What Node or a command starts with, or starts as a process of its own: what these need stays apart. */
const ENTRIES = ['start.js', 'app/cli.js', 'emulator/main.js', 'emulator/run-worker.js'];

/** What commands load together, by the modules that they load: first what takes no service, then what takes one, or many. */
const TOGETHER = {
  manifests: ['app/operations/validate.js', 'app/views/open-view.js', 'app/views/human/texts.js'],
  service: ['app/operations/plan.js', 'app/operations/apply.js', 'ledger/file/file-backend.js'],
  fleets: ['app/operations/steer-fleet.js', 'app/operations/save-rollout.js'],
  page: ['app/operations/serve-page.js', 'app/operations/page-verdict.js', 'app/server/oidc-login.js'],
  reviews: ['app/operations/verify-plan.js', 'app/operations/export-reviews.js', 'app/operations/sign-for-page.js'],
};

/** A file for each of them: to find and open eighty small ones took a sixth of a short command. */
export const chunkGroups = Object.entries(TOGETHER).map(([name, roots], index, all) => {
  const before = [...ENTRIES, ...all.slice(0, index).flatMap(([, earlier]) => earlier)];
  /** @type {Set<string> | undefined} */
  let members;
  return {
    debugName: name,
    name(id, context) {
      members ??= difference(loadedWith(roots, context), loadedWith(before, context));
      return members.has(id) ? name : null;
    },
    priority: all.length - index,
  };
});

/**
 * @param {readonly string[]} paths
 * @param {import('rolldown').ChunkingContext} context
 */
function loadedWith(paths, context) {
  const loaded = new Set(paths.map((path) => resolve('dist', path)));
  // A set hands out what is added to it meanwhile.
  for (const id of loaded) for (const needed of context.getModuleInfo(id)?.importedIds ?? []) loaded.add(needed);
  return loaded;
}

/**
 * @param {ReadonlySet<string>} all
 * @param {ReadonlySet<string>} some
 */
const difference = (all, some) => new Set([...all].filter((one) => !some.has(one)));
