import { printableText, toPrintable } from '#base/printable.js';
import type { Release } from '#core/model/release.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import type { Inspection } from '#data/bulk/inspect/inspect-table.js';
import type { FileMap } from '#data/imports/column-map.js';
import type { FleetPlan } from '#delivery/fleet/group-plans.js';
import type { SavedPlan } from '#delivery/planfile/read-plan.js';
import type { Comparison } from '#delivery/planning/comparison.js';
import type { Drift } from '#delivery/planning/drift-in-plan.js';
import type { Place } from '#project/connection/place.js';
import type { Listing } from '#project/live/listing.js';
import type { AcceptedLedger } from '../../operations/accept-ledger.js';
import type { Blame } from '../../operations/blame.js';
import type { CheckedLedger } from '../../operations/check-ledger.js';
import type { PlanCheck } from '../../operations/check-plan.js';
import type { CreatedRelease } from '../../operations/create-release.js';
import type { Description } from '../../operations/describe.js';
import type { EnvironmentFacts } from '../../operations/env-check.js';
import type { Explanation, KindRow } from '../../operations/explain.js';
import type { PlanExplanation } from '../../operations/explain-plan.js';
import type { ExportedReviews } from '../../operations/export-reviews.js';
import type { History } from '../../operations/history.js';
import type { InspectedFile } from '../../operations/inspect-file.js';
import type { ListedEnvironment } from '../../operations/list-environments.js';
import type { EventListing } from '../../operations/list-events.js';
import type { ListedImports } from '../../operations/list-imports.js';
import type { OpenPlans } from '../../operations/list-plans.js';
import type { Locks } from '../../operations/locks.js';
import type { MovedLedger } from '../../operations/move-ledger.js';
import type { RecordedNote } from '../../operations/note-release.js';
import type { Orphans } from '../../operations/orphans.js';
import type { RecordedReview } from '../../operations/plan-to-review.js';
import type { Pulled } from '../../operations/pulled-objects.js';
import type { Quota } from '../../operations/quota.js';
import type { Reconciliation } from '../../operations/reconcile-events.js';
import type { ReleaseDifferences, Releases, TransferredRelease } from '../../operations/releases.js';
import type { RemovedPlan } from '../../operations/remove-plan.js';
import type { RolloutSaved } from '../../operations/save-rollout.js';
import type { AppliedRecord } from '../../operations/show-apply.js';
import type { EventDetails } from '../../operations/show-event.js';
import type { ShownImport } from '../../operations/show-import.js';
import type { SignedForPage } from '../../operations/sign-for-page.js';
import type { Status } from '../../operations/status.js';
import type { FleetOrphans } from '../../operations/steer-fleet.js';
import type { PlanVerification } from '../../operations/verify-plan.js';
import { applyText } from './apply-text.js';
import { blameText } from './blame-text.js';
import { comparisonSummaryText, comparisonText } from './comparison-text.js';
import { descriptionText } from './description-text.js';
import { driftSummaryText, driftText } from './drift-text.js';
import { environmentText } from './environment-text.js';
import { environmentsText } from './environments-text.js';
import { type ErrorFacts, errorText } from './error-text.js';
import { eventsText, eventText, reconciliationText } from './events-text.js';
import { explanationText, kindsText } from './explain-text.js';
import { fileDiffText } from './file-diff-text.js';
import { fleetPlanText } from './fleet-text.js';
import { fold } from './fold-lines.js';
import { historyText } from './history-text.js';
import { inspectionText, proposalText, writtenText } from './inspect-text.js';
import { importDetailsText, importListText } from './known-imports-text.js';
import { acceptedLedgerText, ledgerText, movedLedgerText } from './ledger-text.js';
import { listingsText, listingText } from './listing-text.js';
import { locksText, releasedText } from './lock-text.js';
import { environmentHeading, environmentsSummary } from './many-text.js';
import { mapText } from './map-text.js';
import { objectExplanationText } from './object-explanation-text.js';
import { orphansText } from './orphans-text.js';
import { createPalette, type Palette } from './palette.js';
import { placeText } from './place-text.js';
import { promptText } from './prompt-text.js';
import { pullText } from './pull-text.js';
import { quotaText } from './quota-text.js';
import {
  createdReleaseText,
  releaseDifferencesText,
  releaseNoteText,
  releasesText,
  releaseText,
  transferredReleaseText,
} from './release-text.js';
import { fleetOrphansText, rolloutText, wavesText } from './rollout-text.js';
import { planCheckText, savedPlanText } from './saved-plan-text.js';
import { statusText } from './status-text.js';
import { openPlansText, planReviewText, removedPlanText } from './stored-plans-text.js';
import { exportedReviewsText, planVerificationText, signedForPageText } from './verification-text.js';

