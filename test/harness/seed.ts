import fc from 'fast-check';
import { SEED } from './sample.js';

fc.configureGlobal({ seed: SEED });
