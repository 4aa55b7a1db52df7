import { DexsyncError } from '#base/errors.js';
import { fingerprintOf } from '#base/ssh/public-key.js';
import { builtIn, type Catalog } from '#core/catalog.js';
import { digestOfChanges } from '#core/engine/changes-digest.js';
import { digestOfPlan } from '#core/engine/normal-form.js';
import { isObject } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import type { StoredPlan } from '#ledger/stored-plan.js';
import type { Host } from '#project/host.js';
import { checkPlanShape } from './check-shape.js';
import { notAPlan, planAltered, refuseUntrusted } from './plan-errors.js';
import { type PlanPlace, planTextAt } from './plan-text.js';
import { checkSignature, digestText, pipelineKey, planKey, type Signature } from './signature.js';

const PLAN_FORMAT = 'dexsync-plan/1';

/** A plan as saved, after its checks. */
export interface SavedPlan {
  /** The reference that was given; messages use it. */
  readonly file: string;
  readonly plan: Plan;
  /** `sha256:` and the digest of the plan. */
  readonly digest: string;
  /** `sha256:` and the digest of its changes, which is equal for all plans with the same changes. */
  readonly changes: string;
  readonly signature: Signature;
  /** The signature of a pipeline, and the fingerprint of its key; absent if none signed it. */
  readonly signed?: string;
  readonly signedBy?: string;
  /** For a plan in the ledger: who saved it, and its reviews. */
  readonly stored?: StoredPlan;
}

/**
 * Reads a saved plan and checks that it is complete and unchanged. The result can be applied: its whole shape is
 * checked, regardless of its source. `place` leads to the ledger of `ledger:NAME`, and to kinds of a project's own.
 */
export async function readPlan(file: string, host: Host, place: PlanPlace = {}): Promise<SavedPlan> {
  const { text, stored } = await planTextAt(file, place, host);
  const document = parsePlan(text, file);
  const found = checkDocument(document, file, host, await catalogFor(document, place, host));
  return stored === undefined ? found : { ...found, stored };
}

/** Checks the plan in a text with the catalog of an open project. */
export const checkPlan = (text: string, file: string, host: Host, catalog: Catalog): SavedPlan =>
  checkDocument(parsePlan(text, file), file, host, catalog);

/** Returns the catalog for a plan, which needs no configuration unless it has kinds of a project's own. */
async function catalogFor({ steps }: PlanDocument, place: PlanPlace, host: Host): Promise<Catalog> {
  const kinds = Array.isArray(steps) ? steps.map((step) => /^[^/]*/.exec(String(step?.address))?.[0] ?? '') : [];
  if (kinds.every((kind) => builtIn.manifestTypeNamed(kind) !== undefined)) return builtIn;
  const { findCatalog } = await import('#project/find-catalog.js');
  return findCatalog(place, host, 'needed');
}

type PlanDocument = Readonly<Record<string, unknown>>;

function checkDocument(document: PlanDocument, file: string, host: Host, catalog: Catalog): SavedPlan {
  const { digest, hmac, signed, ...rest } = document;
  if (typeof digest !== 'string') throw notAPlan(file, 'it has no digest.', PRINTED);
  if (hmac !== undefined && typeof hmac !== 'string') throw notAPlan(file, 'its "hmac" is not text.');
  if (digestText(digestOfPlan(rest as unknown as Plan)) !== digest) throw planAltered(file);
  const plan = checkPlanShape(rest, file, catalog);
  const signature = checkSignature(digest, hmac, planKey(host.variables));
  const key = pipelineKey(digest, signed);
  if (signed !== undefined && key === undefined) throw planAltered(file);
  const changes = digestText(digestOfChanges(plan));
  const pipeline = key === undefined ? {} : { signed: String(signed), signedBy: fingerprintOf(key) };
  return { file, plan, digest, changes, signature, ...pipeline };
}

/** Reads a plan to apply it. Throws PLAN_UNTRUSTED; only warns of a signature that cannot be checked. */
export async function readTrustedPlan(file: string, host: Host, place: PlanPlace): Promise<SavedPlan> {
  const saved = await readPlan(file, host, place);
  refuseUntrusted(saved.signature, file);
  if (saved.signature === 'unchecked') {
    const message = `${file} is signed, but its signature was not checked: DEXSYNC_PLAN_KEY is not set.`;
    host.emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'plan-unchecked', message } });
  }
  return saved;
}

const PRINTED = '`dexsync plan --json` prints a plan for programs; `--out FILE` saves a plan that can be applied.';

function parsePlan(text: string, file: string): PlanDocument {
  const value = asJson(text, file);
  const format = isObject(value) ? value.format : undefined;
  if (!isObject(value) || typeof format !== 'string' || !format.startsWith('dexsync-plan/'))
    throw notAPlan(file, `it has no "format": "${PLAN_FORMAT}".`);
  if (format !== PLAN_FORMAT) {
    const message = `${file} has the format ${format}; this version of dexsync reads ${PLAN_FORMAT}.`;
    throw new DexsyncError('PLAN_INVALID', message, {
      hint: 'Apply it with the version of dexsync that saved it, or plan again with this one.',
    });
  }
  if (isTooDeep(value)) throw notAPlan(file, `it is nested more than ${DEEPEST} levels deep.`);
  return value;
}

function asJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notAPlan(file, 'it is not JSON.', undefined, error);
  }
}

/** The deepest nesting: far more than any manifest needs, and little enough for functions that walk a plan. */
const DEEPEST = 100;

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