/** A text for each result that is not an event. Content of the workspace becomes safe to print. */
export interface ResultTexts {
  listing(listing: Listing): string;
  listings(listings: readonly Listing[]): string;
  description(description: Description): string;
  drift(found: Drift): string;
  driftSummary(found: Drift): string;
  comparison(found: Comparison): string;
  comparisonSummary(found: Comparison): string;
  orphans(found: Orphans): string;
  pull(pulled: Pulled): string;
  objectExplanation(explained: PlanExplanation): string;
  quota(quota: Quota): string;
  environment(facts: EnvironmentFacts): string;
  environments(listed: readonly ListedEnvironment[]): string;
  fleetPlan(found: FleetPlan): string;
  rollout(status: RolloutStatus): string;
  fleetOrphans(found: FleetOrphans): string;
  /** The waves of a rollout that was saved. */
  waves(waves: RolloutSaved['waves']): string;
  environmentHeading(environment: string): string;
  environmentsSummary: typeof environmentsSummary;
  events(listing: EventListing): string;
  event(details: EventDetails): string;
  reconciliation(done: Reconciliation): string;
  ledger(checked: CheckedLedger): string;
  movedLedger(moved: MovedLedger): string;
  acceptedLedger(accepted: AcceptedLedger): string;
  locks(locks: Locks): string;
  released(locks: Locks): string;
  history(found: History): string;
  blame(found: Blame): string;
  status(found: Status): string;
  applied(record: AppliedRecord): string;
  imports(found: ListedImports): string;
  importRun(shown: ShownImport): string;
  savedPlan(saved: SavedPlan): string;
  planCheck(check: PlanCheck): string;
  openPlans(found: OpenPlans): string;
  planReview(review: RecordedReview): string;
  signedForPage(done: SignedForPage): string;
  planVerification(found: PlanVerification): string;
  exportedReviews(done: ExportedReviews): string;
  removedPlan(removed: RemovedPlan): string;
  createdRelease(made: CreatedRelease): string;
  releases(found: Releases): string;
  release(release: Release): string;
  releaseNote(note: RecordedNote): string;
  releaseDifferences(found: ReleaseDifferences): string;
  transferredRelease(done: TransferredRelease): string;
  error(error: ErrorFacts): string;
  inspection(found: Inspection): string;
  /** Manifests as a file, in which nothing is altered for a terminal. */
  proposal(found: Inspection): string;
  /** The project that was written for a file. */
  writtenProject(folder: string, environment?: string): (found: InspectedFile) => string;
  map(map: FileMap): string;
  kinds(rows: readonly KindRow[]): string;
  explanation(explanation: Explanation): string;
  fileDiff(change: Parameters<typeof fileDiffText>[0]): string;
  /** The place where a command works, for a question. */
  place(place: Place): string;
  /** A question, with the answer that counts as yes. */
  prompt(question: string, expected: string): string;
  good(text: string): string;
  /** One name on each line, each safe to print: a line break in a name cannot make it look like two. */
  names(names: readonly string[]): string;
  /** A text that is safe to print. */
  line(text: string): string;
}

/** Creates the texts, with or without colour. */
export function texts(color: 'color' | 'plain', width?: number): ResultTexts {
  const palette = createPalette(color);
  const folded = (text: string): string => fold(text, width);
  return {
    listing: (listing) => folded(listingText(toPrintable(listing), width)),
    listings: (listings) => folded(listingsText(toPrintable(listings), palette, width)),
    description: (description) => folded(descriptionText(toPrintable(description), palette)),
    pull: (pulled) => pullText(toPrintable(pulled), palette),
    orphans: (found) => folded(orphansText(toPrintable(found), palette, width)),
    objectExplanation: (explained) => folded(objectExplanationText(toPrintable(explained), palette)),
    quota: (facts) => folded(quotaText(toPrintable(facts), palette, width)),
    environment: (facts) => folded(environmentText(toPrintable(facts), palette, width)),
    environments: (listed) => environmentsText(toPrintable(listed), width),
    environmentHeading: (environment) => environmentHeading(printableText(environment)),
    environmentsSummary: (codes) =>
      environmentsSummary(new Map([...codes].map(([name, code]) => [printableText(name), code]))),
    events: (listing) => folded(eventsText(toPrintable(listing), palette, width)),
    event: (details) => folded(eventText(toPrintable(details), palette)),
    reconciliation: (done) => folded(reconciliationText(toPrintable(done), palette)),
    imports: (found) => folded(importListText(toPrintable(found), palette, width)),
    importRun: (shown) => folded(importDetailsText(toPrintable(shown), palette)),
    ...fleetTexts(palette, width),
    ...ledgerTexts(palette, width),
    ...planTexts(palette, width),
    ...releaseTexts(palette, width),
    ...differenceTexts(palette, width),
    error: (error) => folded(errorText(toPrintable(error), palette)),
    inspection: (found) =>
      folded(inspectionText(toPrintable(found), palette, width)) + printableText(proposalText(found)),
    proposal: proposalText,
    writtenProject: (folder, environment) => (found) =>
      folded(writtenText(toPrintable(found), { folder, environment }, palette)),
    map: (map) => folded(mapText(toPrintable(map), palette, width)),
    kinds: (rows) => folded(kindsText(rows, width)),
    explanation: (explanation) => folded(explanationText(explanation, palette)),
    fileDiff: (change) => fileDiffText(change, palette),
    place: (place) => placeText(toPrintable(place)),
    prompt: (question, expected) => promptText(printableText(question), expected, width),
    good: (text) => palette.green(text),
    names: (names) => names.map((name) => `${printableText(name).replaceAll('\n', '<U+000A>')}\n`).join(''),
    line: printableText,
  };
}

