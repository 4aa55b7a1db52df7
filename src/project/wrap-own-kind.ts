import { DexsyncError, reasonOf } from '#base/errors.js';
import { isObject } from '#core/model/json.js';
import type { Children, Kind } from '#core/model/kind.js';

/** Wraps the functions of a kind so that their failures name it. The functions throw KIND_FAILED. */
export function wrapOwnKind(kind: Kind, file: string): Kind {
  const guard = <A extends readonly unknown[], R>(member: string, call: (...given: A) => R, isRight: IsRight) => {
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
  const children = Object.entries(kind.children).map(([field, child]): [string, Children] => {
    if (child.ref !== undefined) return [field, child];
    const toWire = guard(`toWire of "${field}"`, child.toWire, isObject);
    return [field, { ...child, toWire, fromWire: guard(`fromWire of "${field}"`, child.fromWire, isObject) }];
  });
  return {
    ...kind,
    children: Object.fromEntries(children),
    toWire: guard('toWire', kind.toWire, isObject),
    fromWire: guard('fromWire', kind.fromWire, isObject),
    ...(check === undefined ? {} : { check: guard('check', check, Array.isArray) }),
    ...(gather === undefined ? {} : { gather: guard('gather', gather, Array.isArray) }),
    ...(grow === undefined ? {} : { grow: guard('grow', grow, isObject) }),
  };
}

type IsRight = (value: unknown) => boolean;
