import { family } from '../family/family.js';
import { json } from '../family/json-fields.js';
import { flag } from '../family/plain-fields.js';
import { references } from '../family/reference-fields.js';
import { creationTime, creator, modificationTime, modifier } from '../family/stamp-fields.js';
import { name, text } from '../family/text-fields.js';
import { unique } from '../family/traits.js';
import { Type } from '../routes/type.js';
import { refuse } from '../rules/service-error.js';
import { userGroups } from './user-groups.js';

/** The actions that the groups of a policy may perform on one kind of object. */
interface PolicyRule {
  readonly resource: string;
  readonly actions: readonly string[];
}

const rules = Type.Array(
  Type.Object({ resource: Type.String(), actions: Type.Array(Type.String()) }, { additionalProperties: false }),
);

/** Access policies (wire-facts 0, "policies"). */
export const policies = family({
  path: '/settings/policies',
  one: 'a policy',
  many: 'policies',
  table: 'policies',
  capability: 'policies',
  fields: {
    name: unique(name(), 'a policy'),
    description: text(),
    enabled: flag(true),
    userGroups: references(userGroups, 'policy_groups'),
    rules: json<readonly PolicyRule[]>({ answer: rules, given: Type.Optional(rules), parse: (value = []) => value }),
    creationDateTime: creationTime(),
    creator: creator(),
    lastModifiedDateTime: modificationTime(),
    modifiedBy: modifier(),
  },
  search: { name: 'text', enabled: 'flag' },
  check: (policy) => ({ ...policy, rules: policy.rules.map(checkedRule) }),
});

/** ASSUMED: no source lists the resources and actions of policies, so any word in upper case is accepted. */
const WORD = /^[A-Z][A-Z0-9_]*$/;

function checkedRule({ resource, actions }: PolicyRule, index: number): PolicyRule {
  const at = `rules[${index}]`;
  checkWord(resource, `${at}.resource`);
  if (actions.length === 0) throw refuse.empty(`${at}.actions`);
  for (const action of actions) checkWord(action, `${at}.actions`);
  return { resource, actions: [...new Set(actions)] };
}

function checkWord(word: string, attribute: string): void {
  if (word.trim() === '') throw refuse.empty(attribute);
  if (!WORD.test(word)) throw refuse.option(word, attribute);
}
