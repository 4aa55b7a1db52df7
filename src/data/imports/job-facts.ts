import { relative, sep } from 'node:path';
import { omitUndefined } from '#base/omit-undefined.js';
import type { JobTerms } from '#core/engine/settled-jobs.js';
import type { ImportSpec } from '#core/jobs/import.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { JobFacts } from '#core/model/job-facts.js';
import { isOpen, type JobState } from '#core/model/job-state.js';
import type { JsonObject } from '#core/model/json.js';
import type { Observation } from '#core/model/observation.js';
import type { ImportFacts } from '#core/model/partial-imports.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';
import type { PreparedImport } from '../bulk/prepare.js';
import { takesAway } from '../bulk/read-back/lost-columns.js';
import type { Definition } from './definition.js';
import type { ReleasedFile } from './released-file.js';
import { mayStart } from './run/decide-commit.js';
import { priceOfImport, type ReadBack } from './run/price.js';
import type { RunHistory } from './run-history.js';

/** What preparing one import needs. Paths are absolute. */
export interface JobInput {
  /** Its spec is what the import asks for. */
  readonly manifest: Manifest;
  readonly observation: Observation;
  readonly workspace: string;
  readonly state: LedgerState;
  readonly host: Host;
  /** The folder of the configuration, and the stack of the import. */
  readonly project: Pick<Config, 'folder' | 'data' | 'stack' | 'fileStore'>;
  /** Imports to run again although their content was settled before. */
  readonly again?: ReadonlySet<Address>;
  readonly path: string;
  /** The absolute path of `source.files`. */
  readonly filesPath?: string;
  readonly folder: string;
  readonly definition: Definition;
  /** The very file of a release, if the rows must be those. */
  readonly released?: ReleasedFile | undefined;
  /** The content of the file, if the plan itself created it. */
  readonly content?: string;
  /** The definition by which a plan shows the records that the rows delete. */
  readonly shownBy?: JsonObject;
  /** The data rows of the file that are sent; all by default. */
  readonly only?: string;
  /** The key of the content whose failed rows it sends again. */
  readonly retries?: string;
  /** The committed content that it undoes. */
  readonly undoes?: ImportFacts['undoes'];
  /** Looks up rows that the ledger does not know; absent if no workspace is reached. */
  readonly history?: RunHistory;
}

export const countUnsent = (all: PreparedImport, sent: PreparedImport): Pick<JobFacts, 'unsent'> =>
  sent.only === undefined ? {} : { unsent: all.rows - sent.rows };

export function readRequest(
  { again, manifest }: JobInput,
  { commit: rule = 'clean', when = 'changed' }: ImportSpec,
): JobTerms {
  return {
    when,
    ...(again?.has(manifest.address) === true ? { again: 'asked' } : {}),
    commits: rule === 'never' ? 'never' : 'by rule',
    rule,
  };
}

/** The facts from manifest, definition and rows, regardless of earlier runs. */
export function deriveFacts(input: JobInput, spec: ImportSpec, prepared: PreparedImport) {
  const { manifest, definition, path, filesPath, project } = input;
  const { commit: rule = 'clean', failOn } = spec;
  const readBack = chooseReadBack(definition);
  const inProject = (file: string): string => relative(project.folder, file).replaceAll(sep, '/');
  return {
    address: manifest.address,
    rows: prepared.rows,
    ...(prepared.repeats === undefined ? {} : { repeated: prepared.repeats.count }),
    ...countEditions(definition, prepared),
    source: prepared.worksheet === undefined ? prepared.file : `${prepared.file} (${prepared.worksheet})`,
    definition: addressOf(importDefinition.name, spec.definition),
    ...modeOf(definition),
    ...omitUndefined({ records: readBack.records }),
    needs: [],
    findings: {
      errors: prepared.findings.errors,
      accepted: mayStart(prepared.findings, rule, failOn) ? ('yes' as const) : ('no' as const),
    },
    requests: priceOfImport(prepared.parts, rule, { ...spec, ...readBack }),
    request: {
      path: input.content === undefined ? inProject(path) : spec.source.file,
      ...omitUndefined({ content: input.content, shownBy: input.shownBy, released: input.released }),
      ...(filesPath === undefined ? {} : { files: inProject(filesPath) }),
      ...(prepared.only === undefined ? {} : { only: String(prepared.only) }),
      spec: manifest.spec,
      definition: { ...definition, spec: definition.spec as unknown as JsonObject },
    },
    origin: manifest.origins.start,
  };
}

const countEditions = ({ spec: { options } }: Definition, { files }: PreparedImport): Pick<JobFacts, 'editions'> =>
  files === undefined || options?.fileEdition === undefined ? {} : { editions: files.count };

/** The facts to record of an import; open runs that are resumed keep the `missing` that was recorded for them. */
export function factsToRecord(
  { project: { stack }, retries, undoes, state: { imports } }: JobInput,
  { definition }: ImportSpec,
  known: JobState | undefined,
  key: string,
  { attributes, file }: Pick<ImportFacts, 'attributes' | 'file'>,
): ImportFacts {
  const missing = isOpen(known) ? imports.get(key)?.facts?.missing : undefined;
  return {
    ...{ stack, definition },
    ...(Object.keys(attributes ?? {}).length === 0 ? {} : { attributes }),
    ...omitUndefined({ file, retries, undoes, missing }),
  };
}

/** What is read of the records of an import, before and after its commit. */
export const chooseReadBack = ({ spec }: Pick<Definition, 'spec'>): Pick<ReadBack, 'records' | 'isRemoving'> => {
  const { compared: records } = resourceNamed(spec.resource);
  return records === undefined ? {} : { records, isRemoving: takesAway({ mode: spec.mode ?? '' }) };
};

/** The service ignores letter case (wire-facts, section 4), and one of its answers returns lower case. */
const modeOf = ({ spec }: Definition): Pick<JobFacts, 'mode'> =>
  spec.mode === undefined ? {} : { mode: spec.mode.toUpperCase() };
