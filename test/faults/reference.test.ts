import { reference } from '#service/profiles/reference.js';
import { faultMatrix } from './fault-matrix.js';

await faultMatrix(reference);
