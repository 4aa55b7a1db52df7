import type { Action, Answer, InterceptedRequest } from './action.js';
import { htmlPage, refusal } from './answers.js';

/** Lists the headers of a request, one by one, and then its body. */
const requestLines = ({ headers, body }: InterceptedRequest): string[] => [
  ...Object.entries(headers).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`),
  ...(body.length === 0 ? [] : [body.toString()]),
];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const ECHOES = {
  page: (lines: readonly string[], _: Answer, status: number) => htmlPage(status, lines.map(escaped).join('<br>')),
  errors: (lines: readonly string[], _: Answer, status: number) => refusal(status, 400, lines.join('\n')),
  text: (lines: readonly string[], _: Answer, status: number): Answer => ({
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(lines.join('\n')),
  }),
  /** Replaces descriptions only: names stay, since objects are found by them. */
  values: (lines: readonly string[], answer: Answer) => ({
    ...answer,
    body: Buffer.from(replaceDescriptions(answer.body.toString(), lines.join(' '))),
  }),
};

/** Makes the service repeat the request that it received, secrets included, after processing it. */
export const echoes = {
  echo: {
    takes: ['as', 'status'],
    appliesTo: () => true,
    alter: (answer, { asked }, { as = 'errors', status = 400 }) => ECHOES[as](requestLines(asked), answer, status),
  },
} as const satisfies Readonly<Record<string, Action>>;

function replaceDescriptions(text: string, lines: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (field, value: unknown) => (field === 'description' ? lines : value));
  } catch {
    return text;
  }
}
