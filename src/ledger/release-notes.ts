import { jsonIn } from '#core/model/json.js';
import { releaseName } from '#core/model/release.js';
import { type Shape, Type } from '#core/model/schema.js';
import { hasShape } from '#core/shape.js';
import { type DocumentStore, noSuchRelease } from './document-store.js';
import { authorText, signedSchema } from './stored-plan.js';
import { type ReleaseKey, releaseDocument } from './stored-release.js';

export const releaseNoteSchema = Type.Object({
  ...signedSchema,
  is: Type.Union([Type.Literal('passed'), Type.Literal('failed'), Type.Literal('held'), Type.Literal('lifted')], {
    description: 'passed, failed: a check of an environment; held, lifted: whether it may go on.',
  }),
  check: Type.Optional(Type.String({ minLength: 1, description: 'The name of the check.' })),
  environment: Type.Optional(
    Type.String({ minLength: 1, description: 'Where it was checked, or where it must not go; everywhere if absent.' }),
  ),
});

/** What somebody said about a release after it was created. */
export type KeptNote = Shape<typeof releaseNoteSchema>;

/** A note with its author as people write it. */
export type ReleaseNote = KeptNote & { readonly by: string };

/** Reads the notes of a release, the oldest first. Texts of later versions are left out. */
export async function readNotes(releases: DocumentStore, key: ReleaseKey): Promise<readonly ReleaseNote[]> {
  const kept = await releases.read(releaseDocument(key));
  if (kept === undefined) throw noSuchRelease(releaseName(key));
  return kept.notes.flatMap((text) => {
    const note = jsonIn(text);
    return hasShape(releaseNoteSchema, note)
      ? [{ ...(note as KeptNote), by: authorText((note as KeptNote).author) }]
      : [];
  });
}

/** Adds a note to a release. */
export const addNote = (releases: DocumentStore, key: ReleaseKey, note: KeptNote, log: string): Promise<void> =>
  releases.addNote(releaseDocument(key), `${JSON.stringify(note, undefined, 1)}\n`, log);
