import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { noveltiesIn, sinceFindings } from '#core/engine/service-too-old.js';
import { parseYaml } from '#core/manifest/parse.js';
import { validateManifests } from '#core/manifest/validate.js';
import { releaseMonth } from '#core/model/release-month.js';

const manifests = (text: string) => validateManifests(parseYaml(text, 'm.yaml').documents, builtIn).manifests;

const GROUP = `apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Quality }
spec: { description: TRAINING, assignability: [CHANGES, TRAINING] }
`;
const RESERVATION = `apiVersion: dexsync/v1
kind: NumberReservation
metadata: { name: Housings }
spec: { category: Resistor, quantity: 2 }
`;

const found = (text: string, release: string) =>
  sinceFindings(noveltiesIn(manifests(text), builtIn.manifestTypeNamed), release, 'dev').map(
    ({ code, message, origin }) => `${origin?.line}:${origin?.column} ${code} ${message}`,
  );

describe('a feature newer than the service (interface, section 9)', () => {
  test('is found as a value at its place', () => {
    expect(found(GROUP, '2025.1')).toEqual([
      '4:57 release-too-old UserGroup/Quality uses TRAINING, which requires release 2025.2; environment "dev" runs 2025.1.',
    ]);
  });

  test('is found as a kind', () => {
    expect(found(RESERVATION, '2024.4')).toEqual([
      '2:7 release-too-old NumberReservation/Housings uses NumberReservation, which requires release 2025-03; environment "dev" runs 2024.4.',
    ]);
  });

  test.each(['2025.2', '2025.3', '2026.1', 'newest'])('is not found in release %s', (release) => {
    expect(found(`${GROUP}---\n${RESERVATION}`, release)).toEqual([]);
  });

  test('is not found in a manifest of another tool, or where the release cannot be read', () => {
    const [group] = manifests(GROUP);
    if (group === undefined) throw new Error('not valid');
    expect(noveltiesIn([group], () => undefined)).toEqual([]);
    expect(sinceFindings([{ manifest: group, pointer: '', what: 'X', since: 'later' }], '2025.1', 'dev')).toEqual([]);
  });

  test('releases and months are compared', () => {
    expect([releaseMonth('2025.1'), releaseMonth('2025-03'), releaseMonth('2025')]).toEqual([24303, 24303, undefined]);
  });
});
