import { DexsyncError, reasonOf } from '../errors.js';
import { isObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';

/** The kind, with functions that say whose they are where they fail. Throws KIND_FAILED. */
export function reportOfKind(kind: Kind, file: string): Kind {
  const watched = <A extends readonly unknown[], R>(member: string, call: (...given: A) => R, isRight: IsRight) => {
    const failed = (why: string, cause?: unknown): DexsyncError =>
      new DexsyncError('KIND_FAILED', `${member} of the kind ${kind.name} (${file}) failed: ${why}.`, {
        hint: 'Correct the module, then repeat the command: steps that are done are not repeated.',
        cause,
      });
    return (...given: A): R => {
      let result: R;
      try {
        result = call(...given);
      } catch (error) {
        throw error instanceof DexsyncError ? error : failed(reasonOf(error).replace(/\.$/, ''), error);
      }
      if (!isRight(result)) throw failed('it returned the wrong type');
      return result;
    };
  };
  const { check, gather, grow } = kind;
  return {
    ...kind,
    toWire: watched('toWire', kind.toWire, isObject),
    fromWire: watched('fromWire', kind.fromWire, isObject),
    ...(check === undefined ? {} : { check: watched('check', check, Array.isArray) }),
    ...(gather === undefined ? {} : { gather: watched('gather', gather, Array.isArray) }),
    ...(grow === undefined ? {} : { grow: watched('grow', grow, isObject) }),
  };
}

type IsRight = (value: unknown) => boolean;
