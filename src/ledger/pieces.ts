/** Characters that are written at once. */
const PIECE = 1 << 20;

/** The same text in pieces that are worth a write each. */
export function* pieces(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
