import { describe, expect, test } from 'vitest';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { KnownParts, LookUp } from '#data/bulk/inspect/known-items.js';
import { fileOf } from '../support.js';

const lookUpIn =
  (parts: KnownParts['parts'], unread: readonly string[] = []): LookUp =>
  async () => ({ environment: 'prod', requests: 3, parts, unread, why: 'it would take more' });

async function inspected(content: string, lookUp?: LookUp) {
  const path = await fileOf('list.csv', content);
  const { signal } = new AbortController();
  return (await inspectTable({ path, file: 'list.csv' }, { file: 'list.csv' }, signal, lookUp && { lookUp }))
    .inspection;
}

const HEAD = 'Value,Package,Designator,Qty,Manufacturer,MPN';
const known = [{ maker: 'Yageo', number: 'RC-1', items: ['R-0001'] }];

describe("makers' numbers without item numbers", () => {
  test('an item that has the part keeps its number, in all manifests; other rows keep the proposed one', async () => {
    const { proposal, lookedUp } = await inspected(
      `${HEAD}\n10k,0603,R1,1,Yageo,RC-1\n1u,0805,C1,1,Murata,GRM-1\n`,
      lookUpIn(known),
    );
    expect(lookedUp).toEqual({ environment: 'prod', requests: 3, numbers: 2, found: 1, near: 0, unread: [] });
    const sources = proposal.manifests.filter(({ kind }) => kind === 'Import').map(({ spec }) => spec);
    expect(sources).toHaveLength(3);
    for (const spec of sources)
      expect(spec).toMatchObject({
        source: { columns: { 'Item Number': '{MPN}' }, values: { 'Item Number': { 'RC-1': 'R-0001' } } },
      });
    expect(proposal.text).toContain('belong to an item of prod have its number: row 2 is R-0001.');
  });

  test('also where a part without a maker is numbered by what it is', async () => {
    const rows = ['10k,0603,R1,1,Yageo,RC-1', '1u,0805,C1,1,Murata,GRM-1', 'LED,0603,D1,1,,'];
    const { proposal } = await inspected(`${HEAD}\n${rows.join('\n')}\n`, lookUpIn(known));
    expect(proposal.problems).toEqual([]);
    expect(proposal.text).toContain('columns: { Item Number: [ "{MPN}", "{Value} {Package}" ] }');
    expect(proposal.text).toContain('values: { Item Number: { RC-1: R-0001 } }');
  });

  test('a list of items changes none of those that exist', async () => {
    const { proposal } = await inspected('Manufacturer,MPN,Name\nYageo,RC-1,Resistor\nTDK,T-1,Coil\n', lookUpIn(known));
    expect(proposal.manifests.find(({ kind }) => kind === 'Import')?.spec).toMatchObject({ send: 'new' });
  });

  test('rows of one proposed number that are not one item get numbers of their own', async () => {
    const rows = ['10k,0603,R1,1,Yageo,RC-1', '10k,0603,R2,1,Vishay,CR-1', '1u,0805,C1,1,,', '2u,0805,C2,1,,'];
    const { proposal } = await inspected(`${HEAD}\n${rows.join('\n')}\n`, lookUpIn(known));
    expect(proposal.text).toContain('columns: { Item Number: "{Value} {Package} {MPN}" }');
    expect(proposal.text).toContain('values: { Item Number: { 10k 0603 RC-1: R-0001 } }');
    const same = ['10k,0603,R1,1,Yageo,RC-1', '10k,0603,R2,1,Vishay,RC-1', '1u,0805,C1,1,TDK,T-1'];
    const { proposal: makers } = await inspected(`${HEAD}\n${same.join('\n')}\n`, lookUpIn(known));
    expect(makers.text).toContain('columns: { Item Number: "{MPN} {Manufacturer}" }');
    expect(makers.text).toContain('values: { Item Number: { RC-1 Yageo: R-0001 } }');
  });

  test('what is nearly the same is listed with the setting that makes it one', async () => {
    const rows = ['10k,0603,R1,1,YAGEO,RC 1', '1u,0805,C1,1,TDK,T-1'];
    const { proposal } = await inspected(`${HEAD}\n${rows.join('\n')}\n`, lookUpIn(known));
    expect(proposal.remarks).toContainEqual(
      'Open: row 2: "RC 1" of "YAGEO" is nearly "RC-1" of "Yageo", a source of R-0001. If they are one part, write `values: { Item Number: { RC 1: "R-0001" } }`.',
    );
    expect(proposal.text).toContain('columns: { Item Number: "{MPN}" }');
    const equal = [{ maker: 'Yageo', number: 'RC-1', items: ['RC 1'] }];
    const { remarks } = (await inspected(`${HEAD}\n${rows.join('\n')}\n`, lookUpIn(equal))).proposal;
    expect(remarks.join('\n')).toContain('the number that is proposed for it too. If they are two parts, write');
  });

  test('a part of two items becomes no third one; rows that were not looked up are named', async () => {
    const two = [{ maker: 'Yageo', number: 'RC-1', items: ['R-1', 'R-2'] }];
    const rows = ['10k,0603,R1,1,Yageo,RC-1', '1u,0805,C1,1,TDK,T-1'];
    const { proposal, lookedUp } = await inspected(`${HEAD}\n${rows.join('\n')}\n`, lookUpIn(two, ['T-1']));
    expect(proposal.text).toContain('values: { Item Number: { RC-1: R-1 } }');
    expect(proposal.remarks.join('\n')).toMatch(/Open: row 2 is R-1\. Its maker's part is also a source of R-2\./);
    expect(proposal.remarks).toContainEqual('Open: row 3: not looked up, since it would take more.');
    expect(lookedUp?.unread).toEqual([3]);
  });

  test('a list with item numbers, or without those of makers, is not looked up', async () => {
    const never: LookUp = () => Promise.reject(new Error('looked up'));
    const own = await inspected('Part Number,Manufacturer,MPN\nA,Yageo,RC-1\nB,TDK,T-1\n', never);
    const bare = await inspected('Value,Package,Designator,Qty\n10k,0603,R1,1\n1u,0805,C1,1\n', never);
    expect([own.lookedUp, bare.lookedUp]).toEqual([undefined, undefined]);
    for (const { proposal } of [await inspected('Part Number,Manufacturer,MPN\nA,Yageo,RC-1\nB,TDK,T-1\n'), bare])
      expect(proposal.text).not.toContain('--env');
    const { proposal } = await inspected(`${HEAD}\n10k,0603,R1,1,Yageo,RC-1\n`);
    expect(proposal.remarks.join('\n')).toContain('inspect it with `--env NAME`');
  });
});
