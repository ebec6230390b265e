// Numbers and outcomes in words.

export const count = (n: number, one: string, many = `${one}s`): string => `${format(n)} ${n === 1 ? one : many}`;

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
/** "three moves", "17 moves". */
export const spelled = (n: number, one: string, many = `${one}s`): string =>
  `${NUMBERS[n] ?? format(n)} ${n === 1 ? one : many}`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A number with this many decimals, rounded as the server does: on the exact value, ties to even. */
export function format(n: number, digits = 0): string {
  let text = Math.abs(n).toFixed(digits);
  const tie = Math.abs((n * 2 ** (digits + 1)) % 2) === 1;
  if (tie && Number(text.at(-1)) % 2) text = (Number(text) - 10 ** -digits).toFixed(digits);
  return (Math.sign(n) * Number(text) || 0).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function percent(p: number): string {
  // A space that does not break.
  if (p > 0 && p < 0.001) return '<\u00a00.1\u00a0%';
  if (p < 1 && p > 0.999) return '>\u00a099.9\u00a0%';
  return `${format(100 * p, p > 0 && p < 1 && (p < 0.1 || p > 0.9) ? 1 : 0)}\u00a0%`;
}

export interface Estimate {
  mean: number;
  sd: number;
  mode: number;
  low: number;
  high: number;
}

/** "13.9-25.2". */
export const interval = (estimate: { low: number; high: number }): string =>
  `${format(estimate.low, 1)}-${format(estimate.high, 1)}`;

/** "19.2 (13.9-25.2)". */
export const estimated = (estimate: { mean: number; low: number; high: number }): string =>
  `${format(estimate.mean, 1)} (${interval(estimate)})`;

/** Keeps "13.9-25.2" and "c = 20" from breaking across lines. */
export const unbroken = (text: string): string => text.replace(/(\d)-(?=\d)/g, '$1\u2011').replace(/\bc = (?=\d)/g, 'c\u00a0=\u00a0');

/** "Qa5 keeps the draw" without its move, for places that already show it. */
export const withoutMove = (words: string, san: string): string => (words.startsWith(`${san} `) ? words.slice(san.length + 1) : words);

/** A competence in a word, for readers new to the scale. */
export function level(c: number): string {
  if (c < 0.5) return 'moves at random';
  if (c < 4) return 'errs every other move';
  if (c < 10) return 'errs often';
  if (c < 20) return 'errs now and then';
  if (c < 35) return 'seldom errs';
  return 'hardly ever errs';
}

/** "tomorrow", "in 4 days", "in 3 hours". */
export function fromNow(seconds: number): string {
  const left = seconds - Date.now() / 1000;
  if (left <= 0) return 'now';
  if (left < 3600) return `in ${spelled(Math.ceil(left / 60), 'minute')}`;
  if (left < 20 * 3600) return `in ${spelled(Math.ceil(left / 3600), 'hour')}`;
  const days = Math.round(left / 86_400);
  return days <= 1 ? 'tomorrow' : `in ${spelled(days, 'day')}`;
}

export const day = (seconds: number): string => new Date(1000 * seconds).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });

const MEN: Record<string, string> = { Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };

/** "Queen against rook" for KQKR. */
export function endgameName(name: string): string {
  const [, white = '', black = ''] = /^K([QRBNP]*)v?K([QRBNP]*)$/.exec(name) ?? [];
  if (!white && !black) return name;
  const side = (men: string): string => {
    const groups: string[] = [];
    for (const man of 'QRBNP') {
      const n = men.split(man).length - 1;
      if (n === 1) groups.push(MEN[man]!);
      if (n > 1) groups.push(`${NUMBERS[n]} ${MEN[man]}s`);
    }
    return groups.length > 1 ? `${groups.slice(0, -1).join(', ')} and ${groups.at(-1)}` : (groups[0] ?? '');
  };
  return capital(black ? `${side(white) || 'king'} against ${side(black)}` : side(white));
}

/** The endgame on a board, stronger side first: KQKR. */
export function endgameOf(fen: string): string {
  const men = fen.split(' ')[0] ?? '';
  const side = (own: RegExp): string => 'KQRBNP'.split('').map(man => man.repeat((men.match(own)?.join('').toUpperCase().split(man).length ?? 1) - 1)).join('');
  const worth = (name: string): number => [...name].reduce((sum, man) => sum + { K: 0, Q: 9, R: 5, B: 3.1, N: 3, P: 1 }[man]!, 0);
  const [white, black] = [side(/[A-Z]/g), side(/[a-z]/g)];
  return worth(white) >= worth(black) ? white + black : black + white;
}

export const METRICS: Record<string, { short: string; long: string }> = {
  dtm: { short: 'To mate', long: 'Moves to mate' },
  dtc: { short: 'To conversion', long: 'Moves to mate, a capture or a promotion' },
  dtz: { short: 'To zeroing', long: 'Moves to mate, a capture or a pawn move' },
  dtr: { short: 'Rule needed', long: 'The least k such that a k-move rule does not spoil the win' },
};

export const MARKS: Record<string, string> = {
  '°': 'only legal move',
  '"': 'only move that keeps the result',
  "'": 'only best move',
};
