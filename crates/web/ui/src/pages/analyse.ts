// Analyse: drop games, paste them, or choose ones sent earlier; each collection has its own page.
import { get, isAborted, remove, startJob, type JobStatus } from '../api';
import { fill, h, uniqueId, type Child } from '../dom';
import { button, failure, say, scroller, toast } from '../parts';
import { navigate, setTitle, type Page } from '../router';
import { day, format } from '../words';
import { isAtWork } from '../work';

/** A collection of games, as the server keeps it. */
export interface Collection {
  id: string;
  /** The players of the first game. */
  title: string;
  file: string | null;
  kept: number;
  bytes: number;
}

/** A game between two of our players, queen against rook. */
const EXAMPLE = `[Event "Example"]
[White "rep:c=20"]
[Black "best"]
[SetUp "1"]
[FEN "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1"]
[Result "1-0"]

1. Ka7 Re7+ 2. Kb8 Re8+ 3. Kc7 Re7+ 4. Kd8 Re4 5. Qa6+ Ke5 6. Qf1 Rd4+ 7. Ke7 Re4 8. Qh3
Kd5+ 9. Kd7 Kc4 10. Kc7 Kd5 11. Qg2 Ke5 12. Kc6 Rc4+ 13. Kb5 Rf4 14. Kc5 Rf5 15. Qg3+ Ke4+
16. Kc4 Rf3 17. Qg4+ Ke3 18. Qg1+ Ke4 19. Qa1 Kf4 20. Qg7 Ke4 21. Qg2 Ke3 22. Qc2 Rf4+ 23.
Kd5 Rg4 24. Ke5 Rg5+ 25. Kd6 Rg3 26. Qf5 Rf3 27. Qg5+ Kd4 28. Qd2+ Ke4 29. Qb4+ Kd3 30.
Qc5 Rf4 31. Qg1 Ke2 32. Qc1 Rf8 33. Qc5 Kd3 34. Qd5+ Kc3 35. Qa5+ Kc2 36. Qc7+ Kd2 37. Qd7
Rf3 38. Ke5+ Ke2 39. Qb5+ Kd2 40. Qd7+ Ke2 41. Qg4 Kf2 42. Qg5 Ke2 43. Qg2+ Ke3 44. Qc2
Rg3 45. Qe4+ Kf2 46. Qf4+ Rf3 47. Qd2+ Kg3 48. Ke4 Rf1 49. Qd3+ Kg2 50. Qe2+ Rf2 51. Qg4+
Kh2 52. Ke3 Ra2 53. Qb4 Rg2 54. Qh4+ Kg1 55. Kf3 Rg8 56. Qd4+ Kh2 57. Qe5+ Kg1 58. Qa1+
Kh2 59. Qa2+ Kg1 60. Qxg8+ Kf1 61. Qg2+ Ke1 62. Qe2# 1-0
`;

const LARGEST = 7 << 20;

