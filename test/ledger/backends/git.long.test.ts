import { IS_WHOLE, scaled } from '../../harness/sample.js';
import { plansContract } from './documents-contract.js';
import { newRemote } from './git-place.js';
import { journalsContract } from './journals-contract.js';
import { fencingContract, leasesContract } from './leases-contract.js';
import { ledgerContract } from './ledger-contract.js';

journalsContract('git', newRemote);
// What a ledger makes of journals is the same for all: `npm test` shows it with files and PostgreSQL.
if (IS_WHOLE) ledgerContract('git', newRemote);
leasesContract('git', newRemote, { many: scaled(8, 3), lifetime: 4000, slow: 'yes' });
fencingContract('git', newRemote);
plansContract('git', newRemote);
