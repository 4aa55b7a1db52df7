/** What only the commands use beside the library: views, reports, and texts that are safe to print. */

export { durationIn } from '#base/duration.js';
export { reasonOf } from '#base/errors.js';
export { diskError } from '#base/files/disk-error.js';
export { nearestHint } from '#base/nearest.js';
export { jsonWithoutWorkflowCommands, printableText, withoutWorkflowCommands } from '#base/printable.js';
export { openSecrets } from '#base/secrets.js';
export { shellWord } from '#base/shell-word.js';
export { namesSeveral } from '#core/engine/wildcard.js';
export { copiesRemovedUnasked, takenOverUnasked } from '#core/model/plan.js';
export { typesMeant } from '#core/model/types-meant.js';
export { NOTHING_DONE } from '#core/stream/event.js';
export { MEANINGS } from '#data/bulk/inspect/meanings.js';
export type { OpenReport, ReportOptions, ReportTarget } from '../operations/open-report.js';
export type { ViewKind, ViewOptions } from '../views/open-view.js';
export type { ReportFormat } from '../views/report/formats.js';
export { REPORT_FORMATS } from '../views/report/formats.js';
export type { Output, Shown, View } from '../views/view.js';

import { lazily } from './lazily.js';

/** Finds the lists that manifests come from. */
export const findList = lazily(async () => (await import('#data/bulk/find-list.js')).findList);
/** Writes the findings of a command to files, in the formats of pipelines. */
export const openReport = lazily(async () => (await import('../operations/open-report.js')).openReport);
/** Works in several environments, in those of one user in turn. */
export const runTargets = lazily(async () => (await import('#delivery/fleet/run-targets.js')).runTargets);
/** Views of the event stream. */
export const openView = lazily(async () => (await import('../views/open-view.js')).openView);
/** A listing as RFC 4180, ready for a spreadsheet. */
export const listingCsv = lazily(async () => (await import('../views/listing-csv.js')).listingCsv);
/** The history as lines of CSV. */
export const historyCsv = lazily(async () => (await import('../views/history-csv.js')).historyCsv);
/** The status of all environments as a page of HTML. */
export const statusPage = lazily(async () => (await import('../views/html/status-page.js')).statusPage);
/** The status of all environments as Markdown. */
export const statusMarkdown = lazily(async () => (await import('../views/human/status-text.js')).statusMarkdown);
/** Makes YAML safe for the log of a pipeline. */
export const yamlWithoutWorkflowCommands = lazily(
  async () => (await import('../views/log-yaml.js')).yamlWithoutWorkflowCommands,
);
/** A plan as JSON with all its rows, piece by piece. */
export const planJson = lazily(async () => (await import('../views/plan-json.js')).planJson);
/** Texts of results that are not events. */
export const texts = lazily(async () => (await import('../views/human/texts.js')).texts);
