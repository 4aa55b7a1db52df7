import { expect, test } from 'vitest';
import { nameIn, rolesIn } from '#app/server/roles.js';
import { openSessions } from '#app/server/sessions.js';

const HOUR = 60 * 60 * 1000;
const ANN = { name: 'ann', roles: ['view'] } as const;

test('a session ends after 8 hours without a use, and after 24 in all', () => {
  let now = 0;
  const sessions = openSessions(() => now);
  const [idle, busy] = [sessions.open(ANN), sessions.open(ANN)];
  for (let hour = 1; hour < 24; hour += 1) {
    now = hour * HOUR;
    expect([hour, sessions.find(busy.id)?.name]).toEqual([hour, 'ann']);
    expect([hour, sessions.isOpen(idle.id)]).toEqual([hour, hour < 8]);
  }
  now = 24 * HOUR;
  expect(sessions.find(busy.id)).toBeUndefined();
});

test('each session has an id of its own, which nobody finds by trying, and which is gone when it is closed', () => {
  const sessions = openSessions(() => 0);
  const ids = Array.from({ length: 100 }, () => sessions.open(ANN).id);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/);
  const [id = ''] = ids;
  sessions.close(id);
  for (const other of [id, '', undefined, '__proto__', 'constructor']) expect(sessions.find(other)).toBeUndefined();
});

test('the oldest sessions give way to more than ten thousand', () => {
  const sessions = openSessions(() => 0);
  const first = sessions.open(ANN);
  for (let count = 0; count < 10_000; count += 1) sessions.open(ANN);
  expect(sessions.isOpen(first.id)).toBe(false);
});

test.each([
  [{ groups: ['readers'] }, ['view']],
  [{ groups: 'admins' }, ['view', 'operate']],
  [{ groups: ['engineers', 'admins', 'others'] }, ['view', 'data', 'operate']],
  [{ groups: ['Readers', 'reader', ['readers'], 7] }, []],
  [{ roles: ['admins'] }, []],
  [{}, []],
])('the claim %j gives the roles %j', (claims, roles) => {
  expect(rolesIn(claims, { view: ['readers'], data: ['engineers'], operate: ['admins'] })).toEqual(roles);
});

test('nobody has a role that the configuration gives to nobody', () => {
  expect(rolesIn({ teams: ['undefined', 'readers'] }, { claim: 'teams', view: ['readers'] })).toEqual(['view']);
});

test.each([
  [{ sub: '1', email: 'ann@example.com' }, 'ann@example.com'],
  [{ sub: '1', email: 'ann@example.com', email_verified: false, preferred_username: 'ann' }, 'ann'],
  [{ sub: '1', email: '' }, '1'],
])('the person of %j is %s', (claims, name) => {
  expect(nameIn(claims)).toBe(name);
});
