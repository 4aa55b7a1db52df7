import { object, ref, serverDefault, set } from '../model/fields.js';
import { Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

/** An outbound-event integration (wire-facts 6.1; its writes are assumed in section 0). */
export const outboundIntegration = defineKind({
  name: 'OutboundIntegration',
  summary: 'A queue of events for another system: which triggers fill it, and who looks after it.',
  collection: 'outboundIntegrations',
  schema: object({
    enabled: Type.Optional(Type.Boolean({ description: 'Whether events are queued.', ...serverDefault(true) })),
    triggers: Type.Optional(
      set(ref('Trigger'), { description: 'Triggers that fill the queue. Named, they are all of them.' }),
    ),
    administrators: Type.Optional(
      set(ref('User'), { description: 'Who may reconcile its events. Named, they are all of them.' }),
    ),
  }),
  outputs: ['status'],
  children: {
    triggers: { path: 'triggers', ref: 'Trigger' },
    administrators: { path: 'administrators', ref: 'User' },
  },
});
