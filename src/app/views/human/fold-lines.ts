import wrapAnsi from 'wrap-ansi';
import { textWidth } from './text-width.js';

/**
 * Breaks lines between words to fit a terminal, and indents continued lines by two columns. Commands in backticks,
 * times, and words that are longer than a line stay whole. Without a width (no terminal) nothing changes.
 */
export function fold(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .map((line) => foldLine(line, width))
    .join('\n');
}

function foldLine(line: string, width: number): string {
  if (textWidth(line) <= width) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const room = width - indent.length - HANGING.length;
  if (room < NARROWEST) return line;
  const lines = wrapAnsi(joinPhrases(line.slice(indent.length), room), room, { trim: true }).split('\n');
  return splitPhrases(indent + lines.join(`\n${indent}${HANGING}`));
}

/** Breaks the text of a cell into lines of `width` columns: paths after slashes, longer words anywhere. */
export function foldCell(text: string, width: number): string {
  const words = joinPhrases(text, width)
    .split(' ')
    .map((word) => (word.length <= width ? word : foldPath(word, width)));
  return splitPhrases(wrapAnsi(words.join(' '), width, { hard: true, trim: true }));
}

/** The parts of a cell that stay whole while there is room. */
export const unbreakableParts = (text: string): string[] =>
  joinPhrases(text, Number.POSITIVE_INFINITY).split(BREAKS).map(splitPhrases);

const BREAKS = / |(?<=\/)/;

function foldPath(path: string, width: number): string {
  const lines: string[] = [];
  for (const part of path.split(BREAKS)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= width) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines.join('\n');
}

const HANGING = '  ';
const NARROWEST = 20;

/** A noncharacter that replaces the spaces of a phrase. */
const JOINT = '\uFDD0';

const PHRASES = /`[^`\n]+`|\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(?: UTC)?/g;

const joinPhrases = (text: string, room: number): string =>
  text.replaceAll(PHRASES, (phrase) => (phrase.length <= room ? phrase.replaceAll(' ', JOINT) : phrase));

const splitPhrases = (text: string): string => text.replaceAll(JOINT, ' ');
