import type { Address } from '#core/model/address.js';
import { placeIn } from './place.js';
import type { Report } from './report.js';

/** An object that the command handled, and where reports list it: its manifest file, or the import itself. */
export interface ReportedObject {
  readonly address: Address;
  readonly suite: string;
}

/** Lists every object that a command validated, planned or imported, once. */
export function listReportedObjects({ validated, planned, rows, settled, sent, setting }: Report): ReportedObject[] {
  const described = [...(validated?.objects ?? []), ...(planned?.plan.steps ?? [])].map(({ address, origin }) => ({
    address,
    suite: placeIn(setting, 'project', origin)?.file ?? `dexsync ${setting.command}`,
  }));
  const acknowledged = (planned?.plan.notes ?? [])
    .filter(({ code }) => code === 'acknowledged')
    .flatMap(({ addresses }) => addresses.map((address) => ({ address, suite: `dexsync ${setting.command}` })));
  const imports = [...rows, ...settled, ...sent].map(({ address }) => ({ address, suite: address }));
  const all = new Map([...acknowledged, ...described, ...imports].map((object) => [object.address, object]));
  return [...all.values()];
}
