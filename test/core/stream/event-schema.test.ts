import { expect, test } from 'vitest';
import type { Failure } from '#app/commands/print-failure.js';
import type { Json, JsonObject } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import type { Shape } from '#core/model/schema.js';
import type { Event } from '#core/stream/event.js';
import type { eventSchema } from '#core/stream/event-schema.js';

/** What JSON makes of a type: a member that may be undefined may be absent. */
type Printed<T> = [Json] extends [T]
  ? T
  : T extends string | number | boolean | null | Plan
    ? T
    : JsonObject extends T
      ? T
      : T extends readonly (infer E)[]
        ? readonly Printed<E>[]
        : Flat<
            { [K in keyof T as undefined extends T[K] ? never : K]: Printed<T[K]> } & {
              [K in keyof T as undefined extends T[K] ? K : never]?: Printed<Exclude<T[K], undefined>>;
            }
          >;

type Flat<T> = { readonly [K in keyof T]: T[K] };

type Same<T> = <X>() => X extends T ? 1 : 2;
type Equal<A, B> = Same<A> extends Same<B> ? true : false;

type Line = Event | ({ readonly type: 'error' } & Failure);
type Described = Shape<typeof eventSchema>;
type Unequal = {
  [K in Line['type']]: Equal<Printed<Extract<Line, { type: K }>>, Printed<Extract<Described, { type: K }>>> extends true
    ? never
    : K;
}[Line['type']];

test('the published schema of events has the members of the types, as far as the compiler can check', () => {
  const unequal: [Unequal] extends [never] ? 'none' : Unequal = 'none';
  const types: Equal<Line['type'], Described['type']> = true;
  expect([unequal, types]).toEqual(['none', true]);
});