export const analyse: Page = ({ root, signal }) => {
  setTitle('Analyse');
  const trouble = h('div', { 'aria-live': 'polite' });
  const before = h('div');
  const id = uniqueId();
  const text = h('textarea', { id, rows: 5, placeholder: '[White "..."]\n\n1. e4 e5 ...', spellcheck: 'false' });
  const file = h('input', { type: 'file', accept: '.pgn,.txt', class: 'hidden', id: uniqueId(), onchange: () => { const chosen = file.files?.[0]; if (chosen) void read(chosen); } });
  const drop = h('div', { class: 'drop', ondragover: (event: DragEvent) => { event.preventDefault(); drop.classList.add('over'); }, ondragleave: () => drop.classList.remove('over'),
    ondrop: (event: DragEvent) => { event.preventDefault(); drop.classList.remove('over'); const chosen = event.dataTransfer?.files[0]; if (chosen) void read(chosen); } },
    h('p', {}, 'Drop a PGN file here, or ', h('label', { for: file.id, class: 'link' }, 'choose one'), file), h('p', { class: 'small soft' }, 'It stays on this machine. Endgames are analysed from five men down.'));

  async function read(chosen: File): Promise<void> {
    // Allow choosing the same file again.
    file.value = '';
    if (chosen.size > LARGEST) { toast('That file is too large for the page; use errare analyse in the terminal.'); return; }
    const bytes = await chosen.arrayBuffer();
    let { name } = chosen;
    let pgn: string;
    try {
      pgn = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // Older programs write PGN in Windows-1252.
      pgn = new TextDecoder('windows-1252').decode(bytes);
      name += ' (converted to UTF-8)';
    }
    await go(pgn, name);
  }

  async function go(pgn: string, name?: string): Promise<void> {
    fill(trouble, h('p', { class: 'loading' }, 'Reading the games…'));
    try {
      const { collection } = await startJob('analyse', { pgn, name });
      if (signal.aborted) return;
      if (collection) navigate(`/analyse/${collection}`);
      else fill(trouble, say('lost', 'There is no game in that', 'A game in PGN has tags, such as [White "Capablanca"], and moves, such as 1. e4 e5.'));
    } catch (error) {
      if (!isAborted(error)) fill(trouble, failure(error, () => void go(pgn, name)));
    }
  }

  const tales = h('div', { class: 'tales' }, [
    ['Every move', 'held against the tables: what it cost, what was best, where the result was thrown away. A curve a game; click a point to see the position.'],
    ['Every player', 'with a competence and its interval, the endgames that cost most, and a link to practise just those positions.'],
    ['Whole games', 'with an engine: a rating from the moves, with its interval, and a sober screening. Progress is shown, and you may close the page meanwhile.'],
    ['Your file back', 'as annotated PGN, your own comments untouched, and as pages to print.'],
  ].map(([title, words]) => h('div', {}, h('h2', {}, title), h('p', { class: 'soft' }, words))));
  fill(root, h('h1', {}, 'Analyse'), h('p', { class: 'lead' }, 'How well was it played? Endgames are held against the tables, move by move; with an engine, whole games are rated and screened.'),
    h('div', { class: 'stack heading' }, drop, h('details', {}, h('summary', {}, 'Or paste the games'), h('label', { class: 'hidden', for: id }, 'PGN'), text,
      h('div', { class: 'row' }, button('Analyse', null, () => void go(text.value), 'go'))), trouble,
    tales, h('div', { class: 'row' }, button('Try it with an example', null, () => void go(EXAMPLE, 'example.pgn'))), before));

  function row({ id, title, file, kept, bytes }: Collection, jobs: JobStatus[]): Child {
    const works = jobs.some(job => job.collection === id && isAtWork(job));
    return h('li', {}, h('span', {}, h('a', { href: `/analyse/${id}` }, title), works ? [' ', h('span', { class: 'pill' }, 'at work')] : null,
      h('span', { class: 'small soft' }, ` ${[file ?? 'pasted', bytes < 1000 ? `${bytes} B` : `${format(bytes / 1000)} kB`, day(kept)].join(' · ')}`)),
      h('button', { type: 'button', class: 'btn tiny', 'aria-label': `Erase ${title}`, onclick: () => void erase(id) }, 'Erase'));
  }

  async function erase(id: string): Promise<void> {
    try {
      await remove(`/api/v1/collections/${id}`);
      await list();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }

  async function list(): Promise<void> {
    try {
      const [collections, jobs] = await Promise.all([get<Collection[]>('/api/v1/collections', {}, signal), get<JobStatus[]>('/api/v1/jobs', {}, signal)]);
      fill(before, collections.length ? h('section', { class: 'card', 'aria-label': 'Analysed before' }, h('h2', {}, 'Analysed before'),
        scroller('Games', h('ul', { class: 'kept' }, collections.map(one => row(one, jobs))), 'tall'),
        h('p', { class: 'small soft' }, 'The games of the last 50 analyses stay on this machine, so that their addresses can be opened again, until you erase them here or with your ', h('a', { href: '/history' }, 'history'), '.')) : null);
    } catch (error) {
      if (!isAborted(error)) fill(before, failure(error, () => void list()));
    }
  }
  void list();
};
