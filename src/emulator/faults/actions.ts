import type { Action } from './action.js';
import { connections } from './connections.js';
import { echoes } from './echo.js';
import { lists } from './lists.js';
import { objects } from './objects.js';

const all = { ...connections, ...lists, ...objects, ...echoes } as const;

export type ActionName = keyof typeof all;

/** All actions by name, which a rule gives as `do`. */
export const ACTIONS: Readonly<Record<ActionName, Action>> = all;

export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];
