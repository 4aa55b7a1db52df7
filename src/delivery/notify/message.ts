import { excerpt, printableText } from '#base/printable.js';
import type { NotifyAddress } from '#project/config/notify-targets.js';
import type { Notice } from './notice.js';

/** A notification with the facts of its sender. */
export interface Message extends Notice {
  readonly stack: string;
  readonly at: string;
}

/** Longer than any sentence of ours with short names: names may have thousands of characters. */
const MOST = 600;

/** What happened and where, on one line. */
export function headline({ stack, place, text }: Message): string {
  const where = place.is === 'fleet' ? `fleet ${place.name}` : place.name;
  return excerpt(onOneLine(`[${stack}] ${where}: ${text}`), MOST);
}

/** The line of a notification: what happened, where, and what to do next. */
export const lineOf = (message: Message): string => `${headline(message)}. Next: ${onOneLine(message.command)}`;

const onOneLine = (text: string): string => printableText(text.replaceAll(/\s+/g, ' '));

/** The body of a POST, as its receiver understands it. Nothing in a name acts as a link, a mention or a format there. */
export function bodyOf(message: Message, as: Extract<NotifyAddress, { is: 'webhook' }>['as']): object {
  if (as === 'slack') return slackBody(message);
  return as === 'teams' ? teamsBody(message) : jsonBody(message);
}

/** Slack reads `&`, `<` and `>` as markup, also in plain text. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const slackBody = (message: Message): object => ({
  text: slackText(lineOf(message)),
  blocks: [{ type: 'section', text: { type: 'plain_text', text: slackText(lineOf(message)), emoji: false } }],
});

/** An Adaptive Card, since workflows of Teams know nothing else; its rich text has no Markdown. */
const teamsBody = (message: Message): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          {
            type: 'RichTextBlock',
            inlines: [
              { type: 'TextRun', text: `${headline(message)}. Next: ` },
              { type: 'TextRun', text: onOneLine(message.command), fontType: 'Monospace' },
            ],
          },
        ],
      },
    },
  ],
});

const jsonBody = (message: Message): object => {
  const { is, stack, place, text, command, at } = message;
  return { is, stack, [place.is]: place.name, text, command, line: lineOf(message), at };
};
