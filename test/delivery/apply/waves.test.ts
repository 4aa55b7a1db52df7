import { describe, expect, test } from 'vitest';
import { type Address, addressOf } from '#core/model/address.js';
import type { Step, Write } from '#core/model/plan.js';
import { type Meeting, meetings } from '#delivery/apply/waves.js';

const at = (name: string): Address => addressOf('Import', name);

function stepOf(name: string, needs: readonly string[] = [], verbs: readonly Write['verb'][] = ['import']): Step {
  return {
    address: at(name),
    dependsOn: needs.map(at),
    writes: verbs.map((verb) => ({ verb })),
  } as unknown as Step;
}

/** Whether a meeting is complete once all that waits for it has had its turn. */
async function isComplete(meeting: Meeting | undefined): Promise<boolean> {
  let complete = false;
  void meeting?.complete.then(() => {
    complete = true;
  });
  await new Promise(setImmediate);
  return complete;
}

/** Names of the imports by wave, as they share a meeting. */
function waves(steps: readonly Step[]): string[][] {
  const byMeeting = new Map<Meeting, string[]>();
  for (const [address, meeting] of meetings(steps)) {
    byMeeting.set(meeting, [...(byMeeting.get(meeting) ?? []), address.replace('Import/', '')]);
  }
  return [...byMeeting.values()];
}

describe('the waves of imports (design, section 8)', () => {
  test('imports without mutual needs meet; a dependent comes in a later wave, and its own dependents later still', () => {
    const steps = [stepOf('parts'), stepOf('makers'), stepOf('bom', ['parts', 'makers']), stepOf('kits', ['bom'])];
    expect(waves(steps)).toEqual([['parts', 'makers'], ['bom'], ['kits']]);
  });

  test('an import is in the wave after its latest need, in any order of the steps', () => {
    const steps = [
      stepOf('kits', ['parts', 'bom']),
      stepOf('bom', ['parts']),
      stepOf('files', ['parts']),
      stepOf('parts'),
    ];
    expect(waves(steps)).toEqual([['kits'], ['bom', 'files'], ['parts']]);
  });

  test('steps that import nothing meet nobody, and nobody waits for them', () => {
    const steps = [stepOf('definition', [], ['create']), stepOf('parts', ['definition']), stepOf('none', [], [])];
    expect(waves(steps)).toEqual([['parts']]);
    expect([...meetings(steps).keys()]).toEqual([at('parts')]);
  });

  test('a step that imports after another write is an import', () => {
    expect(waves([stepOf('parts', [], ['update', 'import'])])).toEqual([['parts']]);
  });

  test('each import of a wave waits until the others have come, or have ended without', async () => {
    const all = meetings([stepOf('parts'), stepOf('makers'), stepOf('bom', ['parts'])]);
    const first = all.get(at('parts'));
    expect(await isComplete(first)).toBe(false);
    first?.arrive(at('parts'));
    first?.arrive(at('parts'));
    expect(await isComplete(first)).toBe(false);
    first?.arrive(at('makers'));
    expect(await isComplete(first)).toBe(true);
    expect(await isComplete(all.get(at('bom')))).toBe(false);
  });
});
