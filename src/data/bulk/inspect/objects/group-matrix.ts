import { type ObjectsDraft, withRemark } from '../draft.js';
import type { Meaning } from '../meanings.js';
import { checkObjects } from './check-objects.js';
import { groupFields, yesCells } from './group-fields.js';
import { cellValue, readListTable } from './list-rows.js';
import type { RecognisedList } from './object-list.js';

/** Drafts a user group for each column of a list of people that marks its members. */
export async function draftGroupMatrix({ path, source, columns, list }: RecognisedList): Promise<ObjectsDraft[]> {
  const { meanings } = list;
  const { rows } = await readListTable(path, source);
  const drafts: ObjectsDraft[] = [];
  for (const column of columns.filter(({ name }) => meanings.get(name) === 'group')) {
    const marks = yesCells(column);
    const [fields] = groupFields({
      rows: rows.filter((row) => marks.includes(cellValue(row, column))),
      groups: new Map(),
      columns: (meaning: Meaning) => columns.filter(({ name }) => meanings.get(name) === meaning),
    });
    const [mark = '', ...more] = marks;
    const where = { ...source.where, [column.name]: more.length === 0 ? mark : marks };
    const draft: ObjectsDraft = {
      ...{ kind: 'objects', of: 'UserGroup', meanings, source: { ...source, where } },
      ...{ spec: fields?.spec ?? {}, metadata: { name: column.header.trim() }, open: [] },
      remarks: [`Members of this group are the rows with ${JSON.stringify(mark)} in "${column.name}".`],
    };
    drafts.push(await checkObjects(path, (fields?.remarks ?? []).reduce(withRemark, draft)));
  }
  return drafts;
}
