/** The types in signatures of the library: each can be imported by its name. */

export type { Diagnostic, Origin } from '#base/diagnostics.js';
export type { ErrorCode, ExitCode } from '#base/errors.js';
export type { Redaction, Secrets } from '#base/secrets.js';
export type { Deciding } from '#core/engine/decision.js';
export type { FieldExplanation, FieldRule, ObjectExplanation } from '#core/engine/explain-object.js';
export type { ClosedGate } from '#core/engine/gates.js';
export type { ObjectChange } from '#core/engine/release.js';
export type { Stale } from '#core/engine/stale-objects.js';
export type { JobExplanation, RecordedRuns } from '#core/jobs/explain-job.js';
export type { CommitRule, ImportSpec } from '#core/jobs/import.js';
export type { Encoding, ImportSource, RowSource } from '#core/jobs/source.js';
export type { CellFault, ColumnPlace, RowTable, TableRow } from '#core/manifest/row-table.js';
export type { Acknowledgement } from '#core/model/acknowledgement.js';
export type { Address } from '#core/model/address.js';
export type { ApplyFacts, PlannedFacts } from '#core/model/apply-facts.js';
export type { AuditRecord } from '#core/model/audit-record.js';
export type { ErrorDocument } from '#core/model/diagnostic-schema.js';
export type { Metadata } from '#core/model/document.js';
export type { Finding, FindingCase, FindingGroup, FindingSummary } from '#core/model/findings.js';
export type { Cap, GuardFinding, GuardName, GuardSettings, Override } from '#core/model/guards.js';
export type { JobFacts } from '#core/model/job-facts.js';
export type { JobRun, JobState, ValidationCounts } from '#core/model/job-state.js';
export type { Json, JsonObject } from '#core/model/json.js';
export type { Guid, Named } from '#core/model/kind.js';
export type { LeaseFacts, LeaseState } from '#core/model/lease-facts.js';
export type { Capability } from '#core/model/observation.js';
export type { ImportFacts } from '#core/model/partial-imports.js';
export type {
  FieldChange,
  ImportRequest,
  Note,
  Plan,
  PlanCounts,
  Range,
  Step,
  SummaryKey,
  Write,
} from '#core/model/plan.js';
export type { Actor, Provenance } from '#core/model/provenance.js';
export type { Release, ReleaseChange, ReleaseContent, ReleasedObject } from '#core/model/release.js';
export type { RowChange, RowCounts, RowsPreview } from '#core/model/rows-preview.js';
export type { Action, Reason } from '#core/model/step-schema.js';
export type { Undone } from '#core/model/undone-imports.js';
export type { JudgedVerdict } from '#core/reviews/judge-reviews.js';
export type { Applier, Event, FoundInSource, PreviewPage, StepStatus, Summary } from '#core/stream/event.js';
export type {
  FleetEvent,
  ReviewedGroup,
  RolloutNext,
  RolloutStatus,
  RolloutTargetStatus,
  TargetReason,
  TargetResult,
} from '#core/stream/fleet-event.js';
export type { ImportEvent, WaitReason } from '#core/stream/import-event.js';
export type { ReportFiles } from '#core/stream/import-event-schema.js';
export type {
  BeforeImage,
  ImportOutcome,
  RunCounts,
  RunErrors,
  SettledRuns,
} from '#core/stream/import-outcome.js';
export type { PageAction, PageEvent, PageRole } from '#core/stream/page-event.js';
export type { Certainty, ErrorGroup, RowError, Sample } from '#core/stream/row-error.js';
export type { TransferEvent, TransferOutcome, UnpackedFile } from '#core/stream/transfer-event.js';
export type {
  DriftedBriefly,
  HeldReason,
  HeldStep,
  RoundCause,
  RoundEnd,
  RoundResult,
  WatchEvent,
  WatchPolicy,
} from '#core/stream/watch-event.js';
export type { AssemblyTitle } from '#data/bulk/inspect/assembly-title.js';
export type { OtherTable } from '#data/bulk/inspect/choose-table.js';
export type { ColumnSummary } from '#data/bulk/inspect/column-summary.js';
export type { DraftKind } from '#data/bulk/inspect/draft.js';
export type { InspectedSheet, Inspection } from '#data/bulk/inspect/inspect-table.js';
export type { LookedUpParts } from '#data/bulk/inspect/known-items.js';
export type { GivenMeanings, Meaning } from '#data/bulk/inspect/meanings.js';
export type { Proposal } from '#data/bulk/inspect/propose.js';
export type { Reading } from '#data/bulk/inspect/readings.js';
export type {
  FailedRowChoice,
  KeptRunReport,
  ShownFailedRow,
  ShownRowError,
} from '#data/bulk/report/read-run-report.js';
export type { AllowedInColumn, ReportedRun, ReportFacts, RunReport } from '#data/bulk/report/run-report.js';
export type { SplitCounts } from '#data/bulk/report/split-rows.js';
export type { HeaderCandidate } from '#data/bulk/source/header-guess.js';
export type { SourceNote } from '#data/bulk/source/source-table.js';
export type { EventEntry, NumberAndName } from '#data/events/event-entry.js';
export type { ChosenEvents } from '#data/events/event-targets.js';
export type { Fetching } from '#data/exchange/fetch-files.js';
export type { ReceiveOptions } from '#data/exchange/receive-files.js';
export type { RunRecord } from '#data/exchange/run-record.js';
export type { BlockedImport } from '#data/imports/check-sources.js';
export type { FileMap, MappedField, UnmappedColumn } from '#data/imports/column-map.js';
export type { FileImport } from '#data/imports/file-manifest.js';
export type { KnownImport } from '#data/imports/known-imports.js';
export type { PreviewMode } from '#data/imports/preview/preview-jobs.js';
export type { RowChanges } from '#data/imports/preview/row-changes.js';
export type { Manner } from '#delivery/apply/execute-plan.js';
export type { ExitRule, ManualSteps } from '#delivery/apply/exit-code.js';
export type { FleetPlan, PlanGroup, Problem } from '#delivery/fleet/group-plans.js';
export type { QuotaNeed } from '#delivery/fleet/rollout-days.js';
export type { Target } from '#delivery/fleet/run-targets.js';
export type { TriedTarget } from '#delivery/notify/listener.js';
export type { Ask, Asking, Confirmation } from '#delivery/planfile/consent.js';
export type { EarlierVerdict } from '#delivery/planfile/earlier-verdicts.js';
export type { PlanPlace } from '#delivery/planfile/plan-text.js';
export type { SavedPlan } from '#delivery/planfile/read-plan.js';
export type { Approving } from '#delivery/planfile/reviews.js';
export type { Signature } from '#delivery/planfile/signature.js';
export type { UnusablePlan } from '#delivery/planfile/waiting-plans.js';
export type { Consent } from '#delivery/planning/combine-guards.js';
export type { ComparedObject, Comparison } from '#delivery/planning/comparison.js';
export type { Drift } from '#delivery/planning/drift-in-plan.js';
export type { Adoption, PlanningOptions } from '#delivery/planning/planning-options.js';
export type { Layout } from '#delivery/pull/layout.js';
export type { PulledFile } from '#delivery/pull/pulled-files.js';
export type { Outside } from '#delivery/release/check-chain.js';
export type { Promotion } from '#delivery/release/promotions.js';
export type { FleetShares, StageShare } from '#delivery/release/stage-shares.js';
export type { LedgerCheck, LedgerProblem } from '#ledger/check-ledger.js';
export type { StepCounts, StepOutcome, UndoneOutcome } from '#ledger/counts.js';
export type { HistoryEntry } from '#ledger/history/history-entry.js';
export type { JobResult } from '#ledger/history/job-results.js';
export type { LastSeen } from '#ledger/last-seen.js';
export type { AppliedStep } from '#ledger/ledger.js';
export type { KeptNote, ReleaseNote } from '#ledger/release-notes.js';
export type { StepResult } from '#ledger/step-results.js';
export type { KeptEntry, KeptReview, PlanReview, StoredPlan } from '#ledger/stored-plan.js';
export type { EnvironmentSelection } from '#project/config/select-environments.js';
export type { EnvironmentPair } from '#project/connection/environment-pair.js';
export type { Place } from '#project/connection/place.js';
export type { AddressChange, FoundList, Host, OpenList, ProjectOptions, Variables } from '#project/host.js';
export type { ListedObject, Listing } from '#project/live/listing.js';
export type { ListingYaml } from '#project/live/listing-yaml.js';
export type { ImportRun, RunStatus } from '#service/import-runs.js';
export type { EventList, QueuedEvent, ReconciledFilter } from '#service/outbound-events.js';
export type { Request, RequestBody } from '#service/send.js';
export type { ApiAnswer, OutputFile } from '../api/answer.js';
export type { GivenField } from '../api/input.js';
export type { AcceptedLedger, AcceptLedgerOptions } from '../operations/accept-ledger.js';
export type { AcknowledgeOptions } from '../operations/acknowledge.js';
export type { AcknowledgeImportOptions } from '../operations/acknowledge-import.js';
export type { AdoptOptions } from '../operations/adopt.js';
export type { ApiOptions, Method } from '../operations/api.js';
export type { ApplyOptions } from '../operations/apply.js';
export type { ApplyFleetOptions, CarryOnOptions } from '../operations/apply-fleet.js';
export type { ApplyReviewedOptions } from '../operations/apply-reviewed.js';
export type { ApplySavedOptions, CarryOutOptions } from '../operations/apply-saved.js';
export type { Blame, BlameOptions, FieldBlame } from '../operations/blame.js';
export type { CheckedLedger } from '../operations/check-ledger.js';
export type { CheckPlanOptions, PlanCheck } from '../operations/check-plan.js';
export type { ContinueOptions } from '../operations/continue-import.js';
export type { CreatedRelease, CreateReleaseOptions } from '../operations/create-release.js';
export type { DescribeOptions, Description } from '../operations/describe.js';
export type { DestroyOptions } from '../operations/destroy.js';
export type { DiffOptions } from '../operations/diff.js';
export type { DriftOptions } from '../operations/drift.js';
export type { CheckEnvironmentOptions, EnvironmentFacts } from '../operations/env-check.js';
export type { NextRelease, PromotedRelease } from '../operations/environment-release.js';
export type { ExplainOptions, Explanation, FieldFacts, KindRow, KindsOptions } from '../operations/explain.js';
export type { ExplainPlanOptions, PlanExplanation } from '../operations/explain-plan.js';
export type { ExportedReviews, ExportReviewsOptions } from '../operations/export-reviews.js';
export type { FetchOptions } from '../operations/fetch-run.js';
export type { ForgetOptions } from '../operations/forget.js';
export type { FormatOptions, FormatResult, FormattedFile, LeftFile } from '../operations/format.js';
export type { GetOptions } from '../operations/get.js';
export type { History, HistoryOptions } from '../operations/history.js';
export type { ImportFileOptions } from '../operations/import-file.js';
export type { ImportReport, ImportReportOptions } from '../operations/import-report.js';
export type { Forge } from '../operations/init-pipeline.js';
export type { InspectedFile, InspectFileOptions } from '../operations/inspect-file.js';
export type { ListedEnvironment } from '../operations/list-environments.js';
export type { EventListing, ListEventsOptions } from '../operations/list-events.js';
export type { ListedImports } from '../operations/list-imports.js';
export type { OpenPlan, OpenPlans } from '../operations/list-plans.js';
export type { Locks, ReleaseLocksOptions, ShownLease } from '../operations/locks.js';
export type { MapFileOptions } from '../operations/map-file.js';
export type { MovedLedger, MoveLedgerOptions } from '../operations/move-ledger.js';
export type { NoteReleaseOptions, RecordedNote } from '../operations/note-release.js';
export type { Orphan, Orphans, OrphansOptions } from '../operations/orphans.js';
export type { OutputOptions, Outputs } from '../operations/output.js';
export type { PlanOptions } from '../operations/plan.js';
export type { PlanFleetOptions } from '../operations/plan-fleet.js';
export type { PlanToReview, RecordedReview } from '../operations/plan-to-review.js';
export type { NameCategory } from '../operations/project-names.js';
export type { PromoteIntoOptions, PromoteOptions, Take } from '../operations/promote.js';
export type { PullOptions } from '../operations/pull.js';
export type { PulledDocument } from '../operations/pulled-document.js';
export type { Pulled, Unmanaged } from '../operations/pulled-objects.js';
export type { Quota, QuotaUser } from '../operations/quota.js';
export type { RebuildOptions } from '../operations/rebuild-ledger.js';
export type { ReconcileOptions, Reconciliation } from '../operations/reconcile-events.js';
export type { ReleaseOptions } from '../operations/release-reservation.js';
export type { ReleaseChoice } from '../operations/release-to-promote.js';
export type {
  DiffReleasesOptions,
  ExportReleaseOptions,
  ImportReleaseOptions,
  ListReleasesOptions,
  ReadReleaseOptions,
  ReleaseDifferences,
  ReleaseFacts,
  Releases,
  TransferredRelease,
} from '../operations/releases.js';
export type { RemovedPlan, RemovePlanOptions } from '../operations/remove-plan.js';
export type { RenderedManifest, RenderOptions } from '../operations/render.js';
export type { RetryOptions } from '../operations/retry-import.js';
export type { ReviewPlanOptions } from '../operations/review-plan.js';
export type { PlanSaved, SavePlanOptions } from '../operations/save-plan.js';
export type { RolloutSaved, SaveRolloutOptions } from '../operations/save-rollout.js';
export type { ServeOptions } from '../operations/serve.js';
export type { ServePageOptions } from '../operations/serve-page.js';
export type { AppliedRecord, ShowApplyOptions } from '../operations/show-apply.js';
export type { EventDetails, ShowEventOptions } from '../operations/show-event.js';
export type { LiveRun, ShownImport } from '../operations/show-import.js';
export type { SignedForPage, SignForPageOptions } from '../operations/sign-for-page.js';
export type {
  EnvironmentStatus,
  LastApply,
  Status,
  StatusOptions,
} from '../operations/status.js';
export type { FleetOptions, FleetOrphan, FleetOrphans, ReviewFleetOptions } from '../operations/steer-fleet.js';
export type { UndoOptions } from '../operations/undo-import.js';
export type { Validated } from '../operations/validate.js';
export type { ValidatedDocument } from '../operations/validated-document.js';
export type { PlanVerification, VerifyPlanOptions } from '../operations/verify-plan.js';
export type { WatchOptions } from '../operations/watch.js';
export type { RoundOptions } from '../operations/watch-round.js';
export type { WorkerOptions } from '../operations/worker-jobs.js';
export type { WrittenFile } from '../operations/write-new-files.js';
export type { ErrorFacts } from '../views/human/error-text.js';
export type { Palette } from '../views/human/palette.js';
export type { ResultTexts } from '../views/human/texts.js';
export type { Report, ReportEnd, ReportedFailure, ReportPart, ReportSetting } from '../views/report/report.js';
