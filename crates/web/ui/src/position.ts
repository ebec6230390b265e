// Parses positions and moves as people write them, and draws small diagrams; needs no interactive board.
import { Chess, IllegalSetup, normalizeMove } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import { parseSan } from 'chessops/san';
import type { Color } from 'chessops/types';
import { makeUci, parseUci } from 'chessops/util';
import { h } from './dom';

export type Side = Color;

const IMPOSSIBLE: Record<string, string> = {
  [IllegalSetup.Empty]: 'the board is empty',
  [IllegalSetup.Kings]: 'each side has one king',
  [IllegalSetup.OppositeCheck]: 'the side that is not to move is in check',
  [IllegalSetup.PawnsOnBackrank]: 'a pawn stands on the first or the last rank',
};

/** Parses a FEN, or says what is wrong with it. */
export function readPosition(fen: string): Chess | string {
  const setup = parseFen(fen.trim().replaceAll('_', ' '));
  if (setup.isErr) return 'That is no FEN; write it like K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1.';
  const position = Chess.fromSetup(setup.value);
  // Impossible checks pass here: the tables have such positions, and the server decides.
  return position.isErr ? `That position is impossible: ${IMPOSSIBLE[position.error.message] ?? 'no game can lead to it'}.` : position.value;
}

/** Parses a typed move: UCI, or SAN even without capitals or signs. */
export function readMove(position: Chess, text: string): string | undefined {
  const plain = text.replace(/[+#!?]+$/, '').replace(/^0-0-0$/, 'O-O-O').replace(/^0-0$/, 'O-O').replace(/^[qrbnk](?=[a-h1-8x]{2,})/, letter =>
    /^[a-h][1-8][a-h][1-8]/.test(text) ? letter : letter.toUpperCase());
  for (const candidate of [plain, text]) {
    const uci = /^[a-h][1-8][a-h][1-8][qrbn]?$/i.test(candidate) ? parseUci(candidate.toLowerCase()) : undefined;
    if (uci && position.isLegal(uci)) return makeUci(normalizeMove(position, uci));
    const san = parseSan(position, candidate);
    if (san) return makeUci(normalizeMove(position, san));
  }
  return undefined;
}

/** A small static diagram, lighter than an interactive board. */
export function thumbnail(fen: string, orientation: Side = 'white'): HTMLElement {
  const element = h('span', { class: 'thumb cg-wrap', 'aria-hidden': 'true' });
  const setup = parseFen(fen);
  if (setup.isErr) return element;
  for (const [square, piece] of setup.value.board) {
    const man = h('piece' as 'div', { class: `${piece.role} ${piece.color}` });
    const [file, rank] = [square & 7, square >> 3];
    man.style.left = `${(orientation === 'white' ? file : 7 - file) * 12.5}%`;
    man.style.top = `${(orientation === 'white' ? 7 - rank : rank) * 12.5}%`;
    element.append(man);
  }
  return element;
}
