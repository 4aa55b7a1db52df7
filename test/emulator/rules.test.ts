import { expect, test } from 'vitest';
import { isTimeZone, pacificDateTime, pacificDay, parseDateTime } from '#emulator/rules/date-times.js';
import { expandDesignators } from '#emulator/rules/import/designators.js';
import { hashPassword } from '#emulator/rules/passwords.js';
import { RequestLimit } from '#emulator/rules/request-limit.js';
import { authenticate, logIn } from '#emulator/rules/sessions.js';
import { SEED_USERS } from '#emulator/seed.js';
import { cellText } from '#emulator/sources/read-workbook.js';
import { setPasswords } from '#emulator/store/users.js';
import { rulesWorkspace } from './rules-workspace.js';

const MINUTE = 60_000;

/** The rules on a temporary workspace, with a clock that the test moves. */
async function workspaceAt(start: string, requestLimit = 10) {
  let now = new Date(start).getTime();
  const clock = () => new Date(now);
  const workspace = await rulesWorkspace(clock, requestLimit);
  setPasswords(workspace.settings, [SEED_USERS[0].email], hashPassword(PASSWORD));
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { workspace, pass };
}

const PASSWORD = 'of this test';
const credentials = { email: SEED_USERS[0].email, password: PASSWORD };

test.each([
  ['2014-05-02T21:22:13Z', 'Fri, 02-May-2014 14:22:13 GMT-0700 (PDT)'],
  ['2025-01-31T08:00:00Z', 'Fri, 31-Jan-2025 00:00:00 GMT-0800 (PST)'],
  ['2025-11-02T09:30:00Z', 'Sun, 02-Nov-2025 01:30:00 GMT-0800 (PST)'],
])('%s is %s in the headers of the service (wire-facts 2, "Rate headers")', (instant, written) => {
  expect(pacificDateTime(new Date(instant))).toBe(written);
});

test('a session lives for 90 minutes after its last call, and each call renews them (wire-facts 1)', async () => {
  const { workspace, pass } = await workspaceAt('2025-01-31T12:00:00Z');
  const token = await logIn(workspace, credentials);
  pass(89 * MINUTE);
  expect(authenticate(workspace, token).email).toBe(credentials.email);
  pass(89 * MINUTE);
  expect(authenticate(workspace, token).administrator).toBe(true);
  pass(91 * MINUTE);
  expect(() => authenticate(workspace, token)).toThrow('The request carries no session, or one that has ended.');
});

test('a workspace that starts again knows the last call of a session to the second', async () => {
  const { workspace, pass } = await workspaceAt('2025-01-31T12:00:00Z');
  const token = await logIn(workspace, credentials);
  for (const milliseconds of [89 * MINUTE, 999]) {
    pass(milliseconds);
    authenticate(workspace, token);
  }
  pass(90 * MINUTE - 999);
  // What is kept in memory belongs to the object.
  const startedAgain = { ...workspace };
  expect(authenticate(startedAgain, token).email).toBe(credentials.email);
});

test('a locked user can log in again after five minutes, and a right password forgets earlier failures', async () => {
  const { workspace, pass } = await workspaceAt('2025-01-31T12:00:00Z');
  const wrong = () => logIn(workspace, { ...credentials, password: 'wrong' }).catch((error: Error) => error.message);
  for (let attempt = 0; attempt < 4; attempt += 1) await wrong();
  await logIn(workspace, credentials);
  for (let attempt = 0; attempt < 5; attempt += 1) await wrong();
  await expect(logIn(workspace, credentials)).rejects.toThrow('locked for five minutes');
  pass(5 * MINUTE + 1);
  await expect(logIn(workspace, credentials)).resolves.toEqual(expect.any(String));
});

test('the request limit resets at midnight Pacific Time (wire-facts 2)', async () => {
  const { workspace, pass } = await workspaceAt('2025-01-31T07:59:00Z', 1);
  const limit = new RequestLimit(workspace);
  limit.take();
  limit.record({ method: 'GET', path: '/', status: 200, email: 'x', reason: null });
  expect(() => limit.take()).toThrow(
    'All 1 requests of this day are used. The next are possible at 2025-01-31T08:00:00Z.',
  );
  expect(new RequestLimit(workspace).allowance().remaining).toBe(0);
  pass(MINUTE);
  limit.take();
  expect(limit.allowance()).toMatchObject({ remaining: 0, secondsToReset: 24 * 60 * 60 });
});

test.each([
  ['winter', '2025-01-31T12:00:00Z', '2025-01-31T08:00:00Z', '2025-02-01T08:00:00Z'],
  ['summer', '2025-07-01T06:59:59Z', '2025-06-30T07:00:00Z', '2025-07-01T07:00:00Z'],
  ['the day of 23 hours', '2025-03-09T18:00:00Z', '2025-03-09T08:00:00Z', '2025-03-10T07:00:00Z'],
  ['the day of 25 hours', '2025-11-02T18:00:00Z', '2025-11-02T07:00:00Z', '2025-11-03T08:00:00Z'],
])('midnights of Pacific Time around an instant in %s', (_, now, start, end) => {
  expect(pacificDay(new Date(now))).toEqual({ start: new Date(start), end: new Date(end) });
});

test.each([
  ['2025-01-31', 'UTC', '2025-01-31T00:00:00.000Z'],
  ['2025-07-01 08:00', 'Europe/Paris', '2025-07-01T06:00:00.000Z'],
  ['2025-07-01T08:00:30', '+02:00', '2025-07-01T06:00:30.000Z'],
  ['2025-07-01T08:00:30.5Z', 'Europe/Paris', '2025-07-01T08:00:30.000Z'],
  ['2025-07-01T08:00-0700', 'UTC', '2025-07-01T15:00:00.000Z'],
  ['2025-02-29', 'UTC', undefined],
  ['2025-01-31T25:00', 'UTC', undefined],
  ['31.01.2025', 'UTC', undefined],
])('%s in %s is %s', (text, zone, iso) => {
  expect(parseDateTime(text, zone)?.toISOString()).toBe(iso);
});

test('time zones are UTC, offsets and names', () => {
  expect(['UTC', '+05:30', 'Asia/Tokyo', 'Nowhere/City', ''].map(isTimeZone)).toEqual([true, true, true, false, false]);
});

test.each([
  ['', []],
  ['C1', ['C1']],
  ['C1,C2; C3 C4', ['C1', 'C2', 'C3', 'C4']],
  ['R3-R5', ['R3', 'R4', 'R5']],
  ['R08-10', ['R08', 'R09', 'R10']],
  ['LED-RED', ['LED-RED']],
])('the designators of %j are %j', (text, designators) => {
  expect(expandDesignators(text)).toEqual(designators);
});

test.each([
  [null, ''],
  [1e21, '1e+21'],
  [0.1 + 0.2, '0.3'],
  [new Date('2025-01-31T00:00:00Z'), '2025-01-31'],
  [new Date('2025-01-31T08:30:00Z'), '2025-01-31T08:30:00'],
  [{ text: { richText: [{ text: 'a' }, { text: 'b' }] }, hyperlink: 'http://x' }, 'ab'],
  [{ formula: 'A1', result: 0 }, '0'],
  [{ formula: 'A1' }, ''],
  [{ error: '#N/A' }, '#N/A'],
])('the cell %j reads as %j', (value, text) => {
  expect(cellText(value)).toBe(text);
});
