import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { digest as digestOf } from '#core/engine/normal-form.js';
import { type JsonObject, jsonIn } from '#core/model/json.js';
import { gitFactsSchema } from '#core/model/provenance.js';
import { countSchema, nameSchema, type Shape, Type } from '#core/model/schema.js';
import { signedVerdictSchema } from '#core/model/verdict.js';
import { hasShape } from '#core/shape.js';
import type { TargetResult } from '#core/stream/fleet-event.js';
import type { DocumentStore } from './document-store.js';
import { authorText, signedSchema } from './stored-plan.js';

/** The format of the rollouts of this version. */
export const ROLLOUT_FORMAT = 'dexsync-rollout/1';

const settingsSchema = Type.Object(
  {
    concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
    workers: Type.Optional(Type.Boolean()),
    budget: countSchema('How many environments may fail before no other is begun.'),
    soak: countSchema('Seconds between the end of a wave and the next one.'),
    check: Type.Optional(
      Type.Object({
        condition: Type.Optional(Type.String()),
        command: Type.Optional(Type.String()),
        approval: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  { description: 'As the configuration had them when it was planned.' },
);

/** How the waves of a rollout follow each other. */
export type RolloutSettings = Shape<typeof settingsSchema>;

const targetSchema = Type.Object({
  environment: nameSchema(),
  wave: countSchema('0: the first.'),
  group: nameSchema('Digest of its changes, equal for all environments of its group.'),
  plan: nameSchema('Digest of its plan.'),
  workspace: nameSchema('The identity of the workspace.'),
});

/** An environment of a rollout, and the plan for it. */
export type RolloutTarget = Shape<typeof targetSchema>;

export const rolloutSchema = Type.Object({
  format: Type.Literal(ROLLOUT_FORMAT),
  id: nameSchema(),
  stack: nameSchema(),
  fleet: nameSchema(),
  release: Type.Optional(Type.String()),
  ...signedSchema,
  git: Type.Optional(gitFactsSchema),
  settings: settingsSchema,
  planning: Type.Unsafe<JsonObject>(
    { type: 'object' },
    { description: 'The options of its plans, for a part of it that has to be planned again.' },
  ),
  targets: Type.Array(targetSchema),
  shown: Type.Unsafe<JsonObject>({ type: 'object' }, { description: 'The plans of the fleet as they are shown.' }),
  digest: Type.String(),
  hmac: Type.Optional(Type.String()),
});

/** A change of a fleet as it was planned: which environments, in which waves, with which plans. */
export type Rollout = Shape<typeof rolloutSchema>;

export const rolloutNoteSchema = Type.Object({
  ...signedSchema,
  is: Type.Unsafe<
    | TargetResult
    | 'opened'
    | 'begun'
    | 'paused'
    | 'resumed'
    | 'stopped'
    | 'retried'
    | 'passed'
    | 'refused'
    | 'approved'
    | 'rejected'
  >(
    { type: 'string', minLength: 1 },
    {
      description:
        'opened: the rollout began; begun and results: of an environment; passed, refused: the check of a wave; approved, rejected: a group by a reviewer, or a wave by a person.',
    },
  ),
  environment: Type.Optional(nameSchema()),
  wave: Type.Optional(countSchema()),
  group: Type.Optional(nameSchema()),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  hint: Type.Optional(Type.String()),
  signed: Type.Optional(signedVerdictSchema),
  until: Type.Optional(Type.String({ description: 'When a deferred environment is worth another try.' })),
});

/** What happened to a rollout, or what somebody said about it. */
export type RolloutNote = Shape<typeof rolloutNoteSchema>;

/** A rollout in the ledger, with everything that happened to it, in that order. */
export interface StoredRollout {
  /** Its name on its shelf. */
  readonly document: string;
  readonly name: string;
  readonly rollout: Rollout;
  readonly notes: readonly RolloutNote[];
}

/** A rollout by its fleet and its name among those of the fleet. */
export interface RolloutKey {
  readonly document: string;
  readonly fleet: string;
  readonly name: string;
}

const DOCUMENT = /^(.+)@(\d{8}T\d{9}Z)-([A-Za-z0-9][A-Za-z0-9._-]*)$/;

/** The name of a rollout on its shelf: the later one comes last. */
export const rolloutDocument = ({ fleet, at }: Pick<Rollout, 'fleet' | 'at'>, name: string): string =>
  `${fleet}@${at.replaceAll(/[-:.]/g, '')}-${name}`;

/** Lists the rollouts of all fleets, for each fleet the oldest first. */
export const rolloutKeys = async (store: Pick<DocumentStore, 'names'>): Promise<readonly RolloutKey[]> =>
  (await store.names()).flatMap((document) => {
    const [, fleet, , name] = DOCUMENT.exec(document) ?? [];
    return fleet === undefined || name === undefined ? [] : [{ document, fleet, name }];
  });

/** Reads a rollout; undefined if it is not there. Throws LEDGER_DAMAGED. Notes of later versions are left out. */
export async function readRollout(
  store: Pick<DocumentStore, 'read'>,
  { document, name }: Pick<RolloutKey, 'document' | 'name'>,
): Promise<StoredRollout | undefined> {
  const kept = await store.read(document);
  if (kept === undefined) return undefined;
  const rollout = parseRollout(kept.text);
  if (rollout === undefined)
    throw new DexsyncError('LEDGER_DAMAGED', `The rollout ${name} of the ledger is not as it was stored.`, {
      hint: 'Restore it from a backup of the ledger, or plan a new one.',
    });
  return { document, name, rollout, notes: parseNotes(kept.notes) };
}

/** Reads what happened to a rollout, which itself never changes; empty if it is not there. */
export const readRolloutNotes = async (
  store: Pick<DocumentStore, 'read'>,
  { document }: Pick<RolloutKey, 'document'>,
): Promise<readonly RolloutNote[]> => parseNotes((await store.read(document))?.notes ?? []);

const parseNotes = (notes: readonly string[]): RolloutNote[] =>
  notes.map(jsonIn).filter((note) => hasShape(rolloutNoteSchema, note)) as unknown as RolloutNote[];

/** Returns the rollout in a text; undefined if it is none, or if its content does not match its digest. */
export function parseRollout(text: string): Rollout | undefined {
  const value = jsonIn(text);
  if (!hasShape(rolloutSchema, value)) return undefined;
  const rollout = value as unknown as Rollout;
  return rolloutDigest(rollout) === rollout.digest ? rollout : undefined;
}

/** The digest of all that a rollout says, and of its plans through theirs. */
export const rolloutDigest = ({
  digest: _,
  hmac: __,
  ...rest
}: Omit<Rollout, 'digest'> & { digest?: string }): string => `sha256:${digestOf(rest as unknown as JsonObject)}`;

/** The text that is stored for a rollout. */
export const rolloutText = (rollout: Rollout): string => `${JSON.stringify(rollout)}\n`;

/** Adds what happened. */
export const addRolloutNote = (
  store: Pick<DocumentStore, 'addNote'>,
  { document }: Pick<StoredRollout, 'document'>,
  note: RolloutNote,
): Promise<void> =>
  store.addNote(document, `${JSON.stringify(omitUndefined(note))}\n`, `${noteLog(note)} by ${authorText(note.author)}`);

const noteLog = ({ is, environment, wave, group }: RolloutNote): string => {
  if (environment !== undefined) return `${environment} ${is}`;
  return wave === undefined ? `${is}${group === undefined ? '' : ` ${group.slice(0, 12)}`}` : `wave ${wave + 1} ${is}`;
};
