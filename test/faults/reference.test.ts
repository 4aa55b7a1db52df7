import { reference } from '../../src/service/profiles/reference.js';
import { faultMatrix } from './fault-matrix.js';

await faultMatrix(reference);
