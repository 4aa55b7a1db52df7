import type { Row } from '#base/sqlite/sqlite.js';
import { bodySchemas } from '../documented/documented.js';
import { givenAttributesSchema } from '../family/attribute-values.js';
import type { Family, Writer } from '../family/family.js';
import type { WriteRequest } from '../family/field.js';
import { findRow } from '../family/records.js';
import { Type } from '../routes/type.js';
import { BomMemory } from '../rules/import/bom-memory.js';
import { addLine, duplicateLine, editLine } from '../rules/import/import-bom-line.js';
import type { RowContext } from '../rules/import/import-context.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { ItemName } from '../store/item-draft.js';
import { EFFECTIVE, effectiveRevision, findRevision, readBomSettings } from '../store/item-revisions.js';
import type { BomLineRecord } from '../store/items.js';
import { bomLines } from './bom-lines.js';
import { items } from './items.js';
import { absent, type Drafts, type GivenAttribute, refuseEdit, toImportRow, writeAsRow } from './write-as-row.js';

/** What `setnull` may remove (wire-facts 8). */
const CLEARABLE = ['refDes', 'notes'];

/** Requests that write the BOM lines of working revisions (wire-facts 8.2). */
const lineWriter: Writer = {
  create: (writing) => {
    const { workspace, owner = '' } = writing;
    const { item, ...body } = writing.body;
    refuseEdit(findRow(workspace, items, owner));
    const child = childNamed(workspace, (item as GivenAttribute).guid);
    checkValues({ quantity: null, ...body }, owner, workspace);
    return writeLine(writing, owner, (drafts, memory) => {
      const [above, below] = [nameOf(owner, drafts), nameOf(child, drafts)];
      if (memory.closesCircle(above, below)) {
        throw refusal(3037, `"${below.number}" is at a higher level of the BOM of "${above.number}".`);
      }
      if (memory.linesOf(above, below).length > 0) throw duplicateLine(above, below);
      return addLine(above, below, toImportRow({ ...writing, body }, drafts, []), drafts, memory).guid;
    });
  },
  update: (writing, row) => {
    const { workspace, body } = writing;
    const parent = String(row.owner);
    refuseEdit(findRow(workspace, items, parent));
    checkValues(body, parent, workspace);
    writeLine(writing, parent, (drafts, memory) => {
      for (const line of linesAt(row, drafts)) {
        editLine(line, toImportRow(writing, drafts, CLEARABLE), drafts, memory);
      }
    });
  },
  remove: (writing, guid, only) => {
    const { workspace } = writing;
    const row = workspace.settings.get(`${bomLines.byGuid} AND ${only?.sql ?? 'TRUE'}`, guid, ...(only?.values ?? []));
    if (row === undefined) throw absent(guid);
    refuseEdit(findRow(workspace, items, String(row.owner)));
    writeLine(writing, String(row.owner), (drafts, memory) => {
      for (const line of linesAt(row, drafts)) memory.remove(line);
    });
  },
};

function writeLine<T>(writing: WriteRequest, parent: string, write: (drafts: Drafts, memory: BomMemory) => T): T {
  const { checkReferenceDesignators } = readBomSettings(writing.workspace.settings, parent);
  const checkRefDes = checkReferenceDesignators ? 'CHECK' : 'DO_NOT_CHECK';
  return writeAsRow(writing, 'ITEM_BOM', { mode: 'CREATE', checkRefDes }, (drafts) =>
    write(drafts, new BomMemory(drafts.lines, drafts.items)),
  );
}

const linesAt = ({ guid, owner, child }: Row, { lines }: RowContext): readonly BomLineRecord[] =>
  lines.linesOf(String(owner), String(child)).filter((line) => line.guid === guid);

function nameOf(guid: string, { items: drafted }: RowContext): ItemName {
  const name = drafted.nameByGuid(guid);
  if (name === undefined) throw refuse.guid(guid);
  return name;
}

/** The item that a line names: by its effective revision (3035), or by its working one while it is unreleased. */
function childNamed(workspace: Workspace, guid: string): string {
  findRow(workspace, items, guid);
  const revision = findRevision(workspace.settings, guid);
  if (revision === undefined) {
    if (effectiveRevision(workspace.settings, guid)) throw refusal(3035, 'A BOM takes effective revisions of items.');
    return guid;
  }
  if (revision.status !== EFFECTIVE) throw refuse.guid(guid);
  return revision.item;
}

const MOST = 999_999_999;
const LONGEST_NOTES = 4000;
const LONGEST_DESIGNATORS = 32_000;
const DESIGNATOR = /^[A-Za-z_]+\d+(-[A-Za-z_]*\d+)?$/;

/** Checks what lines refuse with codes of their own (wire-facts 8.2); imports check the rest. */
function checkValues({ quantity, refDes, notes }: WriteRequest['body'], parent: string, { settings }: Workspace): void {
  if (quantity === null || quantity === '') throw refusal(3036, 'The quantity is required.');
  if (quantity !== undefined) checkQuantity(quantity);
  if (typeof notes === 'string' && notes.length > LONGEST_NOTES) {
    throw refusal(3233, `Notes take ${LONGEST_NOTES} characters at most.`);
  }
  if (typeof refDes !== 'string' || !readBomSettings(settings, parent).checkReferenceDesignators) return;
  if (refDes.length > LONGEST_DESIGNATORS) {
    throw refusal(3604, `Reference designators take ${LONGEST_DESIGNATORS} characters at most.`);
  }
  const wrong = refDes.split(/[\s,;]+/).find((part) => part !== '' && !DESIGNATOR.test(part));
  if (wrong !== undefined) throw refusal(3606, `"${wrong}" is no reference designator such as R1 or R1-R4.`);
}

function checkQuantity(quantity: unknown): void {
  if (typeof quantity !== 'number' || !(quantity > 0)) throw refusal(3227, 'The quantity must be positive.');
  if (quantity > MOST) throw refusal(3228, `The quantity is ${MOST} at most.`);
}

const ofLines = bomLines.endpoints ?? {};

/** BOM lines with the requests that write them; a line without a quantity has a code of its own. */
export const writtenLines: Family = {
  ...bomLines,
  clearable: CLEARABLE,
  given: {
    ...bodySchemas(ofLines),
    quantity: Type.Optional(Type.Unknown()),
    additionalAttributes: givenAttributesSchema,
  },
  writer: lineWriter,
};
