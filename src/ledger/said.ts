import { DexsyncError } from '#base/errors.js';
import { jsonIn } from '#core/model/json.js';
import { type Shape, Type } from '#core/model/schema.js';
import { hasShape } from '#core/shape.js';
import type { DocumentStore } from './document-store.js';

const FORMAT = 'dexsync-notice/1';

export const saidSchema = Type.Object({
  format: Type.Literal(FORMAT),
  id: Type.String({ description: 'Random: the same is never written by two processes.' }),
  at: Type.String(),
  said: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'What was said and still holds, by topic.',
  }),
});

/** What was said about a place and still holds, by topic. */
export type Said = Readonly<Record<string, readonly string[]>>;

/** The last state of what was said, and the right to say what follows. */
export interface SaidRecord {
  readonly said: Said;
  /**
   * Records what is said next, before it is said. Undefined if another process did so first, which says it. `undo` takes
   * it back if it could not be said.
   */
  claim(next: Said, facts: { readonly at: string; readonly id: string }): Promise<Claim | undefined>;
}

export interface Claim {
  undo(): Promise<void>;
}

/**
 * Reads what was said to a target. States are documents with ascending numbers, of which a store adds each once, so that one
 * of several processes gets the right to say what is new.
 */
export async function readSaid(store: DocumentStore, target: string): Promise<SaidRecord> {
  const numbers = (await store.names()).flatMap((name) => {
    const [, own, number] = /^(\w+)-(\d+)$/.exec(name) ?? [];
    return own === target ? [Number(number)] : [];
  });
  const last = Math.max(0, ...numbers);
  const kept = last === 0 ? undefined : await store.read(nameOf(target, last));
  return {
    said: kept === undefined ? {} : saidIn(kept.text),
    async claim(next, facts) {
      const name = nameOf(target, last + 1);
      const text = `${JSON.stringify({ format: FORMAT, ...facts, said: next }, undefined, 1)}\n`;
      try {
        await store.add(name, text, 'added');
      } catch (error) {
        if (error instanceof DexsyncError && error.code === 'USAGE') return undefined;
        throw error;
      }
      // The last one stays: it holds again if what is new cannot be said.
      for (const old of numbers) if (old < last) await store.remove(nameOf(target, old), 'outlived');
      return { undo: () => store.remove(name, 'taken back') };
    },
  };
}

const nameOf = (target: string, number: number): string => `${target}-${number}`;

function saidIn(text: string): Said {
  const value = jsonIn(text);
  return hasShape(saidSchema, value) ? (value as Shape<typeof saidSchema>).said : {};
}
