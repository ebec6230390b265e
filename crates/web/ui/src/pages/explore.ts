// Explore: the value of any position and of each move, and what people would play.
import { makeFen, parseFen } from 'chessops/fen';
import type { Color, Role } from 'chessops/types';
import { makeSan } from 'chessops/san';
import { parseUci } from 'chessops/util';
import { Failure, address, get, isAborted } from '../api';
import { Board } from '../board';
import { Chart } from '../chart';
import { fill, h, uniqueId, type Child } from '../dom';
import { MoveList } from '../movelist';
import { buildOffer, button, copy, failure, meter, scroller, segments, slider, wanting } from '../parts';
import { readPosition } from '../position';
import { fenFromUrl, fenToUrl, setAddress, setTitle, type Page } from '../router';
import { sign, SYMBOL } from '../sign';
import { capital, count, endgameName, endgameOf, format, level, MARKS, METRICS, percent } from '../words';
import { work } from '../work';

export interface Depths {
  category: string;
  dtm: number | null;
  dtc: number | null;
  dtz: number | null;
  dtr: number | null;
  moves_to: Record<string, number | null>;
  checkmate: boolean;
  stalemate: boolean;
  insufficient_material: boolean;
  endgame: string;
}
export interface MoveVerdict extends Depths {
  uci: string;
  san: string;
  zeroing: boolean;
  converting: boolean;
  mark: string | null;
  ceded: number | null;
}
export interface Verdict extends Depths {
  moves: MoveVerdict[];
}
interface Choices {
  competences: number[];
  keeps: number[];
  ceded: (number | null)[];
  moves: { uci: string; san: string; keeps_value: boolean; ceded: number | null; probabilities: number[] }[];
}
/** A listed move; with tables missing, only its cost is known. */
type ListedMove = MoveVerdict | Choices['moves'][number];
interface Advice {
  best: string | null;
  opponent: { skill: number | string };
  moves: { uci: string; san: string; optimal: boolean; keeps_value: boolean; expected_depth: number | null; expected_value: number; win: number; draw: number; loss: number }[];
  value: number;
  hunter?: { length?: Hunted; chance?: Hunted };
}

/** The exact hunter's move for one objective, and what it gains. */
interface Hunted {
  best: string;
  san: string;
  worth: number;
  moves_left?: number;
  over_predator: number;
  over_optimal: number;
}

const START = '8/8/4k3/8/3K4/8/3P4/8 w - - 0 1';
const EXAMPLES: [string, string][] = [
  ['Pawn', START],
  ['Queen against rook', 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1'],
  ['Bishop and knight', '8/8/8/8/4k3/8/8/KBN5 w - - 0 1'],
  ['Lucena', '1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1'],
  ['Rook against pawn', '8/8/8/8/2k5/3p4/R7/4K3 w - - 0 1'],
];
const ROLES: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];

const good = new Set(['win', 'cursed-win', 'maybe-win', 'syzygy-win']);
const bad = new Set(['loss', 'blessed-loss', 'maybe-loss', 'syzygy-loss']);

/** Who wins and how, in a sentence. */
export function outcomeWords(verdict: Depths, turn: Color): string {
  const [mover, other] = turn === 'white' ? ['White', 'Black'] : ['Black', 'White'];
  if (verdict.checkmate) return `Checkmate: ${other} has won`;
  if (verdict.stalemate) return 'Stalemate: a draw';
  if (verdict.insufficient_material) return 'A draw: neither side can mate';
  const winner = good.has(verdict.category) ? mover : bad.has(verdict.category) ? other : null;
  if (!winner) return 'A draw';
  const cursed = verdict.category === 'cursed-win' || verdict.category === 'blessed-loss';
  return cursed ? `${winner} would win, but the 50-move rule comes first` : `${winner} wins`;
}

