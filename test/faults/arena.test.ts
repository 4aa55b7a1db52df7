import { arena } from '#service/profiles/arena.js';
import { faultMatrix } from './fault-matrix.js';

await faultMatrix(arena);
