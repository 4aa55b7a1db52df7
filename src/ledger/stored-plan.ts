import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { fingerprintOf } from '#base/ssh/public-key.js';
import type { SavedPlanFacts } from '#core/model/apply-facts.js';
import { type JsonObject, jsonIn } from '#core/model/json.js';
import { pipelineRunSchema } from '#core/model/provenance.js';
import { type Shape, Type } from '#core/model/schema.js';
import { signedVerdictSchema } from '#core/model/verdict.js';
import { openVerdict } from '#core/reviews/open-verdicts.js';
import { hasShape } from '#core/shape.js';
import type { DocumentStore, KeptDocument } from './document-store.js';

const authorSchema = Type.Object({
  login: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  ci: Type.Optional(pipelineRunSchema),
  host: Type.String(),
});

/** Who saved or reviewed a plan, as far as environment, machine and pipeline show it without a login. */
export type Author = Shape<typeof authorSchema>;

/** Who said something, when and why. */
export const signedSchema = { at: Type.String(), author: authorSchema, reason: Type.Optional(Type.String()) };

export const reviewSchema = Type.Object({
  ...signedSchema,
  verdict: Type.Union([Type.Literal('approved'), Type.Literal('rejected')]),
  digest: Type.String(),
  signed: Type.Optional(signedVerdictSchema),
});

/** A review of a saved plan. Its digest identifies the plan, even if another one gets its name later. */
export type KeptReview = Shape<typeof reviewSchema>;

/** A review with its author as people write it: the signer if it is signed. */
export type PlanReview = KeptReview & {
  readonly by: string;
  /** The fingerprint of the key that signed it. */
  readonly key?: string;
  /** The reviewer clicked on the page, which signed. */
  readonly through?: 'page';
  /** Why its signature is worth nothing, for the end of a sentence. */
  readonly damage?: string;
};

const FORMAT = 'dexsync-stored-plan/1';

export const entrySchema = Type.Object({
  format: Type.Literal(FORMAT),
  ...signedSchema,
  plan: Type.Unsafe<JsonObject>({ type: 'object' }),
});

/** A saved plan as the ledger keeps it. */
export type KeptEntry = Shape<typeof entrySchema>;

/** A plan in the ledger: who saved it, and its reviews. */
export interface StoredPlan extends Omit<KeptEntry, 'format' | 'plan'> {
  readonly name: string;
  /** The author as people write it. */
  readonly by: string;
  readonly reviews: readonly PlanReview[];
}

/** A plan in the ledger with the content of a plan file, which is not checked yet. */
export interface StoredPlanFile {
  readonly stored: StoredPlan;
  readonly document: JsonObject;
}

/** Reads a plan of the ledger by its name; undefined if there is none. Throws LEDGER_DAMAGED. */
export async function readStoredPlan(plans: DocumentStore, name: string): Promise<StoredPlanFile | undefined> {
  const kept = await plans.read(name);
  return kept === undefined ? undefined : parseStoredPlan(name, kept);
}

/** The text that is stored for a plan. */
export const storedPlanText = (entry: Omit<KeptEntry, 'format'>): string =>
  `${JSON.stringify({ format: FORMAT, ...entry }, undefined, 1)}\n`;

/** The text that is stored for a review. */
export const reviewText = (review: KeptReview): string => `${JSON.stringify(review, undefined, 1)}\n`;

function parseStoredPlan(name: string, { text, notes }: KeptDocument): StoredPlanFile {
  const entry = jsonIn(text);
  const given = notes.map(jsonIn);
  if (!hasShape(entrySchema, entry) || !given.every((review) => hasShape(reviewSchema, review))) throw damaged(name);
  const { format: _, plan: document, ...kept } = entry as KeptEntry;
  const ofThis = (given as KeptReview[]).filter(({ digest }) => digest === document.digest);
  const by = authorText(kept.author);
  return { stored: { name, ...kept, by, reviews: ofThis.map(withSigner) }, document };
}

/** Verifies the signature of a review; who may sign is decided elsewhere. */
function withSigner(review: KeptReview): PlanReview {
  const by = authorText(review.author);
  if (review.signed === undefined) return { ...review, by };
  const opened = openVerdict(review.signed);
  if ('damage' in opened) return { ...review, by, damage: opened.damage };
  const { signer, through } = opened.statement;
  return { ...review, by: signer, key: fingerprintOf(opened.key), ...omitUndefined({ through }) };
}

const damaged = (name: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `The saved plan "${name}" of the ledger, or a review of it, cannot be read.`, {
    hint: `Remove it with \`dexsync plan remove ledger:${name}\`, then save the plan again.`,
  });

/** The name of an author; undefined if only the login is known. */
export const authorName = ({ user, ci }: Pick<Author, 'user' | 'ci'>): string | undefined => ci?.by ?? user;

/** `ann@example.com (ann)`: many people may share the login. */
export function authorText(author: Author): string {
  const name = authorName(author);
  if (author.login === undefined) return name ?? `somebody on ${author.host}`;
  return name === undefined ? author.login : `${author.login} (${name})`;
}

/** The facts of a saved plan that the history keeps. */
export const savedPlanFacts = ({ name, at, by, reason, reviews }: StoredPlan): SavedPlanFacts => ({
  name,
  at,
  by,
  ...omitUndefined({ reason }),
  reviews: reviews.map(({ verdict, at: given, by: reviewer, reason: why }) => ({
    ...{ verdict, at: given, by: reviewer },
    ...omitUndefined({ reason: why }),
  })),
});

/** The log entry for a change to a saved plan: `approved by ann@example.com (ann) on laptop`. */
export const changeLog = (what: string, author: Author): string =>
  `${what} by ${authorText(author)} on ${author.host}`.replaceAll(/\s+/g, ' ');
