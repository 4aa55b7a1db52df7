/** Characters of a piece. */
const PIECE = 1 << 20;

/** Joins parts into pieces that are large enough for a write each. */
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
