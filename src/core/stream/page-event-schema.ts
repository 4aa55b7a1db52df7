import { Type } from '../model/schema.js';
import { PAGE_ROLES } from './page-event.js';

const by = Type.String({ description: 'Who: the name that the login gives, or the user of this machine.' });
const from = Type.String({ description: 'The address that the request came from.' });

/** The schema of the events of the page; its lines have `time` and `level` too. */
export const pageEventSchema = Type.Tagged('is', [
  Type.Object({
    is: Type.Literal('login'),
    by,
    roles: Type.Array(Type.Unsafe<(typeof PAGE_ROLES)[number]>({ type: 'string', enum: PAGE_ROLES })),
    from,
  }),
  Type.Object({ is: Type.Literal('login-refused'), by: Type.Optional(by), from, message: Type.String() }),
  Type.Object({ is: Type.Literal('logout'), by }),
  Type.Object({
    is: Type.Literal('action'),
    by,
    action: Type.Union([
      Type.Literal('look-for-drift'),
      Type.Literal('pause'),
      Type.Literal('stop'),
      Type.Literal('review'),
      Type.Literal('fetch-report'),
      Type.Literal('download-rows'),
    ]),
    of: Type.String({ description: 'An environment, a rollout, a plan or an import.' }),
    reason: Type.Optional(Type.String()),
    error: Type.Optional(Type.String({ description: 'Why it was not done.' })),
  }),
]);
