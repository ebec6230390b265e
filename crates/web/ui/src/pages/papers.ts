// Papers: the five papers recomputed, beside the printed values.
import { get, isAborted } from '../api';
import { fill, h, type Child } from '../dom';
import { button, failure, scroller } from '../parts';
import { setAddress, setTitle, type Page } from '../router';
import { sign } from '../sign';
import { count, format } from '../words';
import { work } from '../work';

type Verdict = 'equal' | 'within-error' | 'differs' | 'not-computable' | 'beyond';
interface Claim {
  id: string;
  paper: string;
  place: string;
  claim: string;
  printed: string;
  expected: Verdict;
  why: string | null;
}
interface Entry extends Claim {
  computed: string | null;
  verdict: Verdict;
  seconds: number;
}

const PAPERS: [string, string, string, string][] = [
  ['haworth-2001', 'Depth by The Rule', 'G. McC. Haworth, 2001', 'A metric for endgame tables that respects the 50-move rule, or any k-move rule.'],
  ['haworth-2002', 'Reference fallible endgame play', 'G. McC. Haworth, 2002', 'A player who errs, with one number for how much; Bayes’ rule to find that number from moves; what such a player achieves.'],
  ['haworth-andrist-2004', 'Model endgame analysis', 'G. McC. Haworth and R. B. Andrist, 2004', 'Analyser, Predator, Emulator and Predictor, tried on queen against rook.'],
  ['regan-haworth-2011', 'Intrinsic chess ratings', 'K. W. Regan and G. McC. Haworth, 2011', 'The same idea with an engine for an oracle: ratings from the moves alone.'],
  ['levene-fenner', 'The effect of mobility on minimaxing of game trees with random leaf values', 'M. Levene and T. I. Fenner', 'Even where leaves are worth random amounts, minimax prefers the move that leaves more choice.'],
  ['open-experiments', 'Experiments left open', 'after Haworth and Andrist, 2004, section 8', 'Attacking in drawn positions, saving lost ones, Predators that look further, the Emulator as a sparring partner.'],
];
const WORDS: Record<Verdict, [string, string]> = {
  equal: ['equal to the printed digits', 'good'],
  'within-error': ['equal within three standard errors', 'good'],
  differs: ['differs', 'slip'],
  'not-computable': ['cannot be computed', 'plain'],
  beyond: ['we go beyond it', 'plain'],
};

/** The other verdicts on a number, as worded in the tally. */
const OTHERS: [Verdict, string, string][] = [['differs', 'differs from the print', 'differ from the print'], ['not-computable', 'cannot be computed', 'cannot be computed'], ['beyond', 'goes beyond the paper', 'go beyond the paper']];

/** The request for entries that take seconds. */
const SHORT = { short: true };

/** Shows text between backticks as code. */
const withCode = (text: string): Child[] => text.split('`').map((part, index) => (index % 2 ? h('code', { class: 'mono' }, part) : part));

export const papers: Page = ({ root, query, signal }) => {
  setTitle('Papers');
  const results = h('div', { class: 'stack' }, PAPERS.map(() => h('div', { class: 'card paper waiting' })));
  let computed = new Map<string, Entry>();
  let claims: Claim[] = [];
  const job = work<{ entries: Entry[] }>('reproduce', 'papers', signal, answer => {
    computed = new Map(answer.entries.map(entry => [entry.id, entry]));
    draw();
  });
  fill(root, h('h1', {}, 'Papers'), h('p', { class: 'lead' }, 'Errare rests on five papers. Every number they print that can be computed is computed again, on this machine, and set beside the print; where the two differ, the line says why.'),
    h('div', { class: 'stack heading' },
      h('div', { class: 'row more' }, button('Compute what takes seconds', null, () => { setAddress('/papers?compute=short', true); void job.start(SHORT); }, 'go'), button('Compute everything', null, () => void job.start({ short: false })),
        h('span', { class: 'small soft' }, 'Everything takes a good while and builds the tables that are missing. You may close the page meanwhile.')),
      job.element, results));

  function draw(): void {
    const agree = (verdict: Verdict): boolean => verdict === 'equal' || verdict === 'within-error';
    fill(results, computed.size ? h('p', { role: 'status' }, h('b', {}, `${[...computed.values()].filter(entry => agree(entry.verdict)).length} of the ${count(computed.size, 'number')} computed agree with the print.`)) : null,
      PAPERS.map(([id, title, source, about]) => {
        const list = claims.filter(claim => claim.paper === id);
        if (!list.length) return null;
        const tally = (wanted: (verdict: Verdict) => boolean): number => list.filter(claim => wanted(computed.get(claim.id)?.verdict ?? claim.expected)).length;
        const others = OTHERS.flatMap(([verdict, one, many]) => { const n = tally(found => found === verdict); return n ? [count(n, one, many)] : []; });
        return h('section', { class: 'card paper' }, h('h2', {}, title), h('p', { class: 'small soft' }, source), h('p', {}, about),
          h('p', { class: 'small' }, h('b', { class: 'good-text' }, `${tally(agree)} of ${list.length}`), ` numbers are reproduced${others.length ? `; ${others.join(', ')}` : ''}.`),
          h('details', { open: computed.size > 0 && list.some(claim => computed.has(claim.id)) }, h('summary', {}, `All ${list.length}, side by side`), scroller(title, table(list), 'tall')));
      }));
  }

  function table(list: Claim[]): HTMLElement {
    return h('table', { class: 'data claims' },
      h('thead', {}, h('tr', {}, ['Where', 'What', 'Printed', 'Computed', 'Verdict'].map(name => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, list.map(claim => {
        const entry = computed.get(claim.id);
        const verdict = entry?.verdict ?? claim.expected;
        const [words, tone] = WORDS[verdict];
        const surprise = entry && entry.verdict !== entry.expected;
        const why: Child = claim.why && !['equal', 'within-error'].includes(verdict) ? h('span', { class: 'small soft why' }, withCode(claim.why)) : null;
        return h('tr', {}, h('td', { class: 'soft prose' }, claim.place), h('td', { class: 'prose main' }, claim.claim, why), h('td', { class: 'prose', 'data-label': 'Printed:' }, claim.printed), h('td', { class: 'prose', 'data-label': 'Computed:' }, entry ? (entry.computed ?? '–') : h('span', { class: 'soft' }, 'not yet here')),
          h('td', { class: `prose verdict-cell ${surprise ? 'lost' : tone}-text` }, sign(surprise ? 'lost' : tone as 'good'), ` ${entry ? words : `expected: ${words}`}`, entry && entry.seconds > 60 ? ` (${format(entry.seconds / 60, 1)} min)` : ''));
      })));
  }

  get<Claim[]>('/api/v1/papers', {}, signal).then(found => {
    claims = found;
    draw();
    const order = query.get('compute') === 'short' ? SHORT : undefined;
    void job.resume(order).then(found => { if (!found && order && !signal.aborted) void job.start(order); });
  }, (error: unknown) => { if (!isAborted(error)) fill(results, failure(error)); });
};