/** Texts of fleets and their rollouts. */
function fleetTexts(
  palette: Palette,
  width?: number,
): Pick<ResultTexts, 'fleetPlan' | 'rollout' | 'fleetOrphans' | 'waves'> {
  const folded = (text: string): string => fold(text, width);
  return {
    fleetPlan: (found) => fleetPlanText(toPrintable(found), palette, width),
    rollout: (status) => folded(rolloutText(toPrintable(status), palette, width)),
    fleetOrphans: (found) => folded(fleetOrphansText(toPrintable(found), width)),
    waves: (waves) => folded(wavesText(toPrintable(waves))),
  };
}

/** Texts of the ledger, its locks and its history. */
function ledgerTexts(
  palette: Palette,
  width: number | undefined,
): Pick<
  ResultTexts,
  'ledger' | 'movedLedger' | 'acceptedLedger' | 'locks' | 'released' | 'history' | 'blame' | 'status' | 'applied'
> {
  const folded = (text: string): string => fold(text, width);
  return {
    ledger: (checked) => folded(ledgerText(toPrintable(checked), palette)),
    movedLedger: (moved) => folded(movedLedgerText(toPrintable(moved))),
    acceptedLedger: (accepted) => folded(acceptedLedgerText(toPrintable(accepted))),
    locks: (locks) => folded(locksText(toPrintable(locks), palette)),
    released: (locks) => folded(releasedText(toPrintable(locks))),
    blame: (found) => folded(blameText(toPrintable(found), width)),
    status: (found) => folded(statusText(toPrintable(found), palette, width)),
    history: (found) => folded(historyText(toPrintable(found), palette, width)),
    applied: (record) => folded(applyText(toPrintable(record), palette, width)),
  };
}

/** Texts of saved plans. */
function planTexts(
  palette: Palette,
  width: number | undefined,
): Pick<
  ResultTexts,
  | 'savedPlan'
  | 'planCheck'
  | 'openPlans'
  | 'planReview'
  | 'signedForPage'
  | 'planVerification'
  | 'exportedReviews'
  | 'removedPlan'
> {
  const folded = (text: string): string => fold(text, width);
  return {
    savedPlan: (saved) => folded(savedPlanText(toPrintable(saved), palette, width)),
    planCheck: (check) => folded(planCheckText(toPrintable(check), palette)),
    openPlans: (found) => folded(openPlansText(toPrintable(found), palette, width)),
    planReview: (review) => folded(planReviewText(toPrintable(review), palette)),
    signedForPage: (done) => folded(signedForPageText(toPrintable(done), palette)),
    planVerification: (found) => folded(planVerificationText(toPrintable(found), palette)),
    exportedReviews: (done) => folded(exportedReviewsText(toPrintable(done))),
    removedPlan: (removed) => folded(removedPlanText(toPrintable(removed))),
  };
}

/** Texts of releases. */
function releaseTexts(
  palette: Palette,
  width: number | undefined,
): Pick<
  ResultTexts,
  'createdRelease' | 'releases' | 'release' | 'releaseNote' | 'releaseDifferences' | 'transferredRelease'
> {
  const folded = (text: string): string => fold(text, width);
  return {
    createdRelease: (made) => folded(createdReleaseText(toPrintable(made), palette)),
    releases: (found) => folded(releasesText(toPrintable(found), width)),
    release: (release) => folded(releaseText(toPrintable(release), palette)),
    releaseNote: (note) => folded(releaseNoteText(toPrintable(note))),
    releaseDifferences: (found) => folded(releaseDifferencesText(toPrintable(found), palette)),
    transferredRelease: (done) => folded(transferredReleaseText(toPrintable(done))),
  };
}

/** Texts of drift and of comparisons. */
function differenceTexts(
  palette: Palette,
  width: number | undefined,
): Pick<ResultTexts, 'drift' | 'driftSummary' | 'comparison' | 'comparisonSummary'> {
  const folded = (text: string): string => fold(text, width);
  return {
    drift: (found) => folded(driftText(toPrintable(found), palette)),
    driftSummary: (found) => folded(driftSummaryText(toPrintable(found), palette)),
    comparison: (found) => folded(comparisonText(toPrintable(found), palette)),
    comparisonSummary: (found) => folded(comparisonSummaryText(toPrintable(found), palette)),
  };
}
