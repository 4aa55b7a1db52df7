import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { Session } from '../harness/session.js';
import { differences, lines } from './description.js';

const QUEUE = '/outboundintegrations';

describe('older outbound integrations (wire-facts 6.2)', () => {
  let workspace: HostedWorkspace;
  let session: Session;

  beforeAll(async () => {
    workspace = await openHosted('--dialect', 'arena');
    session = await Session.open(workspace);
    await session.importNow(await session.define('ITEM_SPECS', 'CREATE'), 'number,name\r\nQ-1,One\r\nQ-2,Two\r\n');
  });

  afterAll(() => workspace.stop());

  /** Asks, and compares the status and keys of the answer with the description. */
  const play = async (method: 'GET' | 'PUT', path: string, guids: readonly string[], query = '', body?: object) => {
    const line = lines.find((one) => one.method === method && one.path === path);
    const at = guids.reduce((found, guid) => found.replace('{guid}', guid), path);
    const answer = await session.send(method, `${at}${query}`, body);
    expect([answer.status, answer.text]).toEqual([line?.status, expect.any(String)]);
    expect(differences(line?.answer ?? 'null', answer.body, path)).toEqual([]);
    return answer.body;
  };

  test('shows the same integrations and events by its own names, and reconciles them', async () => {
    const [integration] = (await play('GET', QUEUE, [])).results;
    expect(await play('GET', `${QUEUE}/{guid}`, [integration.guid])).toMatchObject({ name: integration.name });
    const of = [integration.guid];
    const [administrator] = (await play('GET', `${QUEUE}/{guid}/administrators`, of)).results;
    const events = `${QUEUE}/{guid}/events`;
    const [event] = (await play('GET', events, of, '?itemsReconciled=false&creationDateTimeFrom=2001-01-01')).results;
    expect(event).toMatchObject({ eventType: 'REVISIONING_EVENT', itemsReconciled: false });
    const ofEvent = [...of, event.guid];
    const guids = () => play('GET', `${events}/{guid}/itemguids`, ofEvent);
    expect((await guids()).results).toEqual((await session.items('Q-*')).map(({ guid }) => guid));
    const items = `${events}/{guid}/items`;
    const [item] = (await play('GET', items, ofEvent, '?limit=1')).results;
    expect(item.effectiveItemRevision).toMatchObject({ number: 'Q-1', lifecyclePhase: { stage: expect.any(String) } });
    const set = await play('PUT', `${items}/{guid}`, [...ofEvent, item.guid], '', { reconciled: true });
    expect(set).toMatchObject({ reconciled: true, reconciledUser: { email: administrator.email } });
    expect((await guids()).count).toBe(1);
    expect(await play('GET', `${items}/{guid}`, [...ofEvent, item.guid])).toEqual(set);
    const all = await play('PUT', `${events}/{guid}`, ofEvent, '', { itemsReconciled: true });
    expect([all.status, (await guids()).count]).toEqual(['RECONCILED', 0]);
    expect(await play('GET', `${events}/{guid}`, ofEvent)).toMatchObject({ itemsReconciled: true });
    const wrong = await session.send('GET', `${QUEUE}/${integration.guid}/events?itemsReconciled=maybe`);
    expect(wrong.body.errors[0].code).toBe(4322);
  });
});
