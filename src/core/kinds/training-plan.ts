import { omitUndefined } from '#base/omit-undefined.js';
import { object, ref } from '../model/fields.js';
import { isObject, pickValues } from '../model/json.js';
import { deadReference } from '../model/kind.js';
import { type Static, Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

const schema = object({
  description: Type.Optional(Type.String({ description: 'Free text.', minLength: 1 })),
  daysToComplete: Type.Optional(Type.Integer({ description: 'The days in which people complete it.', minimum: 1 })),
  manager: Type.Optional(ref('User', { description: 'Who manages it; by default, who creates it.' })),
});

/** A training plan (wire-facts 8.7). Its items, files and users stay as they are. */
export const trainingPlan = defineKind({
  name: 'TrainingPlan',
  summary: 'What people have to learn, and who manages that.',
  collection: 'trainingPlans',
  schema,
  outputs: ['number', 'status'],
  toWire({ manager, ...spec }: Static<typeof schema>, context) {
    const guid = manager === undefined ? undefined : context.guidOf('User', manager);
    return { ...spec, ...omitUndefined({ manager: guid && { guid } }) };
  },
  fromWire(body, context) {
    const { manager } = body;
    const own = pickValues(body, ['description', 'daysToComplete']);
    if (!isObject(manager)) return own;
    return { ...own, manager: context.nameOf('User', String(manager.guid)) ?? deadReference('User') };
  },
});
