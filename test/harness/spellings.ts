/** The spellings of a secret, each by the means of the language; long enough to differ from other text. */
export function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const inAscii = json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const url = encodeURIComponent(secret);
  const all = [
    ...[secret, json, JSON.stringify(json).slice(1, -1), inAscii, form, html],
    ...[url, encodeURIComponent(url), url.replaceAll(/%../g, (code) => code.toLowerCase())],
    ...(Buffer.byteLength(secret) < 6 ? [] : encoded(secret)),
  ];
  return [...new Set(all)];
}

/** Base64 alone, for URLs, and as the second part of `user:password`. */
function encoded(secret: string): string[] {
  const basic = ['a', 'ab', 'abc'].map((user) => Buffer.from(`${user}:${secret}`).toString('base64'));
  return [Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('base64url'), ...basic];
}
