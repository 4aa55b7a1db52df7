import type { Said } from '#ledger/said.js';
import type { NoticeKind } from '#project/config/notify-schema.js';

/** What a notification is about: an environment, or a fleet with the environments of its rollout. */
export interface NoticePlace {
  readonly name: string;
  readonly is: 'environment' | 'fleet';
  readonly environments: readonly string[];
}

/** A name that no other place has. */
export const placeKey = ({ is, name }: NoticePlace): string => `${is} ${name}`;

/** A sentence about a place, and the command that shows more or goes on. */
export interface NoticeText {
  readonly text: string;
  readonly command: string;
}

/** A notification. */
export interface Notice extends NoticeText {
  readonly is: NoticeKind | 'test';
  readonly place: NoticePlace;
}

/** What is said to people; `done` is said as `recovered`. */
export const TOPICS = ['failed', 'waiting', 'drifted', 'done'] as const;

export type Topic = (typeof TOPICS)[number];

/** What is so now, one entry for each thing; empty if nothing is. */
export interface Found extends NoticeText {
  readonly entries: readonly string[];
  /** What is said once it is no longer so; silent without it. */
  readonly recovered?: string;
}

/** What is known of a place now. Topics that nobody looked at are left out. */
export type Seen = Readonly<Partial<Record<Topic, Found>>>;

/** What follows from one topic: the next state, and what is said. */
export interface NextNotice {
  readonly said: Said;
  readonly notice?: Pick<Notice, 'is' | keyof NoticeText>;
}

/** Decides what to say of a topic: what was not said yet, and once that it is no longer so. Undefined if nothing changed. */
export function nextNotice(said: Said, topic: Topic, found: Found): NextNotice | undefined {
  const { entries, text, command, recovered } = found;
  const before = said[topic] ?? [];
  const [now, known] = [new Set(entries), new Set(before)];
  if (now.size === known.size && entries.every((entry) => known.has(entry))) return undefined;
  const next = { ...said, [topic]: [...now].sort() };
  if (entries.some((entry) => !known.has(entry)))
    return { said: next, notice: { is: topic === 'done' ? 'recovered' : topic, text, command } };
  if (entries.length > 0 || recovered === undefined) return { said: next };
  return { said: next, notice: { is: 'recovered', text: recovered, command } };
}
