/**
 * The library: the commands as functions of their options and a host, which `createHost` creates. An operation reports
 * its findings and progress to the host as events, and returns data. Failures of the world (network, login, lock, disk)
 * and mistakes in configuration and manifests are thrown as `DexsyncError`; decide on its `code`. Times are ISO 8601 in
 * UTC, durations milliseconds unless a name says otherwise, sizes bytes, addresses `Kind/name`.
 */

export { DexsyncError, EXIT } from '#base/errors.js';
export { OVERRIDES } from '#core/model/guards.js';
export { WATCH_POLICIES } from '#core/stream/watch-event.js';
export { createHost, type HostOptions } from './create-host.js';
export type * from './library-types.js';

import { lazily } from './lazily.js';

/** Checks configuration and manifests; reaches no workspace. */
export const validate = lazily(async () => (await import('../operations/validate.js')).validate);
/** Returns the manifests of one environment with variables filled in and its overlay merged; reaches no workspace. */
export const render = lazily(async () => (await import('../operations/render.js')).render);
/** Formats the result of `render` as YAML documents, each below the place that it comes from. */
export const renderedYaml = lazily(async () => (await import('../operations/render.js')).renderedYaml);
/** Lists the environments of the configuration; reaches none. */
export const listEnvironments = lazily(
  async () => (await import('../operations/list-environments.js')).listEnvironments,
);
/** Finds the environments that patterns and a condition mean; reaches none. */
export const selectEnvironments = lazily(
  async () => (await import('../operations/select-environments.js')).selectEnvironments,
);
/** Formats manifests. */
export const format = lazily(async () => (await import('../operations/format.js')).format);
/** Compares the manifests with the workspace. Sends no write. */
export const plan = lazily(async () => (await import('../operations/plan.js')).plan);
/** Opens a store for all changes of rows, which `plan` and `promote` fill; a plan has the first of each import. */
export const openRowChanges = lazily(async () => (await import('#data/imports/preview/row-changes.js')).openRowChanges);
/** Makes a plan, asks `confirm`, and applies exactly that plan. */
export const apply = lazily(async () => (await import('../operations/apply.js')).apply);
/** Plans again, and applies the plan if it changes exactly what was reviewed. */
export const applyReviewed = lazily(async () => (await import('../operations/apply-reviewed.js')).applyReviewed);
/** Compares the manifests with the workspace and saves the plan, to a file or in the ledger. */
export const planInto = lazily(async () => (await import('../operations/save-plan.js')).planInto);
/** Reads a saved plan for review, without a workspace. */
export const readPlan = lazily(async () => (await import('#delivery/planfile/read-plan.js')).readPlan);
/** Checks whether a saved plan can still be applied. Sends no write. */
export const checkPlan = lazily(async () => (await import('../operations/check-plan.js')).checkPlan);
/** Applies a saved plan, or refuses it. Reads no manifest. */
export const applySaved = lazily(async () => (await import('../operations/apply-saved.js')).applySaved);
/** Lists the saved plans of the ledger. Sends no request. */
export const listPlans = lazily(async () => (await import('../operations/list-plans.js')).listPlans);
/** Approves or rejects a saved plan of the ledger. Sends no request. */
export const reviewPlan = lazily(async () => (await import('../operations/review-plan.js')).reviewPlan);
/** Signs a statement of the page of `serve`, and sends it there. Throws NETWORK, USAGE and PLAN_UNAPPROVED. */
export const signForPage = lazily(async () => (await import('../operations/sign-for-page.js')).signForPage);
/** Verifies a saved plan and the signed verdicts on it, without a login. Throws PLAN_ALTERED. */
export const verifyPlan = lazily(async () => (await import('../operations/verify-plan.js')).verifyPlan);
/** Writes signed verdicts as files that `ssh-keygen` checks. Throws UNKNOWN_NAME and USAGE. */
export const exportReviews = lazily(async () => (await import('../operations/export-reviews.js')).exportReviews);
/** Removes a saved plan from the ledger. Sends no request. */
export const removePlan = lazily(async () => (await import('../operations/remove-plan.js')).removePlan);
/** Keeps an environment in line with its manifests until the signal of the host aborts. */
export const watch = lazily(async () => (await import('../operations/watch.js')).watch);
/** Plans in all environments of a fleet; equal plans are one group. Sends no write. */
export const planFleet = lazily(async () => (await import('../operations/plan-fleet.js')).planFleet);
/** Plans in all environments of a fleet, and saves the rollout, to a file or in the ledger. */
export const planFleetInto = lazily(async () => (await import('../operations/save-rollout.js')).planFleetInto);
/** Begins a rollout, and works on it as far as it may. */
export const applyFleet = lazily(async () => (await import('../operations/apply-fleet.js')).applyFleet);
/** Resumes the rollout of a fleet. */
export const resumeFleet = lazily(async () => (await import('../operations/apply-fleet.js')).resumeFleet);
/** Resumes the rollout of a fleet, and tries again what failed. */
export const retryFleet = lazily(async () => (await import('../operations/steer-fleet.js')).retryFleet);
/** Works on the rollouts of fleets together with other workers, until the signal of the host. */
export const fleetWorker = lazily(async () => (await import('../operations/fleet-worker.js')).fleetWorker);
/** Shows the rollout of a fleet. Sends no request. */
export const fleetStatus = lazily(async () => (await import('../operations/steer-fleet.js')).fleetStatus);
/** Keeps a rollout from beginning other environments. Sends no request. */
export const pauseFleet = lazily(async () => (await import('../operations/steer-fleet.js')).pauseFleet);
/** Ends a rollout. Sends no request. */
export const stopFleet = lazily(async () => (await import('../operations/steer-fleet.js')).stopFleet);
/** Approves or rejects the changes of a rollout, or a wave of it. Sends no request. */
export const reviewFleet = lazily(async () => (await import('../operations/steer-fleet.js')).reviewFleet);
/** Lists the environments that left a fleet. Sends no request. */
export const fleetOrphans = lazily(async () => (await import('../operations/steer-fleet.js')).fleetOrphans);
/** Finds changes in the workspace since the last apply, apart from those that the manifests ask for. */
export const drift = lazily(async () => (await import('../operations/drift.js')).drift);
/** Compares two workspaces by the names of their objects. Sends no write. */
export const diff = lazily(async () => (await import('../operations/diff.js')).diff);
/** Records what an environment has, numbered and never changed. Sends no write to the service. */
export const createRelease = lazily(async () => (await import('../operations/create-release.js')).createRelease);
/** Lists the releases of the stack. Sends no request. */
export const listReleases = lazily(async () => (await import('../operations/releases.js')).listReleases);
/** Reads a release. Sends no request. */
export const readRelease = lazily(async () => (await import('../operations/releases.js')).readRelease);
/** Compares two releases object by object. Sends no request. */
export const diffReleases = lazily(async () => (await import('../operations/releases.js')).diffReleases);
/** Records what somebody says about a release: the result of a check, or that it must not go on. Sends no request. */
export const noteRelease = lazily(async () => (await import('../operations/note-release.js')).noteRelease);
/** Writes a release to a file. Sends no request. */
export const exportRelease = lazily(async () => (await import('../operations/releases.js')).exportRelease);
/** Adds the release of a file to the ledger. Sends no request. */
export const importRelease = lazily(async () => (await import('../operations/releases.js')).importRelease);
/** Finds who set the fields of an object, from the journals alone. Sends no request. */
export const blame = lazily(async () => (await import('../operations/blame.js')).blame);
/** Plans to give one environment what another one has. Sends no write to either. */
export const promote = lazily(async () => (await import('../operations/promote.js')).promote);
/** Plans a promotion and saves the plan, to a file or in the ledger. */
export const promoteInto = lazily(async () => (await import('../operations/promote.js')).promoteInto);
/** Explains which rule decided about an object and each of its fields. */
export const explainPlan = lazily(async () => (await import('../operations/explain-plan.js')).explainPlan);
/** Lists live objects that no stack owns. */
export const orphans = lazily(async () => (await import('../operations/orphans.js')).orphans);
/** Writes live objects as manifests. */
export const pull = lazily(async () => (await import('../operations/pull.js')).pull);
/** Adopts an existing object into this stack. */
export const adopt = lazily(async () => (await import('../operations/adopt.js')).adopt);
/** Records that somebody did manual steps that the service cannot show. */
export const acknowledge = lazily(async () => (await import('../operations/acknowledge.js')).acknowledge);
/** Gives up ownership of objects and leaves them unchanged. */
export const forget = lazily(async () => (await import('../operations/forget.js')).forget);
/** Deletes everything that this stack owns. */
export const destroy = lazily(async () => (await import('../operations/destroy.js')).destroy);
/** Sends one file through an import definition. */
export const importFile = lazily(async () => (await import('../operations/import-file.js')).importFile);
/** Shows the contents of a file and proposes manifests for it. Needs neither a configuration nor a workspace. */
export const inspectFile = lazily(async () => (await import('../operations/inspect-file.js')).inspectFile);
/** Checks a mapping against the headers of a file and the fields of the workspace. */
export const mapFile = lazily(async () => (await import('../operations/map-file.js')).mapFile);
/** Lists the imports that were sent, from the journals. */
export const listImports = lazily(async () => (await import('../operations/list-imports.js')).listImports);
/** Shows one import, with its runs as the workspace has them. */
export const showImport = lazily(async () => (await import('../operations/show-import.js')).showImport);
/** Resumes an import whose command ended before it was settled. */
export const resumeImport = lazily(async () => (await import('../operations/continue-import.js')).resumeImport);
/** Reads the error reports of an import again, and writes the outcome of every row to files. */
export const importErrors = lazily(async () => (await import('../operations/import-errors.js')).importErrors);
/** Reads the report of an import that was kept, with its failed rows. Sends no request. */
export const importReport = lazily(async () => (await import('../operations/import-report.js')).importReport);
/** Sends the failed rows of an import again, corrected. */
export const retryImport = lazily(async () => (await import('../operations/retry-import.js')).retryImport);
/** Records that failed rows of a committed import stay out of the workspace. */
export const acknowledgeImport = lazily(
  async () => (await import('../operations/acknowledge-import.js')).acknowledgeImport,
);
/** Undoes a committed import from its before image. */
export const undoImport = lazily(async () => (await import('../operations/undo-import.js')).undoImport);
/** Commits a validated import by name. */
export const commitImportRun = lazily(async () => (await import('../operations/continue-import.js')).commitImportRun);
/** Lists live objects as manifests describe them. Throws UNKNOWN_NAME for an unknown type or name. */
export const get = lazily(async () => (await import('../operations/get.js')).get);
/** Lists the live objects of all kinds that the service lists. Throws USAGE for a name, a world or a category. */
export const getAll = lazily(async () => (await import('../operations/get.js')).getAll);
/** Lists live objects as manifests in YAML. */
export const getManifests = lazily(async () => (await import('../operations/get.js')).getManifests);
/** Describes one object: live, last applied, and in the manifests. */
export const describe = lazily(async () => (await import('../operations/describe.js')).describe);
/** Reads all of a ledger and reports damage. */
export const checkLedger = lazily(async () => (await import('../operations/check-ledger.js')).checkEnvironmentLedger);
/** Accepts the remaining part of a ledger as the ledger, although this machine saw more of it. */
export const acceptLedger = lazily(async () => (await import('../operations/accept-ledger.js')).acceptLedger);
/** Moves a ledger to where the configuration says, and closes the old one. */
export const moveLedger = lazily(async () => (await import('../operations/move-ledger.js')).moveLedger);
/** Rebuilds a ledger from the part that can be read, and from the workspace. */
export const rebuildLedger = lazily(async () => (await import('../operations/rebuild-ledger.js')).rebuildLedger);
/** Lists the applies to a workspace, from the journals alone. */
export const history = lazily(async () => (await import('../operations/history.js')).history);
/** Reads what the ledger knows of each environment. */
export const status = lazily(async () => (await import('../operations/status.js')).status);
/** Serves the page on which a team sees its workspaces, until the signal of the host. */
export const servePage = lazily(async () => (await import('../operations/serve-page.js')).servePage);
/** Shows everything recorded about one apply. */
export const showApply = lazily(async () => (await import('../operations/show-apply.js')).showApply);
/** Looks up the present GUIDs by address. */
export const output = lazily(async () => (await import('../operations/output.js')).output);
/** Reports how much of the daily quota is left, and who used it. */
export const quota = lazily(async () => (await import('../operations/quota.js')).quota);
/** Logs in to an environment and reports what can be done there. */
export const checkEnvironment = lazily(async () => (await import('../operations/env-check.js')).checkEnvironment);
/** Releases the numbers of a reservation. */
export const releaseReservation = lazily(
  async () => (await import('../operations/release-reservation.js')).releaseReservation,
);
/** Sends any request with the login of the environment. */
export const api = lazily(async () => (await import('../operations/api.js')).api);
/** Runs an export or extract and puts its files into a folder. */
export const fetchRun = lazily(async () => (await import('../operations/fetch-run.js')).fetchRun);
/** Lists the events of an outbound integration. */
export const listEvents = lazily(async () => (await import('../operations/list-events.js')).listEvents);
/** Shows one event. */
export const showEvent = lazily(async () => (await import('../operations/show-event.js')).showEvent);
/** Sets events, or entries of one, to reconciled or unreconciled. */
export const reconcileEvents = lazily(async () => (await import('../operations/reconcile-events.js')).reconcileEvents);
/** Shows who is using an environment. */
export const showLocks = lazily(async () => (await import('../operations/locks.js')).showLocks);
/** Removes leases that were left behind, or takes them from their holders. */
export const releaseLocks = lazily(async () => (await import('../operations/locks.js')).releaseLocks);
/** Creates a project to start from. */
export const init = lazily(async () => (await import('../operations/init.js')).init);
/** Creates all that a repository needs for its pipelines, including this package. */
export const initPipeline = lazily(async () => (await import('../operations/init-pipeline.js')).initPipeline);
/** Lists what manifests can describe and refer to. */
export const listKinds = lazily(async () => (await import('../operations/explain.js')).listKinds);
/** Lists a project's environments, manifests or saved plans, for completion. Checks and reaches nothing. */
export const projectNames = lazily(async () => (await import('../operations/project-names.js')).projectNames);
/** Explains a kind or one of its fields. */
export const explain = lazily(async () => (await import('../operations/explain.js')).explain);
/** Runs the embedded workspace as a service. */
export const serve = lazily(async () => (await import('../operations/serve.js')).serve);
