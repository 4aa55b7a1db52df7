import { object, ref, serverDefault, set } from '../model/fields.js';
import { Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

/** An outbound-event integration (wire-facts 6.1; its writes are assumed in section 0). */
export const outboundIntegration = defineKind({
  name: 'OutboundIntegration',
  shortNames: ['integration'],
  summary: 'A queue of events for another system: which triggers fill it, and who administers it.',
  collection: 'outboundIntegrations',
  schema: object({
    enabled: Type.Optional(Type.Boolean({ description: 'Whether events are queued.', ...serverDefault(true) })),
    triggers: Type.Optional(
      set(ref('Trigger'), { description: 'Triggers that fill the queue. If given, all other triggers are removed.' }),
    ),
    administrators: Type.Optional(
      set(ref('User'), { description: 'Users who may reconcile its events. If given, all other users are removed.' }),
    ),
  }),
  outputs: ['status'],
  children: {
    triggers: { path: 'triggers', ref: 'Trigger' },
    administrators: { path: 'administrators', ref: 'User' },
  },
});
