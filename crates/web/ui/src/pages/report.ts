// The end of a game: what happened, how well you played, what to practise next.
import { fill, h, type Child } from '../dom';
import { button, say } from '../parts';
import { drills, report, type Answer, type Drill, type Report } from '../practice';
import { SYMBOL, type Tone } from '../sign';
import { count, unbroken, withoutMove } from '../words';

export interface Actions {
  next: () => void;
  again: () => void;
  retry: (ply: number) => void;
  pgn: () => void;
}

export function reportCard(answer: Answer, actions: Actions): HTMLElement {
  const { session } = answer;
  const end = session.end!;
  const element = h('div', { class: 'stack' });
  // Losing a lost position is no failure; throwing away a result is.
  const tone = (achieved: boolean | null): Tone => (achieved ? 'good' : session.setup.task === 'resist' ? 'plain' : 'lost');
  const buttons = (last?: number): (HTMLElement | null)[] => [
    button('Next position', 'n', actions.next, 'go'),
    last === undefined ? null : button('Try the last slip again', 'r', () => actions.retry(last)),
    button('Play it again', null, actions.again), button('Annotated PGN', null, actions.pgn), h('a', { class: 'btn', href: '/' }, 'Choose another'),
  ];
  fill(element, say('plain', end.words.replace(/\.$/, ''), 'Writing the report…', ...buttons()));

  /** Replaces drill names with links. */
  const named = (line: string, known: Drill[]): Child[] => line.split(/([a-z-]+)/).map(part => {
    const drill = known.find(one => one.name === part);
    return drill ? h('a', { href: `/?drill=${drill.name}` }, drill.title) : part;
  });

  async function show(found: Report): Promise<void> {
    const known = await drills().catch(() => []);
    const [first, ...sentences] = found.sentences;
    // Any draw counts as holding.
    const headline = session.setup.task === 'hold' && found.achieved && end.kind !== 'held' && first ? `Held: ${first.charAt(0).toLowerCase()}${first.slice(1)}` : first;
    fill(element,
      say(tone(found.achieved), (headline ?? end.words).replace(/\.$/, ''), unbroken(sentences.map(sentence => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)).join(' ')), ...buttons(found.slips.at(-1)?.ply)),
      found.slips.length ? h('div', { class: 'card' }, h('h2', {}, found.slips.length === 1 ? 'Where it went wrong' : `Where it went wrong: ${count(found.slips.length, 'slip')}`),
        h('ul', { class: 'slips' }, found.slips.slice(0, 8).map(slip => h('li', {},
          h('span', {}, h('span', { class: slip.value_lost ? 'lost-text' : 'slip-text' }, `${slip.value_lost ? SYMBOL.lost : SYMBOL.slip} `, h('b', {}, slip.number)),
            h('span', { class: 'soft' }, ` ${withoutMove(slip.words, slip.number.split(' ').at(-1)!)}.`)), button('Try again from here', null, () => actions.retry(slip.ply), 'tiny'))))) : null,
      found.next.length ? h('div', { class: 'card' }, h('h2', {}, 'What to practise next'), h('ul', { class: 'plain-list' }, found.next.map(line => h('li', {}, named(line, known))))) : null);
  }

  report(session.id).then(show, (error: unknown) => {
    fill(element, say(tone(end.result === 'win' || (session.setup.task !== 'win' && end.result === 'draw')), end.words.replace(/\.$/, ''), error instanceof Error ? error.message : String(error), ...buttons()));
  });
  return element;
}
