/** Shorter secrets are ignored: too much other text contains them. */
const SHORTEST = 4;
/** Shorter secrets match only whole words, so that `test` is not found in `latest`. */
const WORDS_BELOW = 8;
/** The bytes from which on the base64 of a secret is unlike other text. */
const SHORTEST_IN_BASE64 = 6;
/** The most backslashes before a character: each level of nested texts doubles them. */
const MOST_BACKSLASHES = 8;

/**
 * Matches secrets in every notation of a service, a view or a format: plain, in URLs, forms, JSON, HTML, Markdown and
 * workflow commands, also nested, and in base64, alone or within a longer text. Undefined if there are no secrets.
 */
export function compileSecretPattern(secrets: Iterable<string>): RegExp | undefined {
  const looked = [...secrets].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length);
  if (looked.length === 0) return undefined;
  return new RegExp(looked.flatMap((secret) => [plain(secret), ...base64Of(secret).map(spelled)]).join('|'), 'g');
}

/** The maximum length of all spellings of a secret in characters, with each of its characters escaped. */
export const longestSpelling = (secret: string): number => (secret.length < SHORTEST ? 0 : secret.length * 24);

const plain = (secret: string): string =>
  secret.length < WORDS_BELOW ? `(?<![A-Za-z0-9])${spelled(secret)}(?![A-Za-z0-9])` : spelled(secret);

const spelled = (text: string): string => Array.from(text, ofCharacter).join('');

/** The base64 of a secret at its three possible offsets in a longer text, without the digits shared with others. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < SHORTEST_IN_BASE64) return [];
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** Matches all spellings of a character. Letters and digits have only one. */
function ofCharacter(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  const bytes = Buffer.from(character);
  const point = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const forms = [
    `\\\\{0,${MOST_BACKSLASHES}}${literal(character)}`,
    literal(bytes.toString('latin1')),
    [...bytes].map((byte) => `%(?:25)*${hex(byte, 2)}`).join(''),
    units.map((unit) => `\\\\{1,${MOST_BACKSLASHES}}u${hex(unit, 4)}`).join(''),
    `&(?:amp;)*(?:#0*${point}|#[xX]0*${hex(point, 1)}${names(character)});`,
    ...(OTHER_FORMS[character] ?? []),
  ];
  return `(?:${forms.join('|')})`;
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Hexadecimal digits in either case. */
const hex = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, '0')
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

const names = (character: string): string => (character in ENTITIES ? `|${ENTITIES[character]}` : '');

/** Further spellings: base64 for URLs, spaces of forms and folded lines, and the short escapes of JSON. */
const OTHER_FORMS: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '/': ['_'],
  ' ': ['\\+', '\\s{1,16}'],
  '\n': [`\\\\{1,${MOST_BACKSLASHES}}n`],
  '\r': [`\\\\{1,${MOST_BACKSLASHES}}r`],
  '\t': [`\\\\{1,${MOST_BACKSLASHES}}t`],
};
