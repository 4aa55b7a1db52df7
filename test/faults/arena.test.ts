import { arena } from '../../src/service/profiles/arena.js';
import { faultMatrix } from './fault-matrix.js';

await faultMatrix(arena);
