import { Document, isMap, isSeq, type YAMLMap } from 'yaml';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import type { JsonObject } from '#core/model/json.js';
import { commentLine, oneLine } from './comment-line.js';
import { type Draft, draftDefinition, type OpenColumn, type ProposedDraft } from './draft.js';
import { objectsManifest, objectsText } from './objects/objects-text.js';

const API = 'dexsync/v1';

/** Builds the manifests of a draft: a definition and its Import, or objects of rows. */
export const draftManifests = (draft: ProposedDraft): readonly JsonObject[] =>
  draft.kind === 'objects' ? [objectsManifest(draft)] : importManifests(draft);

function importManifests(draft: Draft): readonly [definition: JsonObject, job: JsonObject] {
  const { name, source, send, repeated, settled } = draft;
  return [
    {
      apiVersion: API,
      kind: 'ImportDefinition',
      metadata: { name },
      spec: draftDefinition(draft) as unknown as JsonObject,
    },
    {
      apiVersion: API,
      kind: 'Import',
      metadata: { name },
      spec: {
        ...(settled?.spec as JsonObject | undefined),
        ...{ definition: name, source: source as unknown as JsonObject },
        ...omitUndefined({ send, repeated }),
      },
    },
  ];
}

/** Writes drafts as a file of manifests, with comments wherever somebody has to know or to decide something. */
export function manifestsText(drafts: readonly ProposedDraft[], remarks: readonly string[]): string {
  const head = remarks.map(commentLine).join('');
  const documents = drafts.flatMap((draft) => {
    const said = draft.remarks.map(commentLine).join('');
    if (draft.kind === 'objects') return [said + objectsText(draft)];
    const [definition, job] = importManifests(draft).map((manifest) => new Document(manifest)) as [Document, Document];
    arrange(definition, draft.open, draft.resource);
    arrange(job, [], draft.resource);
    return [said + textOf(definition), textOf(job)];
  });
  return head + documents.join('---\n');
}

const textOf = (document: Document): string => document.toString({ lineWidth: 0 });

/** Puts entries of a mapping and small maps on one line, and optional entries as a comment after a mapping. */
function arrange(document: Document, open: readonly OpenColumn[], resource: string): void {
  const mapping = document.getIn(['spec', 'options', 'mapping']);
  if (isSeq(mapping)) {
    for (const item of mapping.items) setFlow(item);
    if (open.length > 0) mapping.comment = open.map((column) => choiceText(column, resource)).join('\n');
  }
  const source = document.getIn(['spec', 'source']);
  if (isMap(source)) for (const { value } of source.items) if (isFlat(value)) setFlow(value);
}

function setFlow(node: unknown): void {
  if (isMap(node)) node.flow = true;
}

const isFlat = (node: unknown): node is YAMLMap =>
  isMap(node) && node.items.length <= 4 && node.items.every(({ value }) => !isMap(value) || isFlat(value));

/** An entry that only needs to be uncommented. */
function choiceText({ column, target, why }: OpenColumn, resource: string): string {
  const entry = new Document({ resource, ...target, sourceName: column });
  if (isMap(entry.contents)) entry.contents.flow = true;
  return ` - ${oneLine(textOf(entry))} # ${oneLine(why)}`;
}

/** Changes the path of the file in the source of a draft. */
export const withFile = <D extends ProposedDraft>(draft: D, file: ImportSource['file']): D => ({
  ...draft,
  source: { ...draft.source, file },
});

/** Columns with values that no field of a draft takes. */
export function unmappedIn(drafts: readonly ProposedDraft[]): string[] {
  const ofImports = drafts.filter((draft): draft is Draft => draft.kind !== 'objects');
  const mapped = new Set(ofImports.flatMap(({ mapping }) => [...mapping.values()]));
  const open = ofImports.flatMap((draft) => draft.open.map(({ column }) => column));
  return [...new Set(open)].filter((column) => !mapped.has(column));
}
