import { expect, test } from 'vitest';
import { environmentOrigin } from '#base/diagnostics.js';
import { builtIn } from '#core/catalog.js';
import { addressOf } from '#core/model/address.js';
import { manifestAt } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import { attributeFindings } from '#delivery/promotion/attribute-findings.js';

const facts = (colour: JsonObject) => ({ lookupFacts: new Map([['Attribute:ITEMS', new Map([['colour', colour]])]]) });
const environments = { from: 'dev', to: 'prod' };

const said = (conditions: readonly JsonObject[], to: JsonObject, from?: JsonObject): string[] =>
  attributeFindings(
    [
      manifestAt(environmentOrigin('dev'), addressOf('Trigger', 'T'), {
        ...{ resource: 'ITEM', action: 'EDIT' },
        attributes: [{ attribute: 'Colour' }],
        conditions,
      }),
    ],
    builtIn.schemaOf,
    { ...(from === undefined ? {} : { from: facts(from) }), to: facts(to), environments },
  ).map(({ severity, code, message, hint = '' }) => `${severity} ${code} | ${message} | ${hint}`);

test('an option that the other environment lacks, and another type, are a warning once for each attribute', () => {
  const from = { fieldType: 'DROP_DOWN', possibleValues: ['Red', 'Blue', 'Green'] };
  expect(said([], from, from)).toEqual([]);
  expect(said([], { fieldType: 'DROP_DOWN', possibleValues: ['Blue'] }, from)).toEqual([
    'warning attribute-options | The attribute "Colour" of environment "prod" does not have the options "Red", "Green" that it has in "dev". | There it has "Blue". Rows with those values would fail there.',
  ]);
  expect(said([], { fieldType: 'NUMBER' }, { fieldType: 'NUMBER', possibleValues: ['1'] })).toEqual([
    'warning attribute-options | The attribute "Colour" of environment "prod" does not have the option "1" that it has in "dev". | There it has no options. Rows with that value would fail there.',
  ]);
  const many = Array.from({ length: 7 }, (_, index) => `c${index}`);
  expect(
    said([], { fieldType: 'DROP_DOWN', possibleValues: [] }, { fieldType: 'DROP_DOWN', possibleValues: many })[0],
  ).toContain('the options "c0", "c1", "c2", "c3", "c4" and 2 more that');
  expect(said([], { fieldType: 'NUMBER' }, { fieldType: 'DROP_DOWN' })).toEqual([
    'warning attribute-type | The attribute "Colour" is of the type DROP_DOWN in environment "dev" and of the type NUMBER in "prod". | ',
  ]);
  // Nothing was read of the environment that it comes from.
  expect(said([], { fieldType: 'NUMBER' })).toEqual([]);
});

test('a comparison with an unknown option is an error with the nearest one; other comparisons are not judged', () => {
  const to = { fieldType: 'DROP_DOWN', possibleValues: ['Red', 'Blue'] };
  const with_ = (operator: string, value: JsonObject[string]) => [{ attribute: 'Colour', operator, value }];
  expect(said(with_('IS_IN', ['Red', 'Bleu']), to)).toEqual([
    'error attribute-value | Trigger/T compares the attribute "Colour" with "Bleu", which is not among its options in environment "prod". | Did you mean "Blue"?',
  ]);
  expect(said(with_('IS_EQUAL_TO', 'Blue'), to)).toEqual([]);
  expect(said(with_('CONTAINS', 'Bl'), to)).toEqual([]);
  expect(said(with_('IS_EQUAL_TO', 'anything'), { fieldType: 'SINGLE_LINE_TEXT' })).toEqual([]);
});
