import { NUMBERS } from './dosage-words';

/** A word or a number of a dosage. */
export interface Piece {
  word: string;
  value?: number;
}

const PIECES = /\d+(?:[.,]\d+)*|\p{L}+(?:\.\p{L})*|[^\s]/gu;
const MAX_PIECES = 150;

/** Cuts a folded text into its words and numbers. */
export function cut(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [word] of text.replace(/⁄/g, '/').replace(/[×*]/g, ' x ').matchAll(PIECES)) {
    if (pieces.length === MAX_PIECES) break;
    const value = /^\d/.test(word) ? numberOf(word) : NUMBERS.get(word);
    pieces.push(value === undefined ? { word: word.replaceAll('.', '') } : { word, value });
  }
  return joinNumbers(pieces);
}

/** "1,000" and "1,000.5" have thousands separators; "1,5" and "0,125" have decimal commas. */
function numberOf(word: string): number | undefined {
  const value = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(word)
    ? Number(word.replaceAll(',', ''))
    : Number(word.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Joins fractions ("1/2", "1 1/2"), ranges ("1-2", "4 to 6"), separated thousands ("1 000") and schedules
 * ("1-0-1").
 */
function joinNumbers(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const last = joined.at(-1);
    const next = pieces[i + 1];
    const afterNext = pieces[i + 2];
    if (piece.value === undefined) {
      joined.push(piece);
    } else if (
      piece.value > 0 &&
      next?.word === '/' &&
      afterNext?.value !== undefined &&
      afterNext.value > piece.value &&
      afterNext.value <= 4
    ) {
      const fraction = piece.value / afterNext.value;
      if (last?.value !== undefined && Number.isInteger(last.value) && last.value < 10)
        last.value += fraction;
      else joined.push({ word: '#', value: fraction });
      i += 2;
    } else if (last?.value !== undefined && /^0\d\d$/.test(piece.word) && last.word.length <= 3) {
      last.value = last.value * 1000 + piece.value;
    } else {
      joined.push({ ...piece });
    }
  }
  return joinRanges(joined);
}

function joinRanges(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const run: number[] = [];
    let end = i;
    if (pieces[i].value !== undefined) {
      run.push(pieces[i].value as number);
      while (
        ['-', 'to', 'or', 'bis', '~'].includes(pieces[end + 1]?.word) &&
        pieces[end + 2]?.value !== undefined
      ) {
        run.push(pieces[end + 2].value as number);
        end += 2;
      }
    }
    if (run.length >= 3) {
      joined.push(
        { word: `schedule:${Math.max(...run)}` },
        { word: '#', value: run.reduce((sum, count) => sum + count, 0) },
      );
      i = end;
    } else if (run.length === 2) {
      joined.push({ word: `range:${Math.min(...run)}`, value: Math.max(...run) });
      i = end;
    } else {
      joined.push(pieces[i]);
    }
  }
  return joined;
}
