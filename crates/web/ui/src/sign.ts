// Shapes that go with colours: a tick for good, a triangle for a slip, a cross for a result thrown away.
import { svg } from './dom';

export type Tone = 'good' | 'slip' | 'lost' | 'next' | 'plain';

const SHAPES: Record<string, [string, Record<string, string>]> = {
  good: ['M3 9l4 4 8-9', { fill: 'none', stroke: 'currentColor', 'stroke-width': '2.6', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }],
  slip: ['M8.5 2l7 13h-14z', { fill: 'currentColor' }],
  lost: ['M3.5 3.5l10 10M13.5 3.5l-10 10', { fill: 'none', stroke: 'currentColor', 'stroke-width': '2.8', 'stroke-linecap': 'round' }],
};

export function sign(tone: Tone): SVGElement | null {
  const shape = SHAPES[tone];
  if (!shape) return null;
  return svg('svg', { class: `sign ${tone}`, viewBox: '0 0 17 17', 'aria-hidden': 'true' }, svg('path', { d: shape[0], ...shape[1] }));
}

/** The same as characters, for running text. */
export const SYMBOL: Record<string, string> = { slip: '▲', lost: '✕' };
