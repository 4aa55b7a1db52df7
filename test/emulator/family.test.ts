import { expect, test } from 'vitest';
import { userGroups } from '#emulator/families/user-groups.js';
import { answerFor, answerSchema } from '#emulator/family/answer.js';
import { link } from '#emulator/family/derived-fields.js';
import { family } from '#emulator/family/family.js';
import { listRecords } from '#emulator/family/list-records.js';
import { choice, flag, serial } from '#emulator/family/plain-fields.js';
import { selectRecords } from '#emulator/family/records.js';
import { optionalReference, references, values } from '#emulator/family/reference-fields.js';
import { creationTime, creator, modificationTime, modifier } from '#emulator/family/stamp-fields.js';
import { createTables } from '#emulator/family/tables.js';
import { name, optionalText, text } from '#emulator/family/text-fields.js';
import { fullOnly, limited, onDemand, unique } from '#emulator/family/traits.js';
import { createRecord, removeRecord, replaceRecord } from '#emulator/family/write-record.js';
import { refuse } from '#emulator/rules/service-error.js';
import type { Caller } from '#emulator/rules/workspace.js';
import { rulesWorkspace } from './rules-workspace.js';

/** A family that no service has: requirements, which have a number, groups that care for them, and names of their own. */
const requirements = family({
  path: '/requirements',
  one: 'a requirement',
  many: 'requirements',
  table: 'requirements',
  paged: true,
  numbered: true,
  listView: 'compact',
  fields: {
    number: serial(),
    name: unique(limited(20, name()), 'a requirement'),
    description: fullOnly(text()),
    status: choice(['OPEN', 'CLOSED'], 'OPEN'),
    active: flag(true),
    source: optionalText(),
    group: optionalReference({ table: 'user_groups', shows: ['name'], path: '/settings/usergroups' }),
    carers: references(userGroups, 'requirement_carers'),
    synonyms: onDemand('includesynonyms', values('requirement_synonyms')),
    creationDateTime: creationTime(),
    creator: creator(),
    lastModifiedDateTime: modificationTime(),
    modifiedBy: modifier(),
    url: link('/requirements'),
  },
  search: { number: 'number', name: 'text', status: 'choice', active: 'flag', 'group.name': 'text', source: 'text' },
  check: (requirement) => {
    if (requirement.status === 'CLOSED' && requirement.active) throw refuse.invalid('status', 'it is active.');
    return requirement;
  },
});

/** A workspace as it was before the family came, then opened by a version that knows it. */
async function opened() {
  const clock = () => new Date('2026-02-03T04:05:06Z');
  const workspace = await rulesWorkspace(clock);
  const { settings } = workspace;
  createTables(settings, [requirements], []);
  const account = settings.get('SELECT guid, email, full_name FROM users LIMIT 1') ?? {};
  const caller = { guid: String(account.guid) } as Caller;
  const [group] = selectRecords(settings, userGroups);
  const create = (body: object) => String(createRecord(requirements, { workspace, caller, body: { ...body } }).guid);
  const replace = (guid: string, body: object) =>
    replaceRecord(requirements, { workspace, caller, body: { ...body } }, guid);
  const get = (guid: string) => answerFor(workspace, requirements, guid);
  const list = (query = {}) => listRecords(workspace, requirements, query);
  const remove = (guid: string) => removeRecord(requirements, { workspace, caller, body: {} }, guid);
  return { workspace, create, replace, remove, get, list, group: group?.guid ?? '' };
}

const codeOf = (work: () => unknown): number | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { details?: { code: number }[] }).details?.[0]?.code;
  }
};

test('a field that the request leaves out has its default, and the service adds number, times and people', async () => {
  const { create, get } = await opened();
  const guid = create({ name: 'Sharp edges' });
  expect(get(guid)).toEqual({
    guid,
    ...{ number: 1, name: 'Sharp edges', description: '', status: 'OPEN', active: true, source: null, group: null },
    ...{ carers: [], synonyms: [], creationDateTime: '2026-02-03T04:05:06Z' },
    creator: expect.objectContaining({ fullName: 'Ada Admin' }),
    ...{
      lastModifiedDateTime: null,
      modifiedBy: null,
      url: { api: `http://here/requirements/${guid}`, app: `http://here/requirements/${guid}` },
    },
  });
});

test('a full update resets omitted fields, keeps fields that no request can set, and is stamped', async () => {
  const { create, replace, get, group } = await opened();
  const said = { name: 'A', description: 'x', source: 'EU', group: { guid: group }, carers: [{ guid: group }] };
  const guid = create({ ...said, synonyms: ['b', 'c'] });
  expect(get(guid)).toMatchObject({
    group: { name: 'Everyone' },
    carers: [{ name: 'Everyone' }],
    synonyms: ['b', 'c'],
  });
  replace(guid, { name: 'a' });
  expect(get(guid)).toMatchObject({ number: 1, name: 'a', description: '', source: null, group: null, carers: [] });
  expect(get(guid)).toMatchObject({ synonyms: [], lastModifiedDateTime: '2026-02-03T04:05:06Z' });
});

test('each trait has its code', async () => {
  const { create, replace, remove, get } = await opened();
  const guid = create({ name: 'Taken' });
  expect(codeOf(() => create({ name: ' ' }))).toBe(3020);
  expect(codeOf(() => create({ name: 'x'.repeat(21) }))).toBe(3101);
  expect(codeOf(() => create({ name: 'TAKEN' }))).toBe(3003);
  expect(codeOf(() => create({ name: 'B', status: 'LOST' }))).toBe(3006);
  expect(codeOf(() => create({ name: 'B', carers: [{ guid: 'A'.repeat(20) }] }))).toBe(3011);
  expect(codeOf(() => create({ name: 'B', status: 'closed' }))).toBe(3003);
  expect(codeOf(() => replace(guid, { name: 'taken' }))).toBeUndefined();
  remove(guid);
  expect(codeOf(() => get(guid))).toBe(3011);
});

test('the list is searched by fields and their parts, and shows the compact view', async () => {
  const { create, list, group } = await opened();
  create({ name: 'One', group: { guid: group }, synonyms: ['I'] });
  create({ name: 'Two', status: 'closed', active: false });
  const names = (query: object) => list(query).map((entry) => entry.name);
  expect([names({ 'group.name': 'every*' }), names({ status: 'CLOSED' })]).toEqual([['One'], ['Two']]);
  expect([names({ number: '2' }), names({ active: 'true' }), names({ limit: '1' })]).toEqual([
    ['Two'],
    ['One'],
    ['One'],
  ]);
  expect(codeOf(() => list({ description: 'x' }))).toBe(3019);
  expect(Object.keys(list()[0] ?? {})).not.toContain('description');
  expect(Object.keys(list({ includesynonyms: 'false' })[0] ?? {})).not.toContain('synonyms');
});

test('the schema of answers has the fields of answers, in their order', async () => {
  const { create, get, list } = await opened();
  const guid = create({ name: 'One' });
  const keys = (schema: object) => Object.keys((schema as { properties: object }).properties);
  expect(keys(answerSchema(requirements))).toEqual(Object.keys(get(guid)));
  expect(keys(answerSchema(requirements, 'compact'))).toEqual(Object.keys(list()[0] ?? {}));
});
