import { expect, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import { addressOf } from '#core/model/address.js';
import type { Step, Write } from '#core/model/plan.js';
import type { Failure } from '#delivery/apply/failure.js';
import { type RenameBackPorts, settleFailure } from '#delivery/apply/rename-back.js';

const address = addressOf('ImportDefinition', 'Parts');
const former = { stack: 's', how: 'adopted', applied: { mode: 'EDIT' }, protect: false, identity: 'old' } as const;
const back = { identity: 'old', name: 'Parts', fields: {} };
const create: Write = { verb: 'create', spec: {}, back };
const step: Step = {
  address,
  action: 'replace',
  reason: 'not-updatable',
  message: '',
  fields: [],
  writes: [{ verb: 'retire', to: 'Parts ~retired #1', fields: {} }, create],
  dependsOn: [],
  fingerprint: '',
  fact: { stack: 's', how: 'created', applied: { mode: 'DELETE' }, protect: false, former },
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
};
const CLAIMING = { clock: () => new Date(0), guidOf: () => undefined };
const REFUSED: Failure = { is: 'failed', code: 'SERVICE_ERROR', message: 'No.' };
const LOST: Failure = { is: 'unknown', code: 'WRITE_UNANSWERED', message: 'Lost.' };

const renamed = async () => 'renamed' as const;
const left = async () => 'left' as const;
const fails = async () => Promise.reject(new DexsyncError('SERVICE_ERROR', 'busy'));

test.each<[what: string, failed: Failure, renameBack: RenameBackPorts['renameBack'], says: string, object: unknown]>([
  ['refused, and renamed back', REFUSED, renamed, 'No. The old object is named "Parts" again.', former],
  [
    'refused, and not renamed back',
    REFUSED,
    fails,
    'No. The old object could not be named "Parts" again (busy); the next plan offers it.',
    { ...former, refused: { mode: 'DELETE' } },
  ],
  ['lost, and applied', LOST, left, 'Lost.', 'kept'],
  ['lost, not applied, and renamed back', LOST, renamed, 'Lost. The old object is named "Parts" again.', former],
  [
    'lost, not applied, and not renamed back',
    LOST,
    fails,
    'Lost. The old object could not be named "Parts" again (busy); the next plan offers it.',
    'kept',
  ],
  ['over with the apply', { ...REFUSED, code: 'INTERRUPTED' }, renamed, 'No.', former],
])('a creation that was %s', async (_, failed, renameBack, says, object) => {
  const { status, records } = await settleFailure(step, create, failed, { renameBack, ...CLAIMING });
  expect(status).toEqual({ ...failed, message: says });
  expect(records.map((record) => record.object)).toEqual(object === 'kept' ? [] : [object]);
});

test('a claim without an old object is withdrawn, also where one is to be renamed back', async () => {
  const fact = { stack: 's', how: 'created', applied: {}, protect: false } as const;
  const { records } = await settleFailure({ ...step, fact }, create, REFUSED, {
    renameBack: fails,
    ...CLAIMING,
  });
  expect(records.map(({ object }) => object)).toEqual([null]);
});