export const explore: Page = ({ root, query, signal }) => {
  setTitle('Explore');
  let fen = fenFromUrl(query.get('fen') ?? START);
  let metric = query.get('metric') ?? 'dtc';
  if (!(metric in METRICS)) metric = 'dtc';
  let skill = Math.min(60, Math.max(0, Number(query.get('c') ?? 20) || 0));
  let verdict: Verdict | undefined;
  let choices: Choices | undefined;
  let arrows = true;
  let pending: AbortController | undefined;
  let line: { fen: string; uci: string | null; san?: string }[] = [{ fen, uci: null }];
  let at = 0;

  const board = new Board({ movable: 'both', onMove: uci => play(uci) });
  const outcome = h('div', { class: 'card', 'aria-live': 'polite' });
  const more = h('div', { hidden: true });
  const people = h('div', { class: 'card verdict' });
  const number = h('h2');
  const table = h('div');
  const list = h('div', { class: 'card verdict' },
    h('div', { class: 'row spread' }, number, segments('Compared in', Object.keys(METRICS).map(name => [name, name.toUpperCase()] as [string, string]), metric, value => { metric = value; show(fen, line[at]?.uci ?? null, true); })),
    table,
    h('p', { class: 'small soft' }, Object.entries(MARKS).map(([mark, what], index) => [index ? ' · ' : '', h('b', {}, mark), ` ${what}`])));
  const advice = h('div', { class: 'card', hidden: true });
  const moves = new MoveList(ply => step(ply + 1));
  const editor = h('div', { class: 'editor', hidden: true });
  const side = h('div', { class: 'stack side' });
  const fenId = uniqueId();
  const fenField = h('input', { id: fenId, type: 'text', class: 'mono', spellcheck: 'false', autocomplete: 'off' });
  const fenNote = h('p', { class: 'small lost-text', role: 'alert' });

  const chart = new Chart({
    x: [0, 1], lines: [{ label: 'keeps the result', values: [0, 0] }], height: 150, label: 'Chance to keep the result, by competence',
    range: [0, 1], xLabel: 'competence c', yFormat: y => `${Math.round(100 * y)} %`,
    say: index => (choices ? `c = ${choices.competences[index]}: ${percent(choices.keeps[index] ?? 0)}` : ''),
    pick: index => { skill = choices?.competences[index] ?? skill; range.querySelector('input')!.value = String(skill); range.relabel(); redrawSkill(); },
  });
  const range = slider(() => ['A player of ', h('b', {}, `c = ${skill}`), ` · ${level(skill)}`], { min: 0, max: 60, value: skill }, value => {
    skill = value;
    redrawSkill();
  });
  const trick = h('p', { class: 'small soft' });
  const lost = new Chart({
    x: [0, 1], lines: [{ label: 'moves ceded', values: [0, 0] }], height: 130, label: 'Expected depth lost, by competence', range: [0, null], xLabel: 'competence c',
    say: index => (choices ? `c = ${choices.competences[index]}: ${format(choices.ceded[index] ?? 0, 2)} moves` : ''),
  });
  const lostBox = h('div', {}, h('h3', { class: 'gap' }, 'Moves of depth lost on average'), lost.element);
  fill(people, h('h2', {}, 'How tricky is it?'), range, trick, h('h3', { class: 'gap' }, 'Chance to keep the result'), chart.element, lostBox,
    h('details', {}, h('summary', {}, 'What is c?'), h('p', { class: 'small soft' },
      'The competence of a reference player: 0 moves at random, and the greater c, the fewer the errors. Such a player prefers a move the more, the nearer it brings the win.')));

  fill(root,
    h('div', { class: 'where' }, h('h1', {}, 'Explore'), h('span', { class: 'soft' }, 'Any position with up to five men, and what its moves are worth')),
    h('div', { class: 'two play' },
      h('section', { class: 'stack tight', 'aria-label': 'Position' },
        board.element,
        h('div', { class: 'under' }, board.typed, h('div', { class: 'row' }, button('Flip', 'f', () => board.flip()), button('Edit', null, () => toggleEditor()))),
        editor, moves.element,
        h('form', { class: 'field', onsubmit: (event: Event) => { event.preventDefault(); load(fenField.value); } },
          h('label', { class: 'label', for: fenId }, 'FEN'), h('div', { class: 'typed' }, fenField, h('button', { class: 'btn' }, 'Show')), fenNote),
        h('div', { class: 'chips' }, EXAMPLES.map(([name, example]) => button(name, null, () => load(example)))),
        board.text, advice),
      side));

  function url(): string {
    return address('/explore', { metric: metric === 'dtc' ? null : metric, c: skill === 20 ? null : skill }) + `${metric === 'dtc' && skill === 20 ? '?' : '&'}fen=${fenToUrl(fen)}`;
  }

  function load(text: string): void {
    const next = fenFromUrl(text.trim());
    const read = readPosition(next);
    if (typeof read === 'string') {
      fenNote.textContent = read;
      return;
    }
    line = [{ fen: next, uci: null }];
    at = 0;
    show(next, null);
  }

  function play(uci: string): void {
    const position = readPosition(fen);
    const move = parseUci(uci);
    if (typeof position === 'string' || !move) return;
    const san = makeSan(position, move);
    position.play(move);
    const next = makeFen(position.toSetup());
    line = [...line.slice(0, at + 1), { fen: next, uci, san }];
    at++;
    show(next, uci);
  }

  function step(to: number): void {
    const entry = line[to];
    if (!entry) return;
    at = to;
    show(entry.fen, entry.uci);
  }

  function show(next: string, uci: string | null, replace = false): void {
    fen = next;
    fenNote.textContent = '';
    fenField.value = fen;
    board.set(fen, uci);
    board.shapes([]);
    setAddress(url(), replace);
    moves.element.hidden = line.length < 2;
    moves.set(line[0]!.fen, line.slice(1).map(({ san = '' }) => ({ san })), at - 1);
    void ask();
  }

  async function ask(): Promise<void> {
    pending?.abort();
    const controller = (pending = new AbortController());
    const wanted = fen;
    try {
      const options = { fen: fenToUrl(wanted), metric };
      const [judged, likely] = await Promise.allSettled([get<Verdict>('/standard', options, controller.signal), get<Choices>('/api/v1/choices', options, controller.signal)]);
      if (controller.signal.aborted) return;
      verdict = judged.status === 'fulfilled' ? judged.value : undefined;
      choices = likely.status === 'fulfilled' ? likely.value : undefined;
      // Practice builds tables of one metric only, which suffice for the cost of moves.
      const missing = judged.status === 'rejected' ? wanting(judged.reason, endgameOf(wanted)) : undefined;
      if (judged.status === 'rejected' && !(missing && choices)) throw judged.reason;
      redraw(missing);
      void advise(controller.signal);
    } catch (error) {
      if (isAborted(error) || controller.signal.aborted) return;
      verdict = choices = undefined;
      fill(side, failure(error, () => void ask(), endgameOf(wanted)), error instanceof Failure && [400, 404].includes(error.status) && !error.missing
        ? h('p', { class: 'soft small' }, 'Tables exist for three to five men, without castling rights.') : null);
    }
  }

  function turn(): Color {
    return fen.split(' ')[1] === 'b' ? 'black' : 'white';
  }

  function redraw(missing?: string): void {
    if (!outcome.isConnected) fill(side, outcome, more, list, people);
    more.hidden = !missing;
    list.hidden = !(verdict ?? choices)?.moves.length;
    if (missing) {
      fill(outcome, h('div', { class: 'row spread' }, h('h2', { id: 'outcome' }, `What moves cost, in ${metric.toUpperCase()}`), h('span', { class: 'soft small' }, endgameName(missing), ` · ${missing}`)),
        h('p', { class: 'soft' }, 'Who wins under the 50-move rule, and the other metrics, need the rest of its tables.'));
      fill(more, buildOffer(missing, [], () => void ask()));
      drawList();
      drawPeople();
    }
    if (!verdict) return;
    const words = outcomeWords(verdict, turn());
    const decided = verdict.moves.length > 0 && verdict.moves_to.dtm !== null && verdict.moves_to.dtm !== undefined && verdict.category !== 'draw';
    const clock = Number(fen.split(' ')[4] ?? 0);
    const san = line[at]?.san;
    fill(outcome,
      h('div', { class: 'row spread' }, h('h2', { id: 'outcome' }, words), h('span', { class: 'soft small' }, endgameName(verdict.endgame), ` · ${verdict.endgame}`)),
      decided ? h('dl', { class: 'figures four', 'aria-live': 'off' }, ['dtm', 'dtc', 'dtz', 'dtr'].map(name =>
        h('div', { title: METRICS[name]!.long }, h('dt', {}, METRICS[name]!.short), h('dd', {}, verdict!.moves_to[name] ?? '–', ' ', h('small', {}, name === 'dtr' ? 'moves' : (verdict!.moves_to[name] === 1 ? 'move' : 'moves')))))) : null,
      // Announced together with the position's value.
      san ? h('p', { class: 'hidden' }, `${turn() === 'white' ? 'Black' : 'White'} plays ${san}.`) : null,
      clock ? h('p', { class: 'small soft' }, `50-move clock at ${format(clock / 2, clock % 2)} of 50 moves.`) : null,
      h('div', { class: 'row gap', 'aria-live': 'off' },
        verdict.moves.length ? h('a', { class: 'btn go more', href: `/practise?fen=${fenToUrl(fen)}` }, 'Practise this') : null,
        button('Copy link', null, () => void copy(location.origin + url(), 'Link'))));
    drawList();
    drawPeople();
  }

  let later = 0;
  function redrawSkill(): void {
    drawList();
    drawPeople();
    // Redraw probabilities at once; update the address and ask for advice when the slider rests, since browsers limit how often an address may change.
    clearTimeout(later);
    later = window.setTimeout(() => { setAddress(url(), true); if (pending && !pending.signal.aborted) void advise(pending.signal); }, 250);
  }

  function chance(uci: string): number | null {
    const index = choices?.competences.indexOf(skill) ?? -1;
    const move = choices?.moves.find(candidate => candidate.uci === uci);
    return index >= 0 && move ? (move.probabilities[index] ?? null) : null;
  }

  function drawPeople(): void {
    people.hidden = !choices?.moves.length;
    if (!choices) return;
    const index = Math.max(0, choices.competences.indexOf(skill));
    const kept = choices.keeps[index] ?? 0;
    const ceded = choices.ceded[index];
    const result = !verdict ? 'result' : good.has(verdict.category) ? 'win' : bad.has(verdict.category) ? 'loss' : 'draw';
    trick.textContent = result === 'loss'
      ? `The game is lost whatever is played; a player of c = ${skill} gives up ${(ceded ?? 0) < 0.05 ? 'next to no resistance' : `${format(ceded ?? 0, 1)} moves of resistance on average`}.`
      : `A player of c = ${skill} keeps the ${result} ${percent(kept)} of the time${ceded === null || ceded === undefined ? '' : ceded < 0.05 ? ' and cedes next to nothing' : ` and cedes ${format(ceded, 1)} moves on average`}.`;
    chart.element.hidden = result === 'loss';
    (chart.element.previousElementSibling as HTMLElement).hidden = result === 'loss';
    const known = choices.ceded.some(value => value !== null && value > 0);
    lostBox.hidden = !known;
    if (known) lost.update({
      x: choices.competences, lines: [{ label: 'moves ceded', values: choices.ceded, colour: '--slip' }], markers: [{ index, line: 0, shape: 'dot', colour: '--slip' }],
      label: `Moves of depth lost on average by competence: ${[0, 10, 20, 40].map(c => `c = ${c}: ${format(choices!.ceded[choices!.competences.indexOf(c)] ?? 0, 1)}`).join(', ')}`,
    });
    chart.update({
      x: choices.competences,
      lines: [{ label: 'keeps the result', values: choices.keeps, fill: true }],
      range: [0, 1],
      markers: [{ index, line: 0, shape: 'dot', colour: '--accent' }],
      label: `Chance to keep the ${result} by competence: ${[0, 10, 20, 40].map(c => `c = ${c}: ${percent(choices!.keeps[choices!.competences.indexOf(c)] ?? 0)}`).join(', ')}`,
    });
  }

  function drawList(): void {
    const listed = verdict?.moves ?? choices?.moves.toSorted((a, b) => (a.ceded ?? Infinity) - (b.ceded ?? Infinity)) ?? [];
    const tone = (move: ListedMove): 'good' | 'slip' | 'lost' => (move.ceded === null ? 'lost' : move.ceded > 0 ? 'slip' : 'good');
    const drawn = verdict?.category === 'draw';
    const most = Math.max(...listed.map(move => chance(move.uci) ?? 0), 1e-9);
    const worth = (move: ListedMove): Child => {
      if (!('category' in move)) return '';
      if (move.checkmate) return 'mate';
      if (move.category === 'draw') return 'draws';
      const loses = good.has(move.category);
      const depth = move.moves_to[metric];
      // A losing move's depth matters only if every move loses.
      const known = depth !== null && depth !== undefined && (!loses || bad.has(verdict!.category));
      const late = move.category === 'blessed-loss' || move.category === 'cursed-win';
      return `${loses ? 'loses' : 'wins'}${known ? ` in ${depth}` : ''}${late ? ', too late' : ''}`;
    };
    const rows = listed.map(move => {
      const p = chance(move.uci);
      const kind = tone(move);
      const show = (): void => { if (arrows) board.shapes([{ from: move.uci.slice(0, 2), to: move.uci.slice(2, 4), colour: kind === 'good' ? 'green' : kind === 'slip' ? 'yellow' : 'red' }]); };
      return h('tr', { class: 'pick', onmouseenter: show, onmouseleave: () => board.shapes([]), onclick: () => play(move.uci) },
        h('td', {}, h('button', { class: 'move', type: 'button', onfocus: show, onblur: () => board.shapes([]) }, move.san, 'mark' in move && move.mark ? h('span', { class: 'soft', title: MARKS[move.mark] }, ` ${move.mark}`) : null)),
        verdict ? h('td', {}, worth(move)) : null,
        h('td', {}, kind === 'good' ? (drawn ? '' : h('span', { class: 'good-text' }, 'best'))
          : kind === 'lost' ? h('span', { class: 'lost-text' }, `${SYMBOL.lost} result`) : h('span', { class: 'slip-text' }, `${SYMBOL.slip} ${move.ceded}`)),
        h('td', { class: 'right' }, p === null ? '' : percent(p)),
        h('td', { class: 'bar-cell' }, p === null ? '' : meter(p / most, `${percent(p)} likely`)));
    });
    number.textContent = count(rows.length, 'move');
    const focused = table.querySelector(':focus-visible');
    fill(table, scroller('Moves', h('table', { class: 'data' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Move'), verdict ? h('th', { scope: 'col' }, 'Worth') : null, h('th', { scope: 'col' }, 'Ceded'), h('th', { scope: 'col', class: 'right' }, `At c = ${skill}`), h('th', { scope: 'col' }, h('span', { class: 'hidden' }, 'Bar')))),
        h('tbody', {}, rows))));
    if (focused) table.querySelector<HTMLElement>('button.move')?.focus({ preventScroll: true });
  }

  const hunted = h('div', { class: 'hunted', 'aria-live': 'polite' });
  const hunt = work<Advice & { fen: string }>('advise', 'hunt', signal, answer => {
    if (answer.fen !== fen || !answer.hunter) return;
    const { length, chance } = answer.hunter;
    const gain = (found: Hunted, told: (n: number) => string): string => {
      const others: [string, number][] = [['the Predator’s move', found.over_predator], ['the best optimal one', found.over_optimal]];
      const equal = others.filter(([, n]) => told(n) === told(0)).map(([name]) => name);
      const worse = others.filter(([, n]) => told(n) !== told(0)).map(([name, n]) => `${told(n)} better than ${name}`);
      return [...worse, ...equal.length ? [`as good as ${equal.join(' and ')}`] : []].join(', ');
    };
    const moves = (n: number): string => `${format(n, 2)} moves`;
    fill(hunted,
      length ? h('p', {}, 'The Hunter plays ', h('b', {}, length.san), `: ${moves(length.worth)} are expected, ${gain(length, moves)}.`) : null,
      chance ? h('p', {}, `For the chance that the opponent ${answer.value === 0 ? 'goes wrong' : 'wins'} within ${chance.moves_left} moves it plays `,
        h('b', {}, chance.san), `: ${percent(chance.worth)}, ${gain(chance, percent)}.`) : null);
  });

  async function advise(abort: AbortSignal): Promise<void> {
    fill(hunted);
    if (!(verdict ?? choices)?.moves.length) { advice.hidden = true; return; }
    try {
      const found = await get<Advice>('/api/v1/advise', { fen: fenToUrl(fen), metric, skill }, abort);
      const [best, second] = found.moves;
      if (!best) return;
      const { value } = found;
      const depth = best.expected_depth;
      const reason = value === 0 && best.win > 0.0005 ? `the opponent’s next move throws the draw away in ${percent(best.win)} of cases`
        : !second?.keeps_value ? 'nothing else keeps the result'
        : depth !== null && second?.expected_depth !== null && second?.expected_depth !== undefined
          ? `after the reply a depth of ${format(depth, 2)} is expected, against ${format(second.expected_depth, 2)} after ${second.san}` : 'it keeps the result';
      const opponents = value === 1 ? 'defender' : 'opponent';
      fill(advice, h('h2', {}, `Against c = ${skill} the Predator would play ${best.san}`),
        h('p', { class: 'soft' }, `${capital(reason)}.`),
        scroller('What the Predator expects', h('table', { class: 'data' }, h('thead', {}, h('tr', {}, ['Move', 'Wins', 'Draws', 'Loses', 'Depth'].map((title, index) => h('th', { scope: 'col', class: index ? 'right' : '' }, title)))),
          h('tbody', {}, found.moves.slice(0, 4).map(move => h('tr', {}, h('td', {}, h('b', {}, move.san), move.optimal ? '' : move.keeps_value ? h('span', { class: 'slip-text' }, ` ${SYMBOL.slip}`) : h('span', { class: 'lost-text' }, ` ${SYMBOL.lost}`)), [move.win, move.draw, move.loss].map(p => h('td', { class: 'right' }, percent(p))), h('td', { class: 'right' }, move.expected_depth === null ? '–' : format(move.expected_depth, 2))))))),
        h('p', { class: 'small soft' }, `Chances after the ${opponents}’s reply, as a player of c = ${skill} would choose it.`),
        h('div', { class: 'row' }, button(`Play ${best.san}`, null, () => play(best.uci)),
          button('Ask the Hunter', null, () => { fill(hunted); void hunt.start({ fen, metric, skill, hunter: true }); }, 'more')),
        hunt.element, hunted);
      advice.hidden = false;
    } catch (error) {
      if (!isAborted(error)) advice.hidden = true;
    }
  }

  let hand: { role: Role; color: Color } | 'erase' | undefined;
  function toggleEditor(): void {
    editor.hidden = !editor.hidden;
    if (editor.hidden) {
      board.endEdit();
      board.set(fen);
      return;
    }
    let toMove = turn();
    const pieces = (['white', 'black'] as Color[]).map(color => h('div', { class: 'spare cg-wrap' }, ROLES.map(role => {
      const pick = h('button', { type: 'button', 'aria-label': `${capital(color)} ${role}`, 'aria-pressed': 'false', onclick: () => {
        hand = { role, color };
        for (const other of editor.querySelectorAll('[aria-pressed]')) other.setAttribute('aria-pressed', String(other === pick));
      } }, h('piece' as 'div', { class: `${role} ${color}` }));
      return pick;
    })));
    const eraser = h('button', { type: 'button', class: 'btn', 'aria-pressed': 'false', onclick: () => {
      hand = 'erase';
      for (const other of editor.querySelectorAll('[aria-pressed]')) other.setAttribute('aria-pressed', String(other === eraser));
    } }, 'Erase');
    const take = (): void => { fenField.value = `${board.placement()} ${toMove === 'white' ? 'w' : 'b'} - - 0 1`; };
    fill(editor, h('div', { class: 'card stack' }, h('h2', {}, 'Edit the position'),
      h('p', { class: 'small soft' }, 'Choose a man, then click squares. Drag men about; drag them off the board to remove them.'),
      pieces, h('div', { class: 'row' }, eraser, button('Empty board', null, () => { board.set('8/8/8/8/8/8/8/8 w - - 0 1'); board.edit(() => hand, take); take(); })),
      segments('To move', [['white', 'White'], ['black', 'Black']], toMove, value => { toMove = value as Color; take(); }),
      h('div', { class: 'row' }, button('Done', null, () => {
        take();
        const read = readPosition(fenField.value);
        if (typeof read === 'string') { fenNote.textContent = read; return; }
        board.endEdit();
        editor.hidden = true;
        load(fenField.value);
      }, 'go'), button('Cancel', null, toggleEditor))));
    board.edit(() => hand, take);
  }

  const read = readPosition(fen);
  fenField.value = fen;
  if (typeof read === 'string') {
    if (parseFen(fen).isOk) board.set(fen);
    fill(side, h('div', { class: 'card say lost', role: 'alert' }, h('h2', {}, sign('lost'), 'That is not a position'), h('p', {}, read),
      h('div', { class: 'row' }, button('Start afresh', null, () => load(START), 'go'))));
  } else {
    if (read.turn === 'black' && !query.has('fen')) board.orient('black');
    fill(side, h('div', { class: 'card awaited' }, h('p', { class: 'loading' }, 'Looking it up…')));
    show(fen, null, true);
    if (query.has('edit')) toggleEditor();
  }

  return {
    leave: () => {
      pending?.abort();
      chart.destroy();
      lost.destroy();
      clearTimeout(later);
      board.destroy();
    },
    keys: key => {
      if (key === 'ArrowLeft') step(at - 1);
      else if (key === 'ArrowRight') step(at + 1);
      else if (key === 'f') board.flip();
      else if (key === ' ') { if (verdict?.moves[0]) play(verdict.moves[0].uci); }
      else if (key === 'z') { arrows = !arrows; board.shapes([]); }
      else if (key === 'm') board.focusInput();
      else return false;
      return true;
    },
  };
};
