import { family } from '../family/family.js';
import { choice, count, flag } from '../family/plain-fields.js';
import { creationTime, creator, modificationTime } from '../family/stamp-fields.js';
import { name } from '../family/text-fields.js';
import { hidden, unique } from '../family/traits.js';
import { stopTracking } from '../store/extracts.js';

const fields = {
  name: unique(name(), 'an extract'),
  enabled: flag(true),
  type: choice(['FULL', 'FULL_AND_DELTA'], 'FULL'),
  creationDateTime: creationTime(),
  creator: creator(),
  lastModifiedDateTime: modificationTime(),
  /** Whether changes are collected for the next run. */
  tracking: hidden(count(0)),
};

/** DataExtract definitions (interface 2.4; wire-facts 0 and 5.2). */
export const extracts = family({
  path: '/extracts',
  one: 'an extract',
  many: 'extracts',
  table: 'extracts',
  capability: 'extractDefinitions',
  paged: true,
  fields,
  search: { name: 'text', 'creator.fullName': 'text', enabled: 'flag' },
  after: ({ guid, type }, { workspace }) => {
    if (type === 'FULL') stopTracking(workspace.settings, guid);
  },
});
